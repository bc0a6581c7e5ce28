package kind

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// IsTrue reports whether an optional bool is set and true.
func IsTrue(b *bool) bool { return b != nil && *b }

// KeepMetadata resets all metadata except managedFields, which record the update.
func KeepMetadata(next, old *metav1.ObjectMeta) {
	owners := next.ManagedFields
	*next = *old.DeepCopy()
	next.ManagedFields = owners
}

// SetDefault sets *field to a copy of value if it is nil.
func SetDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// RoundUp rounds quantities up to thousandths, in place.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList
func RoundUp(lists ...corev1.ResourceList) {
	for _, list := range lists {
		for name, quantity := range list {
			quantity.RoundUp(resource.Milli)
			list[name] = quantity
		}
	}
}

// WithDefault adds a resource to the list if it is missing, in place, and returns the list, which
// may be nil.
func WithDefault(list corev1.ResourceList, name corev1.ResourceName, quantity resource.Quantity) corev1.ResourceList {
	if _, has := list[name]; has {
		return list
	}
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = quantity.DeepCopy()
	return list
}
