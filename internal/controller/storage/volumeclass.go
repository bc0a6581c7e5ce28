package storage

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewVolumeClass makes the controller that wakes the PersistentVolumeClaims that wait for a class,
// and releases VolumeAttributesClasses.
func NewVolumeClass(world.World) engine.Controller {
	return engine.Controller{
		Name: names.VolumeClass, UserAgent: "persistent-volume-binder", Primary: "volumeattributesclasses.storage.k8s.io",
		Others: []string{"storageclasses.storage.k8s.io"}, Batch: 16,
		Reconcile: gather.Each(syncVolumeClass),
		Sources: []wakeup.Source{
			wakeup.For(&storage.VolumeAttributesClass.Type, wakeup.NotBy(names.VolumeClass)),
			wakeup.For(&storage.StorageClass.Type, storageClassChanged),
			wakeup.Watches(&core.PersistentVolumeClaim.Type, classReleasedByClaim),
			wakeup.Watches(&core.PersistentVolume.Type, classReleasedByVolume),
		},
	}
}

func storageClassChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*storagev1.StorageClass)
	class, _ := d.New.(*storagev1.StorageClass)
	return old == nil || !equality.Semantic.DeepEqual(old.Annotations, class.Annotations) ||
		!equality.Semantic.DeepEqual(old.AllowedTopologies, class.AllowedTopologies)
}

func classReleasedByClaim(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.PersistentVolumeClaim)
	claim, _ := d.New.(*corev1.PersistentVolumeClaim)
	if old == nil {
		return wakes
	}
	var now *string
	if claim != nil {
		now = claim.Spec.VolumeAttributesClassName
	}
	return classReleased(wakes, old.Spec.VolumeAttributesClassName, now)
}

func classReleasedByVolume(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.PersistentVolume)
	volume, _ := d.New.(*corev1.PersistentVolume)
	if old == nil {
		return wakes
	}
	var now *string
	if volume != nil {
		now = volume.Spec.VolumeAttributesClassName
	}
	return classReleased(wakes, old.Spec.VolumeAttributesClassName, now)
}

// classReleased asks for a VolumeAttributesClass that an object no longer names, if the class waits
// for that.
func classReleased(wakes []wakeup.Wake, old, now *string) []wakeup.Wake {
	if old == nil || *old == "" || now != nil && *now == *old {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: "volumeattributesclasses.storage.k8s.io", Name: *old, OnlyTerminating: true})
}

// syncVolumeClass has the PersistentVolumeClaims synced that wait for a class, and releases a
// VolumeAttributesClass that nothing names any more.
//
// Cost: the PersistentVolumeClaims that wait for the class, or name it.
func syncVolumeClass(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) (p plan.Plan) {
	wake := func(claim *object.Version) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: names.PersistentVolumeClaim, Object: claim.Object()})
	}
	switch class := o.Object().(type) {
	case *storagev1.StorageClass:
		v.EachIn(mirror.UnboundClaims, class.Name, wake)
		if storage.IsDefaultStorageClass(class) {
			v.EachIn(mirror.UnboundClaims, "", wake)
		}
	case *storagev1.VolumeAttributesClass:
		used := v.EachIn(mirror.ClaimsByAttributes, class.Name, wake)+v.EachIn(mirror.VolumesByAttributes, class.Name, nil) > 0
		if class.DeletionTimestamp == nil {
			return p
		}
		return persistentvolume.ReleaseAttributes(class, used)
	}
	return p
}
