package check

import (
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What ReplicaSets and Deployments, which run Pods from a template, have in common.

// Number is a number in a status or a spec that must not be negative, with its field's name.
type Number struct {
	name  string
	value int64
}

// Count is a count of a field.
func Count(name string, value int64) Number { return Number{name, value} }

// Counts judges that no count is negative.
func Counts(path *field.Path, counts ...Number) field.ErrorList {
	var errs field.ErrorList
	for _, c := range counts {
		errs = append(errs, validation.ValidateNonnegativeField(c.value, path.Child(c.name))...)
	}
	return errs
}

// Optional is a list of one count, or of none where the field is not set.
func Optional(name string, value *int32) []Number {
	if value == nil {
		return nil
	}
	return []Number{Count(name, int64(*value))}
}

// Part is how many of a workload's Pods are ready, available and so on, with its field's name.
type Part struct {
	Name  string
	Value int32
}

// Portion is a portion of a field.
func Portion(name string, value int32) Part { return Part{name, value} }

// Portions judges that no portion is greater than the whole, and that the last, the available Pods,
// is not greater than the one before, the ready Pods.
func Portions(path *field.Path, whole int32, portions ...Part) field.ErrorList {
	var errs field.ErrorList
	for _, p := range portions {
		if p.Value > whole {
			errs = append(errs, field.Invalid(path.Child(p.Name), p.Value, "cannot be greater than status.replicas"))
		}
	}
	ready, available := portions[len(portions)-2], portions[len(portions)-1]
	if available.Value > ready.Value {
		errs = append(errs, field.Invalid(path.Child(available.Name), available.Value, "cannot be greater than readyReplicas"))
	}
	return errs
}
