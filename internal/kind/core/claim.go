package core

import (
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/limitrange"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/object"
)

// PersistentVolumeClaim is core/v1 PersistentVolumeClaim.
//
// Source: kubernetes v1.36 pkg/registry/core/persistentvolumeclaim/strategy.go; the default class and
// the finalizer: plugin/pkg/admission/storage
var PersistentVolumeClaim = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "PersistentVolumeClaim", Plural: "persistentvolumeclaims", Namespaced: true,
		New: func() object.Object { return &corev1.PersistentVolumeClaim{} },
	},
	Singular:   "persistentvolumeclaim",
	ShortNames: []string{"pvc"},
	NewList:    func() runtime.Object { return &corev1.PersistentVolumeClaimList{} },

	Default: volume.DefaultClaim,
	Admission: []kind.Plugin{
		{Name: "LimitRanger", Waits: true, Validate: limitrange.Deny, ValidateUpdate: limitClaimUpdate},
		{Name: "DefaultStorageClass", Waits: true, Mutate: defaultClassOfClaim},
		volume.InUseProtection(ClaimProtection),
		{Name: "PersistentVolumeClaimResize", Waits: true, ValidateUpdate: denyExpansion},
	},
	Status: kind.Through(kind.Write[*corev1.PersistentVolumeClaim]{
		Prepare: func(next, old *corev1.PersistentVolumeClaim) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateClaimStatus,
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Status", Type: "string", Description: corev1.PersistentVolumeClaimStatus{}.SwaggerDoc()["phase"]},
		{Name: "Volume", Type: "string", Description: corev1.PersistentVolumeClaimSpec{}.SwaggerDoc()["volumeName"]},
		{Name: "Capacity", Type: "string", Description: corev1.PersistentVolumeClaimStatus{}.SwaggerDoc()["capacity"]},
		{Name: "Access Modes", Type: "string", Description: corev1.PersistentVolumeClaimStatus{}.SwaggerDoc()["accessModes"]},
		{Name: "StorageClass", Type: "string", Description: "StorageClass of the pvc"},
		{Name: "VolumeAttributesClass", Type: "string", Description: "VolumeAttributesClass of the pvc"},
		kind.AgeColumn,
		{Name: "VolumeMode", Type: "string", Priority: 1, Description: corev1.PersistentVolumeClaimSpec{}.SwaggerDoc()["volumeMode"]},
	},
	UnconditionalUpdate: true,
	Quota:               claimMeasure,
}, kind.Functions[*corev1.PersistentVolumeClaim]{
	PrepareCreate: prepareClaimCreate,
	PrepareUpdate: func(c, was *corev1.PersistentVolumeClaim) {
		c.Status = *was.Status.DeepCopy()
		tidyDataSources(&c.Spec, &was.Spec)
	},
	Validate: func(o *corev1.PersistentVolumeClaim) field.ErrorList {
		return validateClaim(o, volume.ClaimOptions{})
	},
	ValidateUpdate: validateClaimUpdate,
	Warnings:       func(next, _ *corev1.PersistentVolumeClaim) []string { return warnOfClaim(next) },
	Row:            claimRow,
	// Clients use "name" as a field selector.
	SelectableFields: func(o *corev1.PersistentVolumeClaim) fields.Set { return fields.Set{"name": o.GetName()} },
})

// defaultClassOfClaim sets the default class of a new claim that has no class, not even "".
//
// Source: kubernetes v1.36 plugin/pkg/admission/storage/storageclass/setdefault/admission.go, Admit
func defaultClassOfClaim(o object.Object, c kind.Cluster) error {
	claim := o.(*corev1.PersistentVolumeClaim)
	if HasClass(claim) {
		return nil
	}
	if class := storage.DefaultStorageClass(c); class != nil {
		claim.Spec.StorageClassName = new(class.Name)
	}
	return nil
}

// HasClass reports whether a claim has a class, which may be "".
func HasClass(c *corev1.PersistentVolumeClaim) bool {
	_, has := c.Annotations[corev1.BetaStorageClassAnnotation]
	return has || c.Spec.StorageClassName != nil
}

// ClassOfClaim returns the name of a claim's class, "" if there is none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/storage/volume/helpers.go, GetPersistentVolumeClaimClass
func ClassOfClaim(c *corev1.PersistentVolumeClaim) string {
	if class, has := c.Annotations[corev1.BetaStorageClassAnnotation]; has {
		return class
	}
	if c.Spec.StorageClassName != nil {
		return *c.Spec.StorageClassName
	}
	return ""
}

