package kind

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	corev1 "k8s.io/api/core/v1"
)

// standardFinalizers are the only finalizers whose names need no domain.
var standardFinalizers = []string{
	string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
}

// validateObjectMeta judges the metadata of an object to be created; name says which names the kind allows.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateObjectMeta
func validateObjectMeta(m *metav1.ObjectMeta, namespaced bool, name validation.ValidateNameFunc) field.ErrorList {
	path := field.NewPath("metadata")
	return append(validation.ValidateObjectMeta(m, namespaced, name, path), validateFinalizers(m, path)...)
}

// validateNamespacedMeta is validateObjectMeta for a namespaced kind whose names are DNS subdomains, as most are.
func validateNamespacedMeta(m *metav1.ObjectMeta) field.ErrorList {
	return validateObjectMeta(m, true, validation.NameIsDNSSubdomain)
}

// validateObjectMetaUpdate judges what an update does to metadata: names, uid, timestamps and finalizers of an
// object that is being deleted.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateObjectMetaUpdate
func validateObjectMetaUpdate(next, old *metav1.ObjectMeta) field.ErrorList {
	path := field.NewPath("metadata")
	return append(validation.ValidateObjectMetaUpdate(next, old, path), validateFinalizers(next, path)...)
}

func validateFinalizers(m *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, f := range m.Finalizers {
		errs = append(errs, validateStandardFinalizer(f, path.Child("finalizers").Index(i))...)
	}
	return errs
}

// validateStandardFinalizer refuses a finalizer without a domain that is not one of Kubernetes' own.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateKubeFinalizerName
func validateStandardFinalizer(name string, path *field.Path) field.ErrorList {
	if strings.Contains(name, "/") || slices.Contains(standardFinalizers, name) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")}
}
