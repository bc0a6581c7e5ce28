package volumestate

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Mount is what a Pod gets for one of its PersistentVolumeClaims: a volume, or the reason why none
// can be mounted.
type Mount struct {
	Volume   *corev1.PersistentVolume
	Err      error
	ReadOnly bool
}

// MountLookup reads PersistentVolumeClaims and volumes; nil means that the object does not exist.
type MountLookup struct {
	Claim  func(name string) *corev1.PersistentVolumeClaim // in the Pod's namespace
	Volume func(name string) *corev1.PersistentVolume
}

// Mounts are what a Pod gets for its PersistentVolumeClaims, by volume name; nil if it uses none.
//
// Source: kubernetes v1.36 pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go, createVolumeSpec
func Mounts(pod *corev1.Pod, l MountLookup) map[string]Mount {
	if !UsesClaims(&pod.Spec) {
		return nil
	}
	mounts := map[string]Mount{}
	for _, use := range Uses(pod) {
		volume, err := l.volumeOf(pod, use)
		if err != nil {
			err = fmt.Errorf("error processing PVC %s/%s: %w", pod.Namespace, use.Claim, err)
		}
		mounts[use.Volume] = Mount{Volume: volume, Err: err, ReadOnly: use.ReadOnly}
	}
	return mounts
}

func (l *MountLookup) volumeOf(pod *corev1.Pod, use Use) (*corev1.PersistentVolume, error) {
	claim := l.Claim(use.Claim)
	if claim == nil {
		return nil, fmt.Errorf("failed to fetch PVC from API server: persistentvolumeclaims %q not found", use.Claim)
	}
	if use.Ephemeral {
		if err := MadeFor(pod, claim); err != nil {
			return nil, err
		}
	}
	switch {
	case claim.DeletionTimestamp != nil && pod.Status.PodIP == "":
		return nil, errors.New("PVC is being deleted")
	case claim.Status.Phase != corev1.ClaimBound || claim.Spec.VolumeName == "":
		return nil, errors.New("PVC is not bound")
	}
	volume := l.Volume(claim.Spec.VolumeName)
	if volume == nil {
		return nil, fmt.Errorf("failed to fetch PV %s from API server: persistentvolumes %q not found", claim.Spec.VolumeName, claim.Spec.VolumeName)
	}
	if volume.Spec.ClaimRef == nil || volume.Spec.ClaimRef.UID != claim.UID {
		return nil, fmt.Errorf("found PV object %s that is not claimed by PVC %s", volume.Name, claim.Name)
	}
	return volume, nil
}
