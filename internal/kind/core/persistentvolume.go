package core

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/object"
)

// VolumeProtection is the finalizer that keeps a PersistentVolume while it is bound;
// ClaimProtection keeps a PersistentVolumeClaim while Pods use it.
const (
	VolumeProtection = "kubernetes.io/pv-protection"
	ClaimProtection  = "kubernetes.io/pvc-protection"
)

// VolumePlace and its UID identify a PersistentVolume where files of nodes are stored. Together
// they cannot be the name of a node, because they have a slash.
const VolumePlace = "persistentvolume/"

// PersistentVolume is core/v1 PersistentVolume.
//
// Source: kubernetes v1.36 pkg/registry/core/persistentvolume/strategy.go; the finalizer:
// plugin/pkg/admission/storage/storageobjectinuseprotection
var PersistentVolume = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "PersistentVolume", Plural: "persistentvolumes",
		New: func() object.Object { return &corev1.PersistentVolume{} },
	},
	Singular:   "persistentvolume",
	ShortNames: []string{"pv"},
	NewList:    func() runtime.Object { return &corev1.PersistentVolumeList{} },

	Admission: []kind.Plugin{volume.InUseProtection(VolumeProtection)},
	Status: kind.Through(kind.Write[*corev1.PersistentVolume]{
		Prepare:  func(next, old *corev1.PersistentVolume) { next.Spec = *old.Spec.DeepCopy() },
		SetTimes: setTransitionTime,
		Validate: func(next, old *corev1.PersistentVolume) field.ErrorList {
			return check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta)
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Capacity", Type: "string", Description: corev1.PersistentVolumeSpec{}.SwaggerDoc()["capacity"]},
		{Name: "Access Modes", Type: "string", Description: corev1.PersistentVolumeSpec{}.SwaggerDoc()["accessModes"]},
		{Name: "Reclaim Policy", Type: "string", Description: corev1.PersistentVolumeSpec{}.SwaggerDoc()["persistentVolumeReclaimPolicy"]},
		{Name: "Status", Type: "string", Description: corev1.PersistentVolumeStatus{}.SwaggerDoc()["phase"]},
		{Name: "Claim", Type: "string", Description: corev1.PersistentVolumeSpec{}.SwaggerDoc()["claimRef"]},
		{Name: "StorageClass", Type: "string", Description: "StorageClass of the pv"},
		{Name: "VolumeAttributesClass", Type: "string", Description: "VolumeAttributesClass of the pv"},
		{Name: "Reason", Type: "string", Description: corev1.PersistentVolumeStatus{}.SwaggerDoc()["reason"]},
		kind.AgeColumn,
		{Name: "VolumeMode", Type: "string", Priority: 1, Description: corev1.PersistentVolumeSpec{}.SwaggerDoc()["volumeMode"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.PersistentVolume]{
	Default:       defaultPersistentVolume,
	PrepareCreate: preparePersistentVolumeCreate,
	PrepareUpdate: func(next, old *corev1.PersistentVolume) {
		next.Status = *old.Status.DeepCopy()
	},
	Validate:       validatePersistentVolume,
	ValidateUpdate: validatePersistentVolumeUpdate,
	Warnings:       func(next, _ *corev1.PersistentVolume) []string { return warnOfPersistentVolume(next) },
	Row:            persistentVolumeRow,
	// Clients use "name" as a field selector.
	SelectableFields: func(o *corev1.PersistentVolume) fields.Set { return fields.Set{"name": o.GetName()} },
})

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolume
func defaultPersistentVolume(v *corev1.PersistentVolume) {
	if v.Status.Phase == "" {
		v.Status.Phase = corev1.VolumePending
	}
	if v.Spec.PersistentVolumeReclaimPolicy == "" {
		v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimRetain
	}
	kind.SetDefault(&v.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	kind.RoundUp(v.Spec.Capacity)
	volume.DefaultPersistent(&v.Spec.PersistentVolumeSource)
}

// preparePersistentVolumeCreate sets the first phase of a new volume.
func preparePersistentVolumeCreate(v *corev1.PersistentVolume) {
	since := v.CreationTimestamp
	v.Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending, LastPhaseTransitionTime: &since}
}

// setTransitionTime sets the time of the last transition to now if a client changes the phase and not
// the time. If it changes neither, and sends no time, the time stays.
//
// Source: kubernetes v1.36 pkg/registry/core/persistentvolume/strategy.go, persistentvolumeStatusStrategy.PrepareForUpdate
func setTransitionTime(v, was *corev1.PersistentVolume, now time.Time) {
	since := v.Status.LastPhaseTransitionTime
	switch moved := v.Status.Phase != was.Status.Phase; {
	case !moved && since == nil:
		v.Status.LastPhaseTransitionTime = was.Status.LastPhaseTransitionTime.DeepCopy()
	case moved && (since == nil || since.Equal(was.Status.LastPhaseTransitionTime)):
		v.Status.LastPhaseTransitionTime = &metav1.Time{Time: now.Truncate(time.Second)}
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolume, and pkg/volume/validation
func validatePersistentVolume(v *corev1.PersistentVolume) field.ErrorList {
	errs := check.Meta(&v.ObjectMeta, false, validation.NameIsDNSSubdomain)
	errs = append(errs, volume.ValidatePersistent(&v.Spec, volume.Judgement{Name: v.Name}, field.NewPath("spec"))...)
	return append(errs, validateMountAnnotation(v)...)
}

// validateMountAnnotation checks that only types of volumes that support mount options have the old
// annotation for them.
func validateMountAnnotation(v *corev1.PersistentVolume) field.ErrorList {
	s := &v.Spec.PersistentVolumeSource
	if _, has := v.Annotations[corev1.MountOptionAnnotation]; !has ||
		s.GCEPersistentDisk != nil || s.AWSElasticBlockStore != nil || s.Glusterfs != nil || s.NFS != nil || s.RBD != nil ||
		s.Quobyte != nil || s.ISCSI != nil || s.Cinder != nil || s.CephFS != nil || s.AzureFile != nil || s.VsphereVolume != nil ||
		s.AzureDisk != nil || s.PhotonPersistentDisk != nil {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("metadata", "annotations", corev1.MountOptionAnnotation),
		"may not specify mount options for this volume type")}
}

// validatePersistentVolumeUpdate validates an update. A volume's source, mode and node affinity are
// immutable, except the reference to a secret for expansion, which can be set once, and labels that
// get their new names.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeUpdate
//
// Differs: upstream validates the spec twice and lists its errors twice among the causes; here each is
// listed once.
func validatePersistentVolumeUpdate(v, was *corev1.PersistentVolume) field.ErrorList {
	errs := validatePersistentVolume(v)

	source := &v.Spec.PersistentVolumeSource
	if source.CSI != nil && source.CSI.ControllerExpandSecretRef != nil && was.Spec.CSI != nil && was.Spec.CSI.ControllerExpandSecretRef == nil {
		source = source.DeepCopy()
		source.CSI.ControllerExpandSecretRef = nil
	}
	if !equality.Semantic.DeepEqual(*source, was.Spec.PersistentVolumeSource) {
		detail := "spec.persistentvolumesource is immutable after creation\n"
		if source.Size()+was.Spec.PersistentVolumeSource.Size() <= check.MaxDiffBytes {
			detail += diff.Diff(check.Untagged(was.Spec.PersistentVolumeSource), check.Untagged(*source))
		}
		errs = append(errs, field.Forbidden(field.NewPath("spec", "persistentvolumesource"), detail))
	}
	errs = append(errs, validation.ValidateImmutableField(v.Spec.VolumeMode, was.Spec.VolumeMode, field.NewPath("volumeMode"))...)
	if was.Spec.NodeAffinity != nil && !sameVolumeAffinity(v.Spec.NodeAffinity, was.Spec.NodeAffinity) {
		errs = append(errs, field.Invalid(field.NewPath("nodeAffinity"), check.Untagged(v.Spec.NodeAffinity),
			validation.FieldImmutableErrorMsg+", except for updating from beta label to GA"))
	}
	if was.Spec.VolumeAttributesClassName != nil && v.Spec.VolumeAttributesClassName == nil {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "volumeAttributesClassName"), "update from non-nil value to nil is forbidden"))
	}
	return errs
}

