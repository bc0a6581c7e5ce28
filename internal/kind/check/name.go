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

// DriverName judges a CSI driver's name where it is referred to.
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

// AnyPathSegment allows the names that a URL can hold: events have the oldest and loosest names.
func AnyPathSegment(name string, prefix bool) []string {
	return path.ValidatePathSegmentName(name, prefix) //nolint:staticcheck // what replaces it is upstream's own copy
}

// PathSegment judges text that must be there and fit between two slashes of a path.
func PathSegment(text string, path *field.Path) field.ErrorList {
	if text == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return Invalid(path, text, content.IsPathSegmentName(text))
}

// Invalid is one error for each of the messages, which apimachinery's validators return for a
// value.
func Invalid(path *field.Path, value any, msgs []string) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range msgs {
		errs = append(errs, field.Invalid(path, value, msg))
	}
	return errs
}

// DNSLabel judges that a name is a DNS label.
func DNSLabel(value string, path *field.Path) field.ErrorList {
	return Invalid(path, value, utilvalidation.IsDNS1123Label(value))
}

// QualifiedName judges that a name is qualified, such as "example.com/name".
func QualifiedName(value string, path *field.Path) field.ErrorList {
	return Invalid(path, value, utilvalidation.IsQualifiedName(value))
}

// Labels judges labels in the order of their keys, so that the same object always gets the same
// answer.
func Labels(labels map[string]string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		errs = append(errs, metav1validation.ValidateLabels(map[string]string{key: labels[key]}, path)...)
	}
	return errs
}

// LabelSelector judges a selector, which may be nil.
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
