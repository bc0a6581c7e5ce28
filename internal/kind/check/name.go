package check

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// DriverName validates a reference to a CSI driver.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateCSIDriverName
func DriverName(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	if len(name) > 63 {
		errs = append(errs, field.TooLong(path, "", 63))
	}
	return append(errs, Invalid(path, name, utilvalidation.IsDNS1123Subdomain(strings.ToLower(name)))...)
}

// AnyPathSegment allows every name that fits into a URL path. Events use it, because their names
// are the least restricted.
func AnyPathSegment(name string, prefix bool) []string {
	return path.ValidatePathSegmentName(name, prefix) //nolint:staticcheck // what replaces it is upstream's own copy
}

// PathSegment checks that text is not empty and fits between two slashes of a path.
func PathSegment(text string, path *field.Path) field.ErrorList {
	if text == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return Invalid(path, text, content.IsPathSegmentName(text))
}

// Invalid returns one error for each message that apimachinery's validators return for a value.
func Invalid(path *field.Path, value any, msgs []string) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range msgs {
		errs = append(errs, field.Invalid(path, value, msg))
	}
	return errs
}

// DNSLabel checks that a name is a DNS label.
func DNSLabel(value string, path *field.Path) field.ErrorList {
	return Invalid(path, value, utilvalidation.IsDNS1123Label(value))
}

// QualifiedName checks that a name is qualified, such as "example.com/name".
func QualifiedName(value string, path *field.Path) field.ErrorList {
	return Invalid(path, value, utilvalidation.IsQualifiedName(value))
}

// Labels validates labels in the order of their keys, so that the same object always gets the same
// errors.
func Labels(labels map[string]string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		errs = append(errs, metav1validation.ValidateLabels(map[string]string{key: labels[key]}, path)...)
	}
	return errs
}

// LabelSelector validates a selector, which may be nil.
func LabelSelector(s *metav1.LabelSelector, path *field.Path) field.ErrorList {
	if s == nil {
		return nil
	}
	errs := Labels(s.MatchLabels, path.Child("matchLabels"))
	for i, r := range s.MatchExpressions {
		at := path.Child("matchExpressions").Index(i)
		errs = append(errs, metav1validation.ValidateLabelSelectorRequirement(r, metav1validation.LabelSelectorValidationOptions{}, at)...)
	}
	return errs
}