func prepareClaimCreate(c *corev1.PersistentVolumeClaim) {
	c.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
	tidyDataSources(&c.Spec, nil)
}

// tidyDataSources removes unsupported data sources, in place, and makes dataSource and
// dataSourceRef agree. old is nil at creation.
//
// Source: kubernetes v1.36 pkg/api/persistentvolumeclaim/util.go, DropDisabledFields, EnforceDataSourceBackwardsCompatibility and
// NormalizeDataSources
func tidyDataSources(s, old *corev1.PersistentVolumeClaimSpec) {
	if ref := s.DataSourceRef; ref != nil && ref.Namespace != nil && *ref.Namespace != "" && (old == nil || old.DataSourceRef == nil) {
		s.DataSourceRef = nil // other namespaces are not supported
	}
	had := old != nil && (old.DataSource != nil || old.DataSourceRef != nil)
	if !had && s.DataSourceRef == nil && !isClaimOrSnapshot(s.DataSource) {
		s.DataSource = nil
	}
	switch from, ref := s.DataSource, s.DataSourceRef; {
	case from != nil && ref == nil:
		s.DataSourceRef = &corev1.TypedObjectReference{APIGroup: from.APIGroup, Kind: from.Kind, Name: from.Name}
	case from == nil && ref != nil && (ref.Namespace == nil || *ref.Namespace == ""):
		s.DataSource = &corev1.TypedLocalObjectReference{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
	}
}

func isClaimOrSnapshot(from *corev1.TypedLocalObjectReference) bool {
	if from == nil {
		return false
	}
	group := ""
	if from.APIGroup != nil {
		group = *from.APIGroup
	}
	return from.Kind == "PersistentVolumeClaim" && group == "" || from.Kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io"
}

// limitClaimUpdate checks a claim that is not being deleted against the LimitRanges of its
// namespace.
func limitClaimUpdate(next, old object.Object, c kind.Cluster) error {
	if old.GetDeletionTimestamp() != nil {
		return nil
	}
	return limitrange.Deny(next, c)
}

// denyExpansion rejects the expansion of a claim that is not bound or whose class does not allow
// it.
//
// Source: kubernetes v1.36 plugin/pkg/admission/storage/persistentvolume/resize/admission.go, Validate
func denyExpansion(next, old object.Object, c kind.Cluster) error {
	claim, was := next.(*corev1.PersistentVolumeClaim), old.(*corev1.PersistentVolumeClaim)
	size, before := claim.Spec.Resources.Requests[corev1.ResourceStorage], was.Spec.Resources.Requests[corev1.ResourceStorage]
	if size.Cmp(before) <= 0 {
		return nil
	}
	if was.Status.Phase != corev1.ClaimBound {
		return errors.New("Only bound persistent volume claims can be expanded") //nolint:staticcheck // upstream's text
	}
	if name := ClassOfClaim(claim); name != "" && name == ClassOfClaim(was) {
		class, ok := kind.Found[*storagev1.StorageClass](c, storage.StorageClass.Resource(), "", name)
		if ok && class.AllowVolumeExpansion != nil && *class.AllowVolumeExpansion {
			return nil
		}
	}
	return errors.New("only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize")
}

// Source: kubernetes v1.36 pkg/api/persistentvolumeclaim/util.go, GetWarningsForPersistentVolumeClaim
func warnOfClaim(c *corev1.PersistentVolumeClaim) (warnings []string) {
	if _, has := c.Annotations[corev1.BetaStorageClassAnnotation]; has {
		at := field.NewPath("metadata", "annotations").Key(corev1.BetaStorageClassAnnotation)
		warnings = append(warnings, fmt.Sprintf(`%s: deprecated since v1.8; use "storageClassName" attribute instead`, at))
	}
	return append(warnings, volume.WarnOfClaim(&c.Spec, field.NewPath("spec"))...)
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPersistentVolumeClaim
func claimRow(c *corev1.PersistentVolumeClaim, now time.Time) []any {
	phase, size, modes := string(c.Status.Phase), "", ""
	if c.DeletionTimestamp != nil {
		phase = "Terminating"
	}
	if c.Spec.VolumeName != "" {
		q := c.Status.Capacity[corev1.ResourceStorage]
		size, modes = q.String(), accessModesCell(c.Status.AccessModes)
	}
	return []any{
		c.Name, phase, c.Spec.VolumeName, size, modes, ClassOfClaim(c), orUnset(c.Spec.VolumeAttributesClassName),
		kind.Age(c.CreationTimestamp, now), orUnset(c.Spec.VolumeMode),
	}
}
