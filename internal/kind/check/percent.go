package check

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// AtMostAll judges that v is no percentage above 100.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, IsNotMoreThan100Percent
func AtMostAll(v intstr.IntOrString, path *field.Path) field.ErrorList {
	if percent, ok := PercentOf(v); ok && percent > 100 {
		return field.ErrorList{field.Invalid(path, v, "must not be greater than 100%")}
	}
	return nil
}

// IntOrPercent judges that v is "10%" or not negative.
func IntOrPercent(v intstr.IntOrString, path *field.Path) field.ErrorList {
	if v.Type == intstr.Int {
		return validation.ValidateNonnegativeField(int64(v.IntVal), path)
	}
	return Invalid(path, v, utilvalidation.IsValidPercent(v.StrVal))
}

// PercentOf reads "10%" as 10; ok is false where v is not a percentage. One that no int can hold is
// the greatest.
func PercentOf(v intstr.IntOrString) (percent int, ok bool) {
	if v.Type != intstr.String || len(utilvalidation.IsValidPercent(v.StrVal)) > 0 {
		return 0, false
	}
	percent, _ = strconv.Atoi(strings.TrimSuffix(v.StrVal, "%")) // digits alone: the one error is of range
	return percent, true
}

// NumberOf is the number of v, percentage or not; a string that is no number counts as 0.
func NumberOf(v intstr.IntOrString) int {
	if percent, ok := PercentOf(v); ok {
		return percent
	}
	return v.IntValue()
}
