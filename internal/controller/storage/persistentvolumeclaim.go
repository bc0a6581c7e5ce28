package storage

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewPersistentVolumeClaim makes the controller that binds PersistentVolumeClaims, and creates
// volumes for them.
//
// Cost: its volume, class and Pods or, while it has no volume, the free volumes of its class. A
// wakeup for each Pod that waits.
func NewPersistentVolumeClaim(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.PersistentVolumeClaim, UserAgent: "persistent-volume-binder", Primary: "persistentvolumeclaims",
		Batch: 64, Gather: gather.Apart(controllers(w).syncVolumeClaim), Remembers: true,
		WokenBy: []string{names.PersistentVolume, names.VolumeClass},
		Sources: []wakeup.Source{
			wakeup.For(&core.PersistentVolumeClaim.Type),
			wakeup.Watches(&core.PersistentVolume.Type, claimsOfVolume),
			wakeup.Watches(&podkind.Kind.Type, claimsLeft),
		},
	}
}

// claimsOfVolume asks for the PersistentVolumeClaims that a volume is or was bound to, if another
// writer has changed it.
func claimsOfVolume(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Controller == names.PersistentVolumeClaim {
		return wakes
	}
	old, _ := d.Old.(*corev1.PersistentVolume)
	volume, _ := d.New.(*corev1.PersistentVolume)
	var seen corev1.ObjectReference
	for _, v := range []*corev1.PersistentVolume{old, volume} {
		if v == nil || v.Spec.ClaimRef == nil {
			continue
		}
		ref := corev1.ObjectReference{Namespace: v.Spec.ClaimRef.Namespace, Name: v.Spec.ClaimRef.Name}
		if ref != seen && ref.Namespace != "" {
			wakes = append(wakes, wakeup.Wake{Resource: "persistentvolumeclaims", Namespace: ref.Namespace, Name: ref.Name})
		}
		seen = ref
	}
	return wakes
}

// claimsLeft asks for the PersistentVolumeClaims of a Pod that has ended, is shut down or is gone,
// because they may be deleted then.
func claimsLeft(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	switch {
	case old == nil:
		return wakes
	case pod == nil:
		pod = old
	case podstate.Terminal(pod) && !podstate.Terminal(old), podstate.Collected(pod) && !podstate.Collected(old):
	default:
		return wakes
	}
	for i := range pod.Spec.Volumes {
		name := ""
		switch v := &pod.Spec.Volumes[i]; {
		case v.PersistentVolumeClaim != nil:
			name = v.PersistentVolumeClaim.ClaimName
		case v.Ephemeral != nil:
			name = pod.Name + "-" + v.Name
		default:
			continue
		}
		wakes = append(wakes, wakeup.Wake{Resource: "persistentvolumeclaims", Namespace: pod.Namespace, Name: name})
	}
	return wakes
}

// syncVolumeClaim advances a PersistentVolumeClaim. When nothing more is left to do, it syncs Pods
// that may wait for the result: by then the PersistentVolumeClaim is as they will see it, so that
// none is forgotten that was created meanwhile.
func (w controllers) syncVolumeClaim(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	claim := o.Object().(*corev1.PersistentVolumeClaim)
	key := claim.Namespace + "/" + claim.Name
	s := persistentvolume.ClaimSnapshot{Claim: claim, Memory: request.Memory, Now: now, Pods: gather.Typed[*corev1.Pod](v, mirror.PodsByClaim, key)}
	class := core.ClassOfClaim(claim)
	s.Class = gather.ByName[*storagev1.StorageClass](v, storage.StorageClass, class)
	s.Attributes = gather.ByName[*storagev1.VolumeAttributesClass](v, storage.VolumeAttributesClass, volumestate.Deref(claim.Spec.VolumeAttributesClassName))
	s.Volume = gather.ByName[*corev1.PersistentVolume](v, core.PersistentVolume, claim.Spec.VolumeName)
	s.Node = gather.ByName[*corev1.Node](v, core.Node, claim.Annotations[volumestate.SelectedNode])
	if claim.Spec.VolumeName == "" {
		s.Volumes = append(gather.Typed[*corev1.PersistentVolume](v, mirror.VolumesByClaim, key),
			gather.Typed[*corev1.PersistentVolume](v, mirror.FreeVolumes, class)...)
		if !core.HasClass(claim) {
			s.Default = storage.DefaultStorageClass(v)
		}
	}
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		p := persistentvolume.ReconcileClaim(s)
		if slices.ContainsFunc(p.Updates, func(u plan.Update) bool { return u.Object.GetUID() == claim.UID }) {
			return p // it is synced again afterwards
		}
		for _, pod := range s.Pods {
			switch {
			case podstate.Terminal(pod):
			case pod.Spec.NodeName == "":
				p.Wakes = append(p.Wakes, plan.Wake{Controller: names.Scheduler, Object: pod})
			case pod.Status.PodIP == "":
				p.Wakes = append(p.Wakes, plan.Wake{Controller: names.Kubelet, Object: pod})
			}
		}
		return p
	}
}
