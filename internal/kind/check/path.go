package check

import (
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// DescendingPath checks that a path is relative and has no "..".
func DescendingPath(name string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if path.IsAbs(name) {
		errs = append(errs, field.Invalid(at, name, "must be a relative path"))
	}
	return append(errs, NoBacksteps(name, at)...)
}

// NoBacksteps checks that a path has no "..".
func NoBacksteps(name string, at *field.Path) field.ErrorList {
	if HasBackstep(name) {
		return field.ErrorList{field.Invalid(at, name, "must not contain '..'")}
	}
	return nil
}

// HasBackstep reports whether a path has an element "..".
func HasBackstep(name string) bool { return slices.Contains(strings.Split(name, "/"), "..") }
