package definition

import (
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// requireNames checks that the spec has the names that are optional in the status.
func requireNames(names *apiextensions.CustomResourceDefinitionNames, path *field.Path) (errs field.ErrorList) {
	for _, n := range []struct{ field, value string }{
		{"plural", names.Plural}, {"singular", names.Singular}, {"kind", names.Kind}, {"listKind", names.ListKind},
	} {
		if n.value == "" {
			errs = append(errs, field.Required(path.Child(n.field), ""))
		}
	}
	return errs
}

// checkNames validates the form of names.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionNames
func checkNames(names *apiextensions.CustomResourceDefinitionNames, path *field.Path) (errs field.ErrorList) {
	label := func(at *field.Path, value string) {
		if faults := utilvalidation.IsDNS1035Label(value); len(faults) > 0 {
			errs = append(errs, field.Invalid(at, value, strings.Join(faults, ",")))
		}
	}
	kind := func(name, value string) {
		if faults := utilvalidation.IsDNS1035Label(strings.ToLower(value)); value != "" && len(faults) > 0 {
			errs = append(errs, field.Invalid(path.Child(name), value, "may have mixed case, but should otherwise match: "+strings.Join(faults, ",")))
		}
	}
	if names.Plural != "" {
		label(path.Child("plural"), names.Plural)
	}
	if names.Singular != "" {
		label(path.Child("singular"), names.Singular)
	}
	kind("kind", names.Kind)
	kind("listKind", names.ListKind)
	for i, short := range names.ShortNames {
		label(path.Child("shortNames").Index(i), short)
	}
	if names.Kind != "" && names.Kind == names.ListKind {
		errs = append(errs, field.Invalid(path.Child("listKind"), names.ListKind, "kind and listKind may not be the same"))
	}
	for i, category := range names.Categories {
		label(path.Child("categories").Index(i), category)
	}
	return errs
}
