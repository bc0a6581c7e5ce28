package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// RequiredEnum checks that value is one of supported, which its message lists in order.
func RequiredEnum[T ~string](value T, supported []T, path *field.Path) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return Enum(value, supported, path)
}

// Enum is RequiredEnum without a special case for the empty value.
func Enum[T ~string](value T, supported []T, path *field.Path) field.ErrorList {
	for _, s := range supported {
		if value == s {
			return nil
		}
	}
	return field.ErrorList{field.NotSupported(path, value, supported)}
}
