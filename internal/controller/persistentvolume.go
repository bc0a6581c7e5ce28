package controller

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// PersistentVolume reclaims and deletes PersistentVolumes.
const PersistentVolume = "persistentvolume"

func newPersistentVolume(w World) engine.Controller {
	return engine.Controller{
		Name: PersistentVolume, UserAgent: "persistent-volume-binder", Primary: "persistentvolumes", Batch: 64, Reconcile: reclaims(w.lookAtVolume), Places: placesOfVolume,
		Sources: []wakeup.Source{
			wakeup.For(&kind.PersistentVolume.Type),
			wakeup.Watches(&kind.PersistentVolumeClaim.Type, volumeOfClaim),
		},
	}
}

// volumeOfClaim asks for the volume that is or was a claim's. The plan for a claim changes the volume too, where there is need.
func volumeOfClaim(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Controller == PersistentVolumeClaim && d.New != nil {
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
