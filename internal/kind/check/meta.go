package check

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// standardFinalizers are the only finalizers that need no domain.
var standardFinalizers = []string{
	string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
}

// Meta validates the metadata of a new object; name validates names of the kind.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateObjectMeta
func Meta(m *metav1.ObjectMeta, namespaced bool, name validation.ValidateNameFunc) field.ErrorList {
	path := field.NewPath("metadata")
	return append(validation.ValidateObjectMeta(m, namespaced, name, path), validateFinalizers(m, path)...)
}

// NamespacedMeta is Meta for a namespaced kind whose names are DNS subdomains, as for most kinds.
func NamespacedMeta(m *metav1.ObjectMeta) field.ErrorList {
	return Meta(m, true, validation.NameIsDNSSubdomain)
}

// MetaUpdate validates changes of metadata: names, UID, timestamps, and the finalizers of an object
// that is being deleted.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateObjectMetaUpdate
func MetaUpdate(next, old *metav1.ObjectMeta) field.ErrorList {
	path := field.NewPath("metadata")
	return append(validation.ValidateObjectMetaUpdate(next, old, path), validateFinalizers(next, path)...)
}

func validateFinalizers(m *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, f := range m.Finalizers {
		errs = append(errs, Finalizer(f, path.Child("finalizers").Index(i))...)
	}
	return errs
}

// Finalizer rejects a finalizer without a domain that is not one of Kubernetes' own.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateKubeFinalizerName
func Finalizer(name string, path *field.Path) field.ErrorList {
	if strings.Contains(name, "/") || slices.Contains(standardFinalizers, name) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")}
}
