package storage

import (
	"math"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	volumekind "github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/object"
)

// VolumeAttachment is storage.k8s.io/v1 VolumeAttachment: a request to attach a volume to a node,
// and its status.
//
// Source: kubernetes v1.36 pkg/registry/storage/volumeattachment/strategy.go
var VolumeAttachment = kind.Define(kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "VolumeAttachment", Plural: "volumeattachments",
		New: func() object.Object { return &storagev1.VolumeAttachment{} },
	},
	Singular: "volumeattachment",
	NewList:  func() runtime.Object { return &storagev1.VolumeAttachmentList{} },

	ValidateUpdate: validateAttachmentUpdate,
	Status: &kind.Subresource{
		Prepare: func(next, old object.Object) {
			a, was := next.(*storagev1.VolumeAttachment), old.(*storagev1.VolumeAttachment)
			a.Spec = *was.Spec.DeepCopy()
			metav1.ResetObjectMetaForStatus(&a.ObjectMeta, was.ObjectMeta.DeepCopy())
		},
		Validate: validateAttachmentUpdate,
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Attacher", Type: "string", Format: "name", Description: storagev1.VolumeAttachmentSpec{}.SwaggerDoc()["attacher"]},
		{Name: "PV", Type: "string", Description: storagev1.VolumeAttachmentSource{}.SwaggerDoc()["persistentVolumeName"]},
		{Name: "Node", Type: "string", Description: storagev1.VolumeAttachmentSpec{}.SwaggerDoc()["nodeName"]},
		{Name: "Attached", Type: "boolean", Description: storagev1.VolumeAttachmentStatus{}.SwaggerDoc()["attached"]},
		kind.AgeColumn,
	},
}, kind.Functions[*storagev1.VolumeAttachment]{
	Default: func(o *storagev1.VolumeAttachment) {
		if s := o.Spec.Source.InlineVolumeSpec; s != nil {
			kind.RoundUp(s.Capacity)
			volumekind.DefaultPersistent(&s.PersistentVolumeSource)
		}
	},
	PrepareCreate: func(o *storagev1.VolumeAttachment) {
		o.Status = storagev1.VolumeAttachmentStatus{}
	},
	PrepareUpdate: func(next, old *storagev1.VolumeAttachment) {
		next.Status = *old.Status.DeepCopy()
	},
	Validate: validateAttachment,
	Row: func(o *storagev1.VolumeAttachment, now time.Time) []any {
		a, volume := o, ""
		if name := a.Spec.Source.PersistentVolumeName; name != nil {
			volume = *name
		}
		return []any{a.Name, a.Spec.Attacher, volume, a.Spec.NodeName, a.Status.Attached, kind.Age(a.CreationTimestamp, now)}
	},
})

const (
	// maxAttachmentBytes is the maximum total length of an attachment's metadata,
	// maxVolumeErrorBytes that of an error.
	maxAttachmentBytes  = 256 << 10
	maxVolumeErrorBytes = 1024
)

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateVolumeAttachment
func validateAttachment(a *storagev1.VolumeAttachment) field.ErrorList {
	errs := check.Meta(&a.ObjectMeta, false, validation.NameIsDNSSubdomain)
	spec := field.NewPath("spec")
	errs = append(errs, check.DriverName(a.Spec.Attacher, spec.Child("attacher"))...)
	errs = append(errs, validateAttachmentSource(&a.Spec.Source, spec.Child("source"))...)
	errs = append(errs, check.Invalid(spec.Child("nodeName"), a.Spec.NodeName, validation.NameIsDNSSubdomain(a.Spec.NodeName, false))...)
	errs = append(errs, validateAttachmentStatus(&a.Status, field.NewPath("status"))...)
	if name := a.Spec.Source.PersistentVolumeName; name != nil {
		errs = append(errs, check.Invalid(field.NewPath("spec.source.persistentVolumeName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
	}
	return errs
}

func validateAttachmentUpdate(next, old object.Object) field.ErrorList {
	a, was := next.(*storagev1.VolumeAttachment), old.(*storagev1.VolumeAttachment)
	return append(validateAttachment(a), check.Same(a.Spec, was.Spec, field.NewPath("spec"))...)
}

func validateAttachmentSource(s *storagev1.VolumeAttachmentSource, path *field.Path) field.ErrorList {
	const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
	switch {
	case s.InlineVolumeSpec == nil && s.PersistentVolumeName == nil:
		return field.ErrorList{field.Required(path, one)}
	case s.InlineVolumeSpec != nil && s.PersistentVolumeName != nil:
		return field.ErrorList{field.Forbidden(path, one)}
	case s.InlineVolumeSpec != nil:
		return volumekind.ValidatePersistent(s.InlineVolumeSpec, volumekind.Judgement{Inline: true}, path.Child("inlineVolumeSpec"))
	case *s.PersistentVolumeName == "":
		return field.ErrorList{field.Required(path.Child("persistentVolumeName"), "must specify non empty persistentVolumeName")}
	}
	return nil
}

func validateAttachmentStatus(s *storagev1.VolumeAttachmentStatus, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	bytes := 0
	for key, value := range s.AttachmentMetadata {
		bytes += len(key) + len(value)
	}
	if bytes > maxAttachmentBytes {
		errs = append(errs, field.TooLong(path.Child("attachmentMetadata"), "", maxAttachmentBytes))
	}
	errs = append(errs, validateVolumeError(s.AttachError, path.Child("attachError"))...)
	return append(errs, validateVolumeError(s.DetachError, path.Child("detachError"))...)
}

// validateVolumeError limits the length of a message. As upstream, the error names another limit.
func validateVolumeError(e *storagev1.VolumeError, path *field.Path) field.ErrorList {
	if e == nil {
		return nil
	}
	var errs field.ErrorList
	if len(e.Message) > maxVolumeErrorBytes {
		errs = append(errs, field.TooLong(path.Child("message"), "", maxAttachmentBytes))
	}
	if e.ErrorCode != nil && *e.ErrorCode < 0 {
		errs = append(errs, field.Invalid(path.Child("errorCode"), *e.ErrorCode, utilvalidation.InclusiveRangeError(0, math.MaxInt32)))
	}
	return errs
}
