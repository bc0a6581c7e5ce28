// Package nodefile shows, in a Pod's volumes, the files that outlive the Pod: those of its node and
// those of persistent volumes. It also says which of the files that the Pod leaves must be kept.
package nodefile

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

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
			node, at := volumestate.Place(c.Volume, pod.Spec.NodeName)
			places = append(places, Place{node, at})
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

// HostPath is the path of a hostPath volume on the node.
func HostPath(v *corev1.HostPathVolumeSource) string { return path.Clean("/" + v.Path) }
