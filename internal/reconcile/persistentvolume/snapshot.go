package persistentvolume

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// ClaimSnapshot is a claim and its related objects. It is not modified, and plans share parts of
// it.
type ClaimSnapshot struct {
	Claim *corev1.PersistentVolumeClaim
	// Class is the class that the claim names, Default the class of claims that name none,
	// Attributes the VolumeAttributesClass that it names; nil if it does not exist.
	Class, Default *storagev1.StorageClass
	Attributes     *storagev1.VolumeAttributesClass
	// Volume is the volume that the claim names; nil if it does not exist. Volumes are, for a claim
	// that names none, those reserved for it and the free ones of its class.
	Volume  *corev1.PersistentVolume
	Volumes []*corev1.PersistentVolume
	// Pods are the Pods that use the claim.
	Pods []*corev1.Pod
	// Node is the node that the scheduler has chosen for the first of them; nil if none exists.
	Node *corev1.Node
	// Refused is not nil if the volume that the last plan would have made is refused.
	Refused *plan.Refusal
	// Memory is what the last plan reported.
	Memory []byte
	Now    time.Time
}

// VolumeSnapshot is a volume and its related objects. It is not modified, and plans share parts of
// it.
type VolumeSnapshot struct {
	Volume *corev1.PersistentVolume
	// Claim is the claim that the volume refers to by name; nil if it does not exist. It may be a
	// different claim with that name.
	Claim *corev1.PersistentVolumeClaim
	// Pods are the Pods that use a claim of that name.
	Pods []*corev1.Pod
	// Files is the content of the volume, if it is kept at a place of its own.
	Files []plan.File
	Now   time.Time
}
