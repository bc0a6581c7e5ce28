package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Requirement is a string that must not be empty, with its field's name.
type Requirement struct{ name, value string }

// Need is the requirement that a field is set.
func Need(name, value string) Requirement { return Requirement{name, value} }

// Required judges that no requirement is empty.
func Required(path *field.Path, requirements ...Requirement) field.ErrorList {
	var errs field.ErrorList
	for _, r := range requirements {
		if r.value == "" {
			errs = append(errs, field.Required(path.Child(r.name), ""))
		}
	}
	return errs
}
