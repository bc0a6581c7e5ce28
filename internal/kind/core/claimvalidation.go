package core

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaim
func validateClaim(c *corev1.PersistentVolumeClaim, o volume.ClaimOptions) field.ErrorList {
	return append(check.NamespacedMeta(&c.ObjectMeta), volume.ValidateClaim(&c.Spec, o, field.NewPath("spec"))...)
}

// validateClaimUpdate validates an update. A claim's volume name and class can be set once; a bound
// claim may request more storage and another VolumeAttributesClass.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimUpdate
func validateClaimUpdate(c, was *corev1.PersistentVolumeClaim) field.ErrorList {
	grouped := was.Spec.DataSource != nil && was.Spec.DataSource.APIGroup != nil || was.Spec.DataSourceRef != nil && was.Spec.DataSourceRef.APIGroup != nil
	errs := check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateClaim(c, volume.ClaimOptions{AnyGroup: grouped})...)

	is, before := c.Spec.DeepCopy(), was.Spec.DeepCopy()
	if before.VolumeName == "" {
		before.VolumeName = is.VolumeName
	}
	errs = append(errs, validateClassUpdate(c, was, is)...)
	if c.Status.Phase == corev1.ClaimBound {
		if is.Resources.Requests != nil {
			is.Resources.Requests[corev1.ResourceStorage] = was.Spec.Resources.Requests[corev1.ResourceStorage]
		}
		is.VolumeAttributesClassName = before.VolumeAttributesClassName
	}
	if !equality.Semantic.DeepEqual(is, before) {
		detail := "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n"
		if is.Size()+before.Size() <= check.MaxDiffBytes {
			detail += diff.Diff(check.Untagged(*before), check.Untagged(*is))
		}
		errs = append(errs, field.Forbidden(field.NewPath("spec"), detail))
	}
	size, sizeBefore := c.Spec.Resources.Requests[corev1.ResourceStorage], was.Spec.Resources.Requests[corev1.ResourceStorage]
	if has := was.Status.Capacity[corev1.ResourceStorage]; size.Cmp(sizeBefore) < 0 && size.Cmp(has) <= 0 {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "resources", "requests", "storage"), "field can not be less than status.capacity"))
	}
	errs = append(errs, validation.ValidateImmutableField(c.Spec.VolumeMode, was.Spec.VolumeMode, field.NewPath("volumeMode"))...)
	if was.Status.CurrentVolumeAttributesClassName != nil && !equality.Semantic.DeepEqual(c.Spec.VolumeAttributesClassName, was.Spec.VolumeAttributesClassName) {
		at := field.NewPath("spec", "volumeAttributesClassName")
		switch class := c.Spec.VolumeAttributesClassName; {
		case class == nil:
			errs = append(errs, field.Forbidden(at, "update to nil is forbidden when status.currentVolumeAttributesClassName is not nil"))
		case *class == "":
			errs = append(errs, field.Forbidden(at, "update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil"))
		}
	}
	return errs
}

// validateClassUpdate validates a change of the class. It reverts an allowed change in is, in
// place.
func validateClassUpdate(c, was *corev1.PersistentVolumeClaim, is *corev1.PersistentVolumeClaimSpec) field.ErrorList {
	class, classBefore := c.Spec.StorageClassName, was.Spec.StorageClassName
	named, hasNamed := c.Annotations[corev1.BetaStorageClassAnnotation]
	namedBefore, hadNamed := was.Annotations[corev1.BetaStorageClassAnnotation]
	if hadNamed && classBefore == nil && class != nil && *class == namedBefore && (!hasNamed || named == namedBefore) {
		is.StorageClassName = nil // the field replaces the annotation
		return nil
	}
	if class != nil && classBefore == nil && (!hadNamed || *class == namedBefore) {
		is.StorageClassName = nil // there was none
	}
	if named != namedBefore {
		at := field.NewPath("metadata", "annotations", corev1.BetaStorageClassAnnotation)
		return field.ErrorList{field.Invalid(at, named, validation.FieldImmutableErrorMsg)}
	}
	return nil
}

// resizeStatuses is sorted by byte, as messages list it: InProgress comes before Infeasible.
var resizeStatuses = []corev1.ClaimResourceStatus{
	corev1.PersistentVolumeClaimControllerResizeInProgress, corev1.PersistentVolumeClaimControllerResizeInfeasible,
	corev1.PersistentVolumeClaimNodeResizeInProgress, corev1.PersistentVolumeClaimNodeResizeInfeasible,
	corev1.PersistentVolumeClaimNodeResizePending,
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimStatusUpdate
func validateClaimStatus(c, was *corev1.PersistentVolumeClaim) field.ErrorList {
	errs := check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
	if len(c.Spec.AccessModes) == 0 {
		errs = append(errs, field.Required(field.NewPath("Spec", "accessModes"), ""))
	}
	status := field.NewPath("status")
	for _, name := range slices.Sorted(maps.Keys(c.Status.Capacity)) {
		errs = append(errs, volume.ValidateQuantity(c.Status.Capacity[name], status.Child("capacity").Key(string(name)))...)
	}
	at := status.Child("allocatedResourceStatuses")
	for _, name := range slices.Sorted(maps.Keys(c.Status.AllocatedResourceStatuses)) {
		errs = append(errs, validateClaimResource(name, at)...)
		if !slices.Contains(resizeStatuses, c.Status.AllocatedResourceStatuses[name]) {
			errs = append(errs, field.NotSupported(at, name, resizeStatuses))
		}
	}
	at = status.Child("allocatedResources")
	for _, name := range slices.Sorted(maps.Keys(c.Status.AllocatedResources)) {
		if wrong := validateClaimResource(name, at); len(wrong) > 0 {
			errs = append(errs, wrong...)
			continue
		}
		size := c.Status.AllocatedResources[name]
		errs = append(errs, validateClaimSize(size, at.Key(string(name)))...)
	}
	return errs
}

func validateClaimSize(size resource.Quantity, path *field.Path) field.ErrorList {
	if errs := volume.ValidateQuantity(size, path); len(errs) > 0 {
		return errs
	}
	return check.Quantity(corev1.ResourceStorage, size, path)
}

// validateClaimResource validates the name of a resource. storage is the only one of Kubernetes'
// own.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePersistentVolumeClaimResourceKey
func validateClaimResource(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := check.QualifiedName(string(name), path); len(errs) > 0 {
		return errs
	}
	if check.IsNativeResource(name) && name != corev1.ResourceStorage {
		return field.ErrorList{field.NotSupported(path, string(name), []corev1.ResourceName{corev1.ResourceStorage})}
	}
	return nil
}
