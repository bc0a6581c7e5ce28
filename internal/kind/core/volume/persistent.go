package volume

import (
	"cmp"
	"maps"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// reclaimPolicies is sorted, as messages list it.
var reclaimPolicies = []corev1.PersistentVolumeReclaimPolicy{
	corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRecycle, corev1.PersistentVolumeReclaimRetain,
}

// Judgement holds what the validation of a volume's spec depends on: the volume's name, and whether
// the spec is in a VolumeAttachment, where many fields have no meaning.
type Judgement struct {
	Name   string
	Inline bool
}

const notInline = "may not be specified in the context of inline volumes"

// ValidatePersistent validates the spec of a PersistentVolume.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec
func ValidatePersistent(s *corev1.PersistentVolumeSpec, j Judgement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if j.Inline {
		errs = append(errs, validateInline(s, path)...)
	}
	if len(s.AccessModes) == 0 {
		errs = append(errs, field.Required(path.Child("accessModes"), ""))
	}
	errs = append(errs, validateAccessModes(s.AccessModes, path.Child("accessModes"))...)
	if !j.Inline {
		errs = append(errs, validateCapacity(s.Capacity, path.Child("capacity"))...)
	}
	if p := s.PersistentVolumeReclaimPolicy; p != "" {
		at := path.Child("persistentVolumeReclaimPolicy")
		switch {
		case !j.Inline:
			errs = append(errs, check.Enum(p, reclaimPolicies, at)...)
		case p != corev1.PersistentVolumeReclaimRetain:
			errs = append(errs, field.Forbidden(at, "may only be Retain in the context of inline volumes"))
		}
	}
	errs = append(errs, validateVolumeAffinity(s.NodeAffinity, j.Inline, path.Child("nodeAffinity"))...)
	errs = append(errs, validatePersistentSource(s, j, path)...)
	return append(errs, validateVolumeClasses(s, j.Inline, path)...)
}

func validateInline(s *corev1.PersistentVolumeSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.ClaimRef != nil {
		errs = append(errs, field.Forbidden(path.Child("claimRef"), notInline))
	}
	if len(s.Capacity) != 0 {
		errs = append(errs, field.Forbidden(path.Child("capacity"), notInline))
	}
	if s.CSI == nil {
		errs = append(errs, field.Required(path.Child("csi"), "has to be specified in the context of inline volumes"))
	}
	return errs
}

func validateCapacity(capacity corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(capacity) == 0 {
		errs = append(errs, field.Required(path, ""))
	}
	if _, ok := capacity[corev1.ResourceStorage]; !ok || len(capacity) > 1 {
		errs = append(errs, field.NotSupported(path, capacity, []corev1.ResourceName{corev1.ResourceStorage}))
	}
	for _, name := range slices.Sorted(maps.Keys(capacity)) {
		size := capacity[name]
		errs = append(errs, ValidateQuantity(size, path.Key(string(name)))...)
		errs = append(errs, validatePositiveQuantity(size, path.Key(string(name)))...)
	}
	return errs
}

// ValidateQuantity checks that a quantity is not negative.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateBasicResource
func ValidateQuantity(q resource.Quantity, path *field.Path) field.ErrorList {
	if q.Value() < 0 {
		return field.ErrorList{field.Invalid(path, q.Value(), "must be a valid resource quantity")}
	}
	return nil
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateVolumeNodeAffinity
func validateVolumeAffinity(a *corev1.VolumeNodeAffinity, inline bool, path *field.Path) field.ErrorList {
	switch {
	case a == nil:
		return nil
	case inline:
		return field.ErrorList{field.Forbidden(path, notInline)}
	case a.Required == nil:
		return field.ErrorList{field.Required(path.Child("required"), "must specify required node constraints")}
	}
	var errs field.ErrorList
	terms := path.Child("required", "nodeSelectorTerms")
	if len(a.Required.NodeSelectorTerms) == 0 {
		errs = append(errs, field.Required(terms, "must have at least one node selector term"))
	}
	for i := range a.Required.NodeSelectorTerms {
		errs = append(errs, check.NodeSelectorTerm(&a.Required.NodeSelectorTerms[i], true, terms.Index(i))...)
	}
	return errs
}

// validateVolumeClasses validates the classes and the volume mode.
func validateVolumeClasses(s *corev1.PersistentVolumeSpec, inline bool, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.HostPath != nil && path.Clean(s.HostPath.Path) == "/" && s.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRecycle {
		errs = append(errs, field.Forbidden(at.Child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'"))
	}
	if class := s.StorageClassName; class != "" {
		if inline {
			errs = append(errs, field.Forbidden(at.Child("storageClassName"), notInline))
		} else {
			errs = append(errs, check.Invalid(at.Child("storageClassName"), class, validation.NameIsDNSSubdomain(class, false))...)
		}
	}
	if mode := s.VolumeMode; mode != nil {
		switch {
		case !inline:
			errs = append(errs, check.Enum(*mode, volumeModes, at.Child("volumeMode"))...)
		case *mode != corev1.PersistentVolumeFilesystem:
			errs = append(errs, field.Forbidden(at.Child("volumeMode"), "may not specify volumeMode other than Filesystem in the context of inline volumes"))
		}
	}
	// Upstream does not validate this one in a VolumeAttachment.
	if class := s.VolumeAttributesClassName; class != nil && !inline {
		if *class == "" {
			errs = append(errs, field.Required(at.Child("volumeAttributesClassName"), "an empty string is disallowed"))
		} else {
			errs = append(errs, check.Invalid(at.Child("volumeAttributesClassName"), *class, validation.NameIsDNSSubdomain(*class, false))...)
		}
		if s.CSI == nil {
			errs = append(errs, field.Required(at.Child("csi"), "has to be specified when using volumeAttributesClassName"))
		}
	}
	return errs
}

// validatePersistentSource checks that a volume has exactly one type. It validates only the first.
func validatePersistentSource(s *corev1.PersistentVolumeSpec, j Judgement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	found := false
	for i := range persistentSources {
		switch t := &persistentSources[i]; {
		case !t.set(&s.PersistentVolumeSource):
		case found && !t.beside:
			at := path.Child(cmp.Or(t.forbidden, t.name))
			errs = append(errs, field.Forbidden(at, "may not specify more than 1 volume type"))
		default:
			found = true
			errs = append(errs, t.validate(&s.PersistentVolumeSource, j.Name, path.Child(cmp.Or(t.fields, t.name)))...)
			if s.Local != nil && t.name == "local" && (s.NodeAffinity == nil || j.Inline) {
				errs = append(errs, field.Required(path.Child("nodeAffinity"), "Local volume requires node affinity"))
			}
		}
	}
	if !found {
		errs = append(errs, field.Required(path, "must specify a volume type"))
	}
	return errs
}
