package controller

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/ephemeralvolume"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/store"
)

// lookAtClaim brings a claim forward. Once there is nothing more to be done about it, Pods that may wait for what it has become are
// looked at: by then the claim is as they will see it, so that none is forgotten that has come meanwhile.
func (w World) lookAtClaim(v mirror.View, o *object.Version, look engine.Look, now time.Time) func(*plan.Refusal) plan.Plan {
	claim := o.Object().(*corev1.PersistentVolumeClaim)
	key := claim.Namespace + "/" + claim.Name
	s := persistentvolume.ClaimSnapshot{Claim: claim, Memory: look.Memory, Now: now, Pods: typed[*corev1.Pod](v, mirror.PodsByClaim, key)}
	class := kind.ClassOfClaim(claim)
	s.Class = byName[*storagev1.StorageClass](v, kind.StorageClass, class)
	s.Attributes = byName[*storagev1.VolumeAttributesClass](v, kind.VolumeAttributesClass, volumestate.Deref(claim.Spec.VolumeAttributesClassName))
	s.Volume = byName[*corev1.PersistentVolume](v, kind.PersistentVolume, claim.Spec.VolumeName)
	s.Node = byName[*corev1.Node](v, kind.Node, claim.Annotations[volumestate.SelectedNode])
	if claim.Spec.VolumeName == "" {
		s.Volumes = append(typed[*corev1.PersistentVolume](v, mirror.VolumesByClaim, key), typed[*corev1.PersistentVolume](v, mirror.FreeVolumes, class)...)
		if !kind.HasClass(claim) {
			s.Default = kind.DefaultStorageClass(v)
		}
	}
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		p := persistentvolume.ReconcileClaim(s)
		if slices.ContainsFunc(p.Updates, func(u plan.Update) bool { return u.Object.GetUID() == claim.UID }) {
			return p // after which it is looked at again
		}
		for _, pod := range s.Pods {
			switch {
			case pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed:
			case pod.Spec.NodeName == "":
				p.Wakes = append(p.Wakes, plan.Wake{Controller: Scheduler, Object: pod})
			case pod.Status.PodIP == "":
				p.Wakes = append(p.Wakes, plan.Wake{Controller: Kubelet, Object: pod})
			}
		}
		return p
	}
}

// byName is a cluster-scoped object by its name; nil if there is none.
func byName[T object.Object](v mirror.View, k *kind.Kind, name string) (none T) {
	if name == "" {
		return none
	}
	o := v.Get(object.Key{Resource: k.Resource(), Name: name})
	if o == nil {
		return none
	}
	return o.Object().(T)
}

// lookAtVolume brings a volume forward. One that is free, or set aside for a claim, may be what claims wait for.
func (w World) lookAtVolume(v mirror.View, o *object.Version, files []plan.File, now time.Time) plan.Plan {
	volume := o.Object().(*corev1.PersistentVolume)
	s := persistentvolume.VolumeSnapshot{Volume: volume, Files: files, Now: now}
	if ref := volume.Spec.ClaimRef; ref != nil {
		if claim := v.Get(object.Key{Resource: "persistentvolumeclaims", Namespace: ref.Namespace, Name: ref.Name}); claim != nil {
			s.Claim = claim.Object().(*corev1.PersistentVolumeClaim)
		}
		s.Pods = typed[*corev1.Pod](v, mirror.PodsByClaim, ref.Namespace+"/"+ref.Name)
	}
	p := persistentvolume.ReconcileVolume(s)
	if len(p.Updates) > 0 || volume.DeletionTimestamp != nil {
		return p // after which it is looked at again
	}
	wake := func(claim object.Object) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: PersistentVolumeClaim, Object: claim})
	}
	switch {
	case volume.Spec.ClaimRef == nil && volume.Status.Phase == corev1.VolumeAvailable:
		v.EachIn(mirror.UnboundClaims, kind.ClassOfVolume(volume), func(claim *object.Version) { wake(claim.Object()) })
	case s.Claim != nil && !volumestate.FullyBound(s.Claim):
		wake(s.Claim)
	}
	return p
}

// reclaims makes a Reconcile out of a function for one volume and what it holds.
func reclaims(f func(v mirror.View, o *object.Version, files []plan.File, now time.Time) plan.Plan) func(mirror.View, []engine.Look, time.Time) []engine.Planned {
	return func(v mirror.View, looks []engine.Look, now time.Time) []engine.Planned {
		planned := make([]engine.Planned, 0, len(looks))
		for _, look := range looks {
			if o := v.UID(look.UID); o != nil {
				planned = append(planned, engine.Planned{UID: look.UID, Plan: f(v, o, look.Files, now)})
			}
		}
		return planned
	}
}

// placesOfVolume is the place of a volume's own that has to be emptied when its claim is gone.
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

// lookAtVolumeClass has the claims synced that wait for a class, and lets a VolumeAttributesClass go that nobody names.
//
// Cost: the claims that wait for the class, or name it.
func lookAtVolumeClass(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) (p plan.Plan) {
	wake := func(claim *object.Version) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: PersistentVolumeClaim, Object: claim.Object()})
	}
	switch class := o.Object().(type) {
	case *storagev1.StorageClass:
		v.EachIn(mirror.UnboundClaims, class.Name, wake)
		if kind.IsDefaultStorageClass(class) {
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

func lookForEphemeralVolumes(v mirror.View, o *object.Version, look engine.Look, _ time.Time) func(*plan.Refusal) plan.Plan {
	pod, ok := o.Object().(*corev1.Pod)
	if !ok {
		return planned(plan.Plan{})
	}
	s := ephemeralvolume.Snapshot{Pod: pod, Memory: look.Memory}
	var names []string
	for _, use := range volumestate.Uses(pod) {
		if use.Ephemeral {
			names = append(names, use.Claim)
		}
	}
	s.Claims = named[*corev1.PersistentVolumeClaim](v, "persistentvolumeclaims", pod.Namespace, names)
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return ephemeralvolume.Reconcile(s)
	}
}
