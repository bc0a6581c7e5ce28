package volume

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	wantedISCSIName = "must be valid format starting with iqn, eui, or naa"
	badISCSIName    = "must be valid format"
)

// validateISCSIName judges a name, which begins with its form's. wanted is said of one that begins
// otherwise.
func validateISCSIName(name, wanted string, path *field.Path) field.ErrorList {
	form := iscsiNames[name[:min(len(name), len("iqn"))]]
	switch {
	case form == nil:
		return field.ErrorList{field.Invalid(path, name, wanted)}
	case !form.MatchString(name):
		return field.ErrorList{field.Invalid(path, name, badISCSIName)}
	}
	return nil
}
