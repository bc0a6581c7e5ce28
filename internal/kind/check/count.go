package check

import (
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Checks that the workloads which run Pods from a template share.

// Number is a field with a number that must not be negative.
type Number struct {
	name  string
	value int64
}

// Count returns a Number.
func Count(name string, value int64) Number { return Number{name, value} }

// Counts checks that no number is negative.
func Counts(path *field.Path, counts ...Number) field.ErrorList {
	var errs field.ErrorList
	for _, c := range counts {
		errs = append(errs, validation.ValidateNonnegativeField(c.value, path.Child(c.name))...)
	}
	return errs
}

// Optional returns a list with one Number, or an empty list if the field is not set.
func Optional(name string, value *int32) []Number {
	if value == nil {
		return nil
	}
	return []Number{Count(name, int64(*value))}
}

// Part is a field with the number of a workload's Pods that are ready, available and so on.
type Part struct {
	Name  string
	Value int32
}

// Portion returns a Part.
func Portion(name string, value int32) Part { return Part{name, value} }

// Portions checks that no part exceeds the whole, and that the last one (available Pods) does not
// exceed the one before (ready Pods).
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
