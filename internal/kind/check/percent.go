package check

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// AtMostAll checks that v is not a percentage above 100.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, IsNotMoreThan100Percent
func AtMostAll(v intstr.IntOrString, path *field.Path) field.ErrorList {
	if percent, ok := PercentOf(v); ok && percent > 100 {
		return field.ErrorList{field.Invalid(path, v, "must not be greater than 100%")}
	}
	return nil
}

// IntOrPercent checks that v is a percentage such as "10%", or a number that is not negative.
func IntOrPercent(v intstr.IntOrString, path *field.Path) field.ErrorList {
	if v.Type == intstr.Int {
		return validation.ValidateNonnegativeField(int64(v.IntVal), path)
	}
	return Invalid(path, v, utilvalidation.IsValidPercent(v.StrVal))
}

// PercentOf parses "10%" as 10; ok is false if v is not a percentage. It returns the largest int
// for a value that does not fit.
func PercentOf(v intstr.IntOrString) (percent int, ok bool) {
	if v.Type != intstr.String || len(utilvalidation.IsValidPercent(v.StrVal)) > 0 {
		return 0, false
	}
	percent, _ = strconv.Atoi(strings.TrimSuffix(v.StrVal, "%")) // only digits: the only possible error is overflow
	return percent, true
}

// NumberOf returns the number in v, percentage or not; 0 for a string that is not a number.
func NumberOf(v intstr.IntOrString) int {
	if percent, ok := PercentOf(v); ok {
		return percent
	}
	return v.IntValue()
}
