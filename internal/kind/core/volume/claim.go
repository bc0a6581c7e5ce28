package volume

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// ClaimOptions relax the validation of a claim for what is already stored.
type ClaimOptions struct {
	AnyGroup bool // the claim had an API group in its data source
}

// Enum values of a claim, sorted as messages list them.
var (
	accessModes = []corev1.PersistentVolumeAccessMode{
		corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOnce, corev1.ReadWriteOncePod,
	}
	volumeModes = []corev1.PersistentVolumeMode{corev1.PersistentVolumeBlock, corev1.PersistentVolumeFilesystem}
)

// ValidateClaim validates the spec of a claim.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec
func ValidateClaim(s *corev1.PersistentVolumeClaimSpec, o ClaimOptions, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.AccessModes) == 0 {
		errs = append(errs, field.Required(at.Child("accessModes"), "at least 1 access mode is required"))
	}
	errs = append(errs, check.LabelSelector(s.Selector, at.Child("selector"))...)
	errs = append(errs, validateAccessModes(s.AccessModes, at.Child("accessModes"))...)

	storage := at.Child("resources").Key(string(corev1.ResourceStorage))
	if size, has := s.Resources.Requests[corev1.ResourceStorage]; !has {
		errs = append(errs, field.Required(storage, ""))
	} else {
		errs = append(errs, validatePositiveQuantity(size, storage)...)
	}
	if class := s.StorageClassName; class != nil && *class != "" {
		errs = append(errs, check.Invalid(at.Child("storageClassName"), *class, validation.NameIsDNSSubdomain(*class, false))...)
	}
	if s.VolumeMode != nil {
		errs = append(errs, check.Enum(*s.VolumeMode, volumeModes, at.Child("volumeMode"))...)
	}
	errs = append(errs, validateDataSources(s, o, at)...)
	if class := s.VolumeAttributesClassName; class != nil && *class != "" {
		errs = append(errs, check.Invalid(at.Child("volumeAttributesClassName"), *class, validation.NameIsDNSSubdomain(*class, false))...)
	}
	return errs
}

// validateDataSources validates the two fields that name a volume's data source.
func validateDataSources(s *corev1.PersistentVolumeClaimSpec, o ClaimOptions, at *field.Path) field.ErrorList {
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
		errs = append(errs, check.Invalid(at.Child("dataSourceRef", "namespace"), *ref.Namespace, validation.ValidateNamespaceName(*ref.Namespace, false))...)
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

func validateDataSource(group *string, kind, name string, o ClaimOptions, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("name", name), check.Need("kind", kind))
	if group == nil || *group == "" {
		if kind != "PersistentVolumeClaim" {
			errs = append(errs, field.Invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
		}
		return errs
	}
	if o.AnyGroup {
		return errs
	}
	return append(errs, check.Invalid(at.Child("apiGroup"), *group, utilvalidation.IsDNS1123Subdomain(*group))...)
}

// DefaultClaim applies the defaults of a PersistentVolumeClaim.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolumeClaim
func DefaultClaim(o object.Object) {
	c := o.(*corev1.PersistentVolumeClaim)
	if c.Status.Phase == "" {
		c.Status.Phase = corev1.ClaimPending
	}
	kind.SetDefault(&c.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	kind.RoundUp(c.Spec.Resources.Limits, c.Spec.Resources.Requests, c.Status.Capacity, c.Status.AllocatedResources)
}

// WarnOfClaim warns about sizes that are not a whole number of bytes.
func WarnOfClaim(s *corev1.PersistentVolumeClaimSpec, path *field.Path) (warnings []string) {
	for _, part := range []struct {
		name string
		list corev1.ResourceList
	}{{"requests", s.Resources.Requests}, {"limits", s.Resources.Limits}} {
		if size := part.list[corev1.ResourceStorage]; size.MilliValue()%1000 != 0 {
			at := path.Child("resources", part.name).Key(string(corev1.ResourceStorage))
			warnings = append(warnings, fmt.Sprintf("%s: fractional byte value %q is invalid, must be an integer", at, size.String()))
		}
	}
	return warnings
}

// validateAccessModes validates each mode, and that ReadWriteOncePod is the only one if it is set.
func validateAccessModes(modes []corev1.PersistentVolumeAccessMode, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	single, shared := false, false
	for _, mode := range modes {
		errs = append(errs, check.Enum(mode, accessModes, path)...)
		single = single || mode == corev1.ReadWriteOncePod
		shared = shared || mode != corev1.ReadWriteOncePod && slices.Contains(accessModes, mode)
	}
	if single && shared {
		errs = append(errs, field.Forbidden(path, "may not use ReadWriteOncePod with other access modes"))
	}
	return errs
}

func validatePositiveQuantity(q resource.Quantity, path *field.Path) field.ErrorList {
	if q.Sign() <= 0 {
		return field.ErrorList{field.Invalid(path, q.String(), "must be greater than zero")}
	}
	return nil
}
