package storage

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewPersistentVolume makes the controller that reclaims and deletes PersistentVolumes.
//
// Cost: the volume's PersistentVolumeClaim, that one's Pods, and the volume's files if they are
// removed; a free volume wakes the PersistentVolumeClaims of its class that have none.
func NewPersistentVolume(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.PersistentVolume, UserAgent: "persistent-volume-binder", Primary: "persistentvolumes", Batch: 64,
		Reconcile: reclaims(controllers(w).syncVolume), Places: placesOfVolume,
		Sources: []wakeup.Source{
			wakeup.For(&core.PersistentVolume.Type),
			wakeup.Watches(&core.PersistentVolumeClaim.Type, volumeOfClaim),
		},
	}
}

// volumeOfClaim asks for the volume that belongs or belonged to a PersistentVolumeClaim. The plan
// for a PersistentVolumeClaim changes the volume too, if necessary.
func volumeOfClaim(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Controller == names.PersistentVolumeClaim && d.New != nil {
		return wakes
	}
	old, _ := d.Old.(*corev1.PersistentVolumeClaim)
	claim, _ := d.New.(*corev1.PersistentVolumeClaim)
	for _, c := range []*corev1.PersistentVolumeClaim{old, claim} {
		if c != nil && c.Spec.VolumeName != "" {
			return append(wakes, wakeup.Wake{Resource: "persistentvolumes", Name: c.Spec.VolumeName})
		}
	}
	return wakes
}

// syncVolume advances a volume. A free volume, or one reserved for a PersistentVolumeClaim, may be
// what PersistentVolumeClaims wait for.
func (w controllers) syncVolume(v mirror.View, o *object.Version, files []plan.File, now time.Time) plan.Plan {
	volume := o.Object().(*corev1.PersistentVolume)
	s := persistentvolume.VolumeSnapshot{Volume: volume, Files: files, Now: now}
	if ref := volume.Spec.ClaimRef; ref != nil {
		if claim := v.Get(object.Key{Resource: "persistentvolumeclaims", Namespace: ref.Namespace, Name: ref.Name}); claim != nil {
			s.Claim = claim.Object().(*corev1.PersistentVolumeClaim)
		}
		s.Pods = gather.Typed[*corev1.Pod](v, mirror.PodsByClaim, ref.Namespace+"/"+ref.Name)
	}
	p := persistentvolume.ReconcileVolume(s)
	if len(p.Updates) > 0 || volume.DeletionTimestamp != nil {
		return p // it is synced again afterwards
	}
	wake := func(claim object.Object) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: names.PersistentVolumeClaim, Object: claim})
	}
	switch {
	case volume.Spec.ClaimRef == nil && volume.Status.Phase == corev1.VolumeAvailable:
		v.EachIn(mirror.UnboundClaims, core.ClassOfVolume(volume), func(claim *object.Version) { wake(claim.Object()) })
	case s.Claim != nil && !volumestate.FullyBound(s.Claim):
		wake(s.Claim)
	}
	return p
}

// reclaims makes a Reconcile from a function for one volume and its files.
func reclaims(
	f func(v mirror.View, o *object.Version, files []plan.File, now time.Time) plan.Plan,
) func(mirror.View, []engine.Request, time.Time) []engine.Planned {
	return func(v mirror.View, requests []engine.Request, now time.Time) []engine.Planned {
		planned := make([]engine.Planned, 0, len(requests))
		for _, request := range requests {
			if o := v.UID(request.UID); o != nil {
				planned = append(planned, engine.Planned{UID: request.UID, Plan: f(v, o, request.Files, now)})
			}
		}
		return planned
	}
}

// placesOfVolume returns the place of a volume that must be emptied when its PersistentVolumeClaim
// is gone.
func placesOfVolume(_ mirror.View, o *object.Version) []store.Place {
	volume, ok := o.Object().(*corev1.PersistentVolume)
	if !ok || volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain || volume.Spec.ClaimRef == nil {
		return nil
	}
	node, path := volumestate.Place(volume, "")
	if node == "" {
		return nil
	}
	return []store.Place{{Node: node, Path: path}}
}
