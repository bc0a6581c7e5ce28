package kind

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/diff"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/object"
)

// dataSourceOptions relax the judgement of a claim by what is stored already.
type dataSourceOptions struct {
	anyGroup bool // the claim had an API group in its data source
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaim
func validateClaim(c *corev1.PersistentVolumeClaim, o dataSourceOptions) field.ErrorList {
	return append(validateNamespacedMeta(&c.ObjectMeta), validateClaimSpec(&c.Spec, o, field.NewPath("spec"))...)
}

// The values of a claim's enums are sorted, as messages list them.
var (
	accessModes = []corev1.PersistentVolumeAccessMode{
		corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOnce, corev1.ReadWriteOncePod,
	}
	volumeModes = []corev1.PersistentVolumeMode{corev1.PersistentVolumeBlock, corev1.PersistentVolumeFilesystem}
)

// validateClaimSpec judges what a claim asks for.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec
func validateClaimSpec(s *corev1.PersistentVolumeClaimSpec, o dataSourceOptions, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.AccessModes) == 0 {
		errs = append(errs, field.Required(at.Child("accessModes"), "at least 1 access mode is required"))
	}
	errs = append(errs, validateLabelSelector(s.Selector, at.Child("selector"))...)
	errs = append(errs, validateAccessModes(s.AccessModes, at.Child("accessModes"))...)

	storage := at.Child("resources").Key(string(corev1.ResourceStorage))
	if size, has := s.Resources.Requests[corev1.ResourceStorage]; !has {
		errs = append(errs, field.Required(storage, ""))
	} else {
		errs = append(errs, validatePositiveQuantity(size, storage)...)
	}
	if class := s.StorageClassName; class != nil && *class != "" {
		errs = append(errs, invalid(at.Child("storageClassName"), *class, validation.NameIsDNSSubdomain(*class, false))...)
	}
	if s.VolumeMode != nil {
		errs = append(errs, validateEnum(*s.VolumeMode, volumeModes, at.Child("volumeMode"))...)
	}
	errs = append(errs, validateDataSources(s, o, at)...)
	if class := s.VolumeAttributesClassName; class != nil && *class != "" {
		errs = append(errs, invalid(at.Child("volumeAttributesClassName"), *class, validation.NameIsDNSSubdomain(*class, false))...)
	}
	return errs
}

// validateDataSources judges from what a volume shall be filled, which two fields say.
func validateDataSources(s *corev1.PersistentVolumeClaimSpec, o dataSourceOptions, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if from := s.DataSource; from != nil {
		errs = append(errs, validateDataSource(from.APIGroup, from.Kind, from.Name, o, at.Child("dataSource"))...)
	}
	ref := s.DataSourceRef
	if ref == nil {
		return errs
	}
	errs = append(errs, validateDataSource(ref.APIGroup, ref.Kind, ref.Name, o, at.Child("dataSourceRef"))...)
	elsewhere := ref.Namespace != nil && *ref.Namespace != ""
	if elsewhere {
		errs = append(errs, invalid(at.Child("dataSourceRef", "namespace"), *ref.Namespace, validation.ValidateNamespaceName(*ref.Namespace, false))...)
	}
	switch from := s.DataSource; {
	case from == nil:
	case elsewhere:
		errs = append(errs, field.Invalid(at, at.Child("dataSource"), "may not be specified when dataSourceRef.namespace is specified"))
	case !equality.Semantic.DeepEqual(from.APIGroup, ref.APIGroup) || from.Kind != ref.Kind || from.Name != ref.Name:
		errs = append(errs, field.Invalid(at, at.Child("dataSource"), "must match dataSourceRef"))
	}
	return errs
}

func validateDataSource(group *string, kind, name string, o dataSourceOptions, at *field.Path) field.ErrorList {
	errs := validateRequired(at, requirement{"name", name}, requirement{"kind", kind})
	if group == nil || *group == "" {
		if kind != "PersistentVolumeClaim" {
			errs = append(errs, field.Invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
		}
		return errs
	}
	if o.anyGroup {
		return errs
	}
	return append(errs, invalid(at.Child("apiGroup"), *group, utilvalidation.IsDNS1123Subdomain(*group))...)
}

// validateClaimUpdate judges a change. A claim gets its volume's name once and its class once; if it is bound it may ask for
// more, and for other attributes.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimUpdate
func validateClaimUpdate(next, old object.Object) field.ErrorList {
	c, was := next.(*corev1.PersistentVolumeClaim), old.(*corev1.PersistentVolumeClaim)
	grouped := was.Spec.DataSource != nil && was.Spec.DataSource.APIGroup != nil || was.Spec.DataSourceRef != nil && was.Spec.DataSourceRef.APIGroup != nil
	errs := validateObjectMetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateClaim(c, dataSourceOptions{anyGroup: grouped})...)

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
		if is.Size()+before.Size() <= maxDiffBytes {
			detail += diff.Diff(untagged(*before), untagged(*is))
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

// validateClassUpdate judges a change of the class, and changes is, in place, back where it is one of those allowed.
func validateClassUpdate(c, was *corev1.PersistentVolumeClaim, is *corev1.PersistentVolumeClaimSpec) field.ErrorList {
	class, classBefore := c.Spec.StorageClassName, was.Spec.StorageClassName
	named, hasNamed := c.Annotations[corev1.BetaStorageClassAnnotation]
	namedBefore, hadNamed := was.Annotations[corev1.BetaStorageClassAnnotation]
	if hadNamed && classBefore == nil && class != nil && *class == namedBefore && (!hasNamed || named == namedBefore) {
		is.StorageClassName = nil // the field takes the place of the annotation
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

// resizeStatuses are sorted, as messages list them.
var resizeStatuses = []corev1.ClaimResourceStatus{
	corev1.PersistentVolumeClaimControllerResizeInfeasible, corev1.PersistentVolumeClaimControllerResizeInProgress,
	corev1.PersistentVolumeClaimNodeResizeInfeasible, corev1.PersistentVolumeClaimNodeResizeInProgress, corev1.PersistentVolumeClaimNodeResizePending,
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimStatusUpdate
func validateClaimStatus(next, old object.Object) field.ErrorList {
	c, was := next.(*corev1.PersistentVolumeClaim), old.(*corev1.PersistentVolumeClaim)
	errs := validateObjectMetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
	if len(c.Spec.AccessModes) == 0 {
		errs = append(errs, field.Required(field.NewPath("Spec", "accessModes"), ""))
	}
	status := field.NewPath("status")
	for _, name := range slices.Sorted(maps.Keys(c.Status.Capacity)) {
		errs = append(errs, validateBasicQuantity(c.Status.Capacity[name], status.Child("capacity").Key(string(name)))...)
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
	if errs := validateBasicQuantity(size, path); len(errs) > 0 {
		return errs
	}
	return validateQuantity(corev1.ResourceStorage, size, path)
}

// validateClaimResource judges the name of a resource: of Kubernetes' own there is only one.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePersistentVolumeClaimResourceKey
func validateClaimResource(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := validateQualifiedName(string(name), path); len(errs) > 0 {
		return errs
	}
	if isNativeResource(name) && name != corev1.ResourceStorage {
		return field.ErrorList{field.NotSupported(path, string(name), []corev1.ResourceName{corev1.ResourceStorage})}
	}
	return nil
}

// validateSame judges that nothing has changed in a value, which messages show as upstream does.
func validateSame(next, old any, path *field.Path) field.ErrorList {
	if equality.Semantic.DeepEqual(next, old) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, untagged(next), validation.FieldImmutableErrorMsg)}
}