// newerLabels maps deprecated labels of nodes to the labels that replace them.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, betaToGALabel
var newerLabels = map[string]string{
	corev1.LabelFailureDomainBetaZone:   corev1.LabelTopologyZone,
	corev1.LabelFailureDomainBetaRegion: corev1.LabelTopologyRegion,
	corev1.LabelInstanceType:            corev1.LabelInstanceTypeStable,
	"beta.kubernetes.io/os":             corev1.LabelOSStable,
	"beta.kubernetes.io/arch":           corev1.LabelArchStable,
}

// sameVolumeAffinity compares two affinities, treating a label's new name as equal to its old one.
func sameVolumeAffinity(next, old *corev1.VolumeNodeAffinity) bool {
	if next == nil || next.Required == nil || old.Required == nil || len(next.Required.NodeSelectorTerms) != len(old.Required.NodeSelectorTerms) {
		return equality.Semantic.DeepEqual(next, old)
	}
	masked := next.DeepCopy()
	for i := range masked.Required.NodeSelectorTerms {
		is, was := masked.Required.NodeSelectorTerms[i].MatchExpressions, old.Required.NodeSelectorTerms[i].MatchExpressions
		for j := range is {
			if j < len(was) && newerLabels[was[j].Key] == is[j].Key {
				is[j].Key = was[j].Key
			}
		}
	}
	return equality.Semantic.DeepEqual(masked, old)
}

