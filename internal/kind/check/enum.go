package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// RequiredEnum judges that value is one of those supported, which its message lists in their order.
func RequiredEnum[T ~string](value T, supported []T, path *field.Path) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return Enum(value, supported, path)
}

// Enum is RequiredEnum where the empty value is nothing special.
func Enum[T ~string](value T, supported []T, path *field.Path) field.ErrorList {
	for _, s := range supported {
		if value == s {
			return nil
		}
	}
	return field.ErrorList{field.NotSupported(path, value, supported)}
}
