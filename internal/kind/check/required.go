package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Requirement is a field with a string that must not be empty.
type Requirement struct{ name, value string }

// Need returns a Requirement.
func Need(name, value string) Requirement { return Requirement{name, value} }

// Required checks that no field is empty.
func Required(path *field.Path, requirements ...Requirement) field.ErrorList {
	var errs field.ErrorList
	for _, r := range requirements {
		if r.value == "" {
			errs = append(errs, field.Required(path.Child(r.name), ""))
		}
	}
	return errs
}
