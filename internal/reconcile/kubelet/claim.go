package kubelet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Claimed is the result for one of the Pod's PersistentVolumeClaims: a volume, or why none can be
// mounted.
type Claimed struct {
	Volume   *corev1.PersistentVolume
	Err      error
	ReadOnly bool
}

// ClaimLookup reads PersistentVolumeClaims and volumes; nil means that the object does not exist.
type ClaimLookup struct {
	Claim  func(name string) *corev1.PersistentVolumeClaim // in the Pod's namespace
	Volume func(name string) *corev1.PersistentVolume
}

// Claims are the results for the PersistentVolumeClaims of a Pod, by volume name; nil if it uses
// none.
//
// Source: kubernetes v1.36 pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go, createVolumeSpec
func Claims(pod *corev1.Pod, l ClaimLookup) map[string]Claimed {
	if !volumestate.UsesClaims(&pod.Spec) {
		return nil
	}
	claims := map[string]Claimed{}
	for _, use := range volumestate.Uses(pod) {
		volume, err := l.volumeOf(pod, use)
		if err != nil {
			err = fmt.Errorf("error processing PVC %s/%s: %w", pod.Namespace, use.Claim, err)
		}
		claims[use.Volume] = Claimed{Volume: volume, Err: err, ReadOnly: use.ReadOnly}
	}
	return claims
}

func (l *ClaimLookup) volumeOf(pod *corev1.Pod, use volumestate.Use) (*corev1.PersistentVolume, error) {
	claim := l.Claim(use.Claim)
	if claim == nil {
		return nil, fmt.Errorf("failed to fetch PVC from API server: persistentvolumeclaims %q not found", use.Claim)
	}
	if use.Ephemeral {
		if err := volumestate.MadeFor(pod, claim); err != nil {
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

// Place is a place of files that outlive a Pod: a path on a node or, for a persistent volume, one
// that volumestate.Place returns.
type Place struct{ Node, Path string }

// overlaps reports whether one of the two places contains the other.
func (p Place) overlaps(q Place) bool {
	return p.Node == q.Node && (below(p.Path, q.Path) || below(q.Path, p.Path))
}

func below(p, q string) bool { return p == q || strings.HasPrefix(p, strings.TrimSuffix(q, "/")+"/") }

// Overlap reports whether a place in one list contains one in the other.
func Overlap(a, b []Place) bool {
	return slices.ContainsFunc(a, func(p Place) bool { return slices.ContainsFunc(b, p.overlaps) })
}

// ClaimedPlaces are the places of the Pod's persistent volumes.
func ClaimedPlaces(pod *corev1.Pod, claims map[string]Claimed) (places []Place) {
	for _, c := range claims {
		if c.Volume != nil {
			node, path := volumestate.Place(c.Volume, pod.Spec.NodeName)
			places = append(places, Place{node, path})
		}
	}
	return places
}

// Places are the files and directories of its node that a Pod sees, and the places of its
// persistent volumes.
func Places(pod *corev1.Pod, claims map[string]Claimed) []Place {
	if pod.Spec.NodeName == "" {
		return nil
	}
	places := ClaimedPlaces(pod, claims)
	for i := range pod.Spec.Volumes {
		if at := pod.Spec.Volumes[i].HostPath; at != nil {
			places = append(places, Place{pod.Spec.NodeName, HostPath(at)})
		}
	}
	return places
}

// SettledReferences is how long after its start a Pod that refers to ConfigMaps or Secrets is
// synced once more. By then every replica knows of the Pod, because a replica that has had no
// contact with the database for three seconds accepts no writes. Until then a change may come from
// a replica that does not know the Pod, and wakes no kubelet.
const SettledReferences = 5 * time.Second

// settleReferences schedules that sync.
func (k *sync) settleReferences() {
	start := k.now
	if st := k.status.StartTime; st != nil {
		start = *st
	}
	if at := start.Add(SettledReferences); k.Now.Before(at) && refersToWritten(&k.Pod.Spec) {
		k.wakeAt(at)
	}
}

// refersToWritten reports whether the Pod refers to ConfigMaps or Secrets that clients write.
func refersToWritten(spec *corev1.PodSpec) bool {
	configMaps, secrets := podsetup.References(spec)
	return len(secrets) > 0 || slices.ContainsFunc(configMaps, func(name string) bool { return name != rootCA })
}