// Source: kubernetes v1.36 pkg/api/persistentvolume/util.go, warningsForPersistentVolumeSpecAndMeta
func warnOfPersistentVolume(v *corev1.PersistentVolume) (warnings []string) {
	warn := func(path *field.Path, text string) { warnings = append(warnings, fmt.Sprintf("%s: %s", path, text)) }
	annotations, spec := field.NewPath("metadata", "annotations"), field.NewPath("spec")
	if _, has := v.Annotations[corev1.BetaStorageClassAnnotation]; has {
		warn(annotations.Key(corev1.BetaStorageClassAnnotation), `deprecated since v1.8; use "storageClassName" attribute instead`)
	}
	if _, has := v.Annotations[corev1.MountOptionAnnotation]; has {
		warn(annotations.Key(corev1.MountOptionAnnotation), `deprecated since v1.31; use "mountOptions" attribute instead`)
	}
	if v.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRecycle {
		warn(spec.Child("persistentVolumeReclaimPolicy"),
			"The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
	}
	if a := v.Spec.NodeAffinity; a != nil && a.Required != nil {
		for i := range a.Required.NodeSelectorTerms {
			at := spec.Child("nodeAffinity", "required", "nodeSelectorTerms").Index(i)
			warnings = append(warnings, check.WarnOfNodeTerm(&a.Required.NodeSelectorTerms[i], at)...)
		}
	}
	for _, old := range []struct {
		name, text string
		has        bool
	}{
		{"cephfs", "deprecated in v1.28, non-functional in v1.31+", v.Spec.CephFS != nil},
		{"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+", v.Spec.PhotonPersistentDisk != nil},
		{"scaleIO", "deprecated in v1.16, non-functional in v1.22+", v.Spec.ScaleIO != nil},
		{"storageOS", "deprecated in v1.22, non-functional in v1.25+", v.Spec.StorageOS != nil},
		{"glusterfs", "deprecated in v1.25, non-functional in v1.26+", v.Spec.Glusterfs != nil},
		{"rbd", "deprecated in v1.28, non-functional in v1.31+", v.Spec.RBD != nil},
	} {
		if old.has {
			warn(spec.Child(old.name), old.text)
		}
	}
	return warnings
}

// ClassOfVolume returns the name of a volume's class, "" if there is none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/storage/volume/helpers.go, GetPersistentVolumeClass
func ClassOfVolume(v *corev1.PersistentVolume) string {
	if class, has := v.Annotations[corev1.BetaStorageClassAnnotation]; has {
		return class
	}
	return v.Spec.StorageClassName
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPersistentVolume
func persistentVolumeRow(v *corev1.PersistentVolume, now time.Time) []any {
	claim := ""
	if ref := v.Spec.ClaimRef; ref != nil {
		claim = ref.Namespace + "/" + ref.Name
	}
	size := v.Spec.Capacity[corev1.ResourceStorage]
	phase := string(v.Status.Phase)
	if v.DeletionTimestamp != nil {
		phase = "Terminating"
	}
	return []any{
		v.Name, size.String(), accessModesCell(v.Spec.AccessModes), string(v.Spec.PersistentVolumeReclaimPolicy), phase, claim,
		ClassOfVolume(v), orUnset(v.Spec.VolumeAttributesClassName), v.Status.Reason, kind.Age(v.CreationTimestamp, now), orUnset(v.Spec.VolumeMode),
	}
}

func orUnset[T ~string](s *T) string {
	if s == nil {
		return "<unset>"
	}
	return string(*s)
}

// accessModesCell prints access modes: "RWO,ROX".
//
// Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go, GetAccessModesAsString
func accessModesCell(modes []corev1.PersistentVolumeAccessMode) string {
	var list []string
	for _, short := range []struct {
		mode corev1.PersistentVolumeAccessMode
		text string
	}{{corev1.ReadWriteOnce, "RWO"}, {corev1.ReadOnlyMany, "ROX"}, {corev1.ReadWriteMany, "RWX"}, {corev1.ReadWriteOncePod, "RWOP"}} {
		for _, m := range modes {
			if m == short.mode {
				list = append(list, short.text)
				break
			}
		}
	}
	return strings.Join(list, ",")
}
