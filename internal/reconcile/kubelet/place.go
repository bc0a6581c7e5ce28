package kubelet

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

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
func ClaimedPlaces(pod *corev1.Pod, claims map[string]volumestate.Mount) (places []Place) {
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
func Places(pod *corev1.Pod, claims map[string]volumestate.Mount) []Place {
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
