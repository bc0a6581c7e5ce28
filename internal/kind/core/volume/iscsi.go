package volume

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	wantedISCSIName = "must be valid format starting with iqn, eui, or naa"
	badISCSIName    = "must be valid format"
)

// validateISCSIName validates a name by the form that its prefix indicates. wanted is the error for
// other prefixes.
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

// Forms of an iSCSI name. As upstream, the first may match anywhere in it.
var iscsiNames = map[string]*regexp.Regexp{
	"iqn": regexp.MustCompile(`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`),
	"eui": regexp.MustCompile(`^eui.[[:alnum:]]{16}$`),
	"naa": regexp.MustCompile(`^naa.[[:alnum:]]{32}$`),
}
