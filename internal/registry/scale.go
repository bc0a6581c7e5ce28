package registry

import (
	"fmt"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// ScaleKind is the kind of the subresource scale.
var ScaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// ScaleOf returns the scale of an object of the kind.
func ScaleOf(k *kind.Kind, o object.Object) *autoscalingv1.Scale {
	s := k.Scale.Get(o)
	s.SetGroupVersionKind(ScaleKind)
	return s
}

// LiveScale returns the scale of an object of the kind, with the owner of its replicas.
func LiveScale(k *kind.Kind, o object.Object) (*autoscalingv1.Scale, error) {
	s := ScaleOf(k, o)
	var err error
	s.ManagedFields, err = fieldmanager.ScaleFields(&k.Type, o.GetManagedFields())
	return s, err
}

// OwnScale records, in scale, that the manager owns what it changes in the live one.
func OwnScale(scale, live *autoscalingv1.Scale, manager string, now time.Time) error {
	return fieldmanager.Updated(fieldmanager.ScaleType, scale, live, ScaleWriter(manager, now))
}

// ScaleWriter returns the writer of a scale for the field manager.
func ScaleWriter(manager string, now time.Time) fieldmanager.Writer {
	return fieldmanager.Writer{Manager: manager, Subresource: "scale", At: now}
}

// Scale validates the requested scale of an object of the kind, and returns a copy of the object
// with its replicas and their owner, for Update. Errors: *Invalid, *Conflict, and bad requests.
//
// Source: kubernetes v1.36 pkg/registry/apps/deployment/storage/storage.go, scaleUpdatedObjectInfo
func Scale(k *kind.Kind, scale *autoscalingv1.Scale, old object.Object) (object.Object, error) {
	if err := checkScale(k, scale, old); err != nil {
		return nil, err
	}
	next := old.DeepCopyObject().(object.Object)
	if scale.ResourceVersion != "" {
		next.SetResourceVersion(scale.ResourceVersion)
	}
	k.Scale.Set(next, scale.Spec.Replicas)
	entries, err := fieldmanager.ScaledFields(&k.Type, next.GetManagedFields(), scale.ManagedFields)
	next.SetManagedFields(entries)
	return next, err
}

// Resized returns a copy of an object of the kind with this many replicas, as a controller scales
// it, without validation.
func Resized(k *kind.Kind, old object.Object, replicas int32) object.Object {
	next := old.DeepCopyObject().(object.Object)
	k.Scale.Set(next, replicas)
	if k.PrepareUpdate != nil {
		k.PrepareUpdate(next, old)
	}
	return next
}

// checkScale validates a scale.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, ValidateScale, and of a custom resource
// staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/etcd.go, scaleUpdatedObjectInfo.UpdatedObject
func checkScale(k *kind.Kind, scale *autoscalingv1.Scale, old object.Object) error {
	if err := MatchNamespace(scale, old.GetNamespace()); err != nil {
		return err
	}
	if err := MatchName(scale, old.GetName()); err != nil {
		return err
	}
	if scale.UID != "" && scale.UID != old.GetUID() {
		resource := k.GroupResource()
		resource.Resource += "/scale"
		return &Conflict{Resource: resource, Name: old.GetName(),
			Err: fmt.Errorf("Precondition failed: UID in precondition: %s, UID in object meta: %s", scale.UID, old.GetUID())} //nolint:staticcheck // upstream's words
	}
	if k.Custom != nil { // the object's update judges its replicas
		return nil
	}
	errs := validateMeta(scale, true)
	if n := scale.Spec.Replicas; n < 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "replicas"), n, "must be greater than or equal to 0"))
	}
	if len(errs) > 0 {
		return &Invalid{Kind: ScaleKind.GroupKind(), Name: scale.Name, Errors: errs}
	}
	return nil
}
