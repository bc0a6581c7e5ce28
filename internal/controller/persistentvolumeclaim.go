package controller

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// PersistentVolumeClaim binds PersistentVolumeClaims, and makes volumes for them.
const PersistentVolumeClaim = "persistentvolumeclaim"

func newPersistentVolumeClaim(w World) engine.Controller {
	return engine.Controller{
		Name: PersistentVolumeClaim, UserAgent: "persistent-volume-binder", Primary: "persistentvolumeclaims", Batch: 64, Gather: apart(w.lookAtClaim), Remembers: true,
		Sources: []wakeup.Source{
			wakeup.For(&kind.PersistentVolumeClaim.Type),
			wakeup.Watches(&kind.PersistentVolume.Type, claimsOfVolume),
			wakeup.Watches(&kind.Pod.Type, claimsLeft),
		},
	}
}

// claimsOfVolume asks for the claims that a volume is or was bound to, where others have changed it.
func claimsOfVolume(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Controller == PersistentVolumeClaim {
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

// claimsLeft asks for the claims of a Pod that has ended, is shut down or is gone, as they may go then.
func claimsLeft(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	switch {
	case old == nil:
		return wakes
	case pod == nil:
		pod = old
	case podstate.Terminal(pod) && !podstate.Terminal(old), podstate.ShutDown(pod) && !podstate.ShutDown(old):
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
