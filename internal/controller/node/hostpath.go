package node

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/nodefile"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/store"
)

// placesOfPod returns the places that a Pod sees, for the engine to read.
func placesOfPod(v mirror.View, o *object.Version) (places []store.Place) {
	if pod, ok := o.Object().(*corev1.Pod); ok {
		for _, p := range nodefile.Places(pod, claimsOfPod(v, pod)) {
			places = append(places, store.Place(p))
		}
	}
	return places
}

// claimsOfPod returns the state of the PersistentVolumeClaims that a Pod uses, by the names of its
// volumes; nil for a Pod that uses none.
func claimsOfPod(v mirror.View, pod *corev1.Pod) map[string]volumestate.Mount {
	return volumestate.Mounts(pod, volumestate.MountLookup{
		Claim: func(name string) *corev1.PersistentVolumeClaim {
			return gather.One[*corev1.PersistentVolumeClaim](v, object.Key{Resource: "persistentvolumeclaims", Namespace: pod.Namespace, Name: name})
		},
		Volume: func(name string) *corev1.PersistentVolume {
			return gather.One[*corev1.PersistentVolume](v, object.Key{Resource: "persistentvolumes", Name: name})
		},
	})
}

// sawOther reports whether a sync of a Pod was given the files of other places than its
// PersistentVolumeClaims now lead to.
func sawOther(look engine.Request, pod *corev1.Pod, claims map[string]volumestate.Mount) bool {
	return slices.ContainsFunc(nodefile.ClaimedPlaces(pod, claims), func(p nodefile.Place) bool { return !slices.Contains(look.Places, store.Place(p)) })
}

// sharing returns the other Pods that see files which a Pod sees.
func sharing(v mirror.View, o *object.Version) (others []*corev1.Pod) {
	pod := o.Object().(*corev1.Pod)
	places := nodefile.Places(pod, claimsOfPod(v, pod))
	if len(places) == 0 {
		return nil
	}
	seen := map[types.UID]bool{o.UID: true}
	add := func(other *object.Version) {
		p := other.Object().(*corev1.Pod)
		if !seen[other.UID] && nodefile.Overlap(places, nodefile.Places(p, claimsOfPod(v, p))) {
			seen[other.UID] = true
			others = append(others, p)
		}
	}
	v.EachIn(mirror.PodsByHostPath, pod.Spec.NodeName, add)
	for _, use := range volumestate.Uses(pod) {
		v.EachIn(mirror.PodsByClaim, pod.Namespace+"/"+use.Claim, func(other *object.Version) {
			if !podstate.Terminal(other.Object().(*corev1.Pod)) {
				add(other)
			}
		})
	}
	return others
}

// tellSharing wakes the kubelets of Pods that see files which a plan changes, or which a new Pod
// will see as they last wrote them.
func tellSharing(p plan.Plan, pod *corev1.Pod, others []*corev1.Pod) plan.Plan {
	if len(p.Files) > 0 || pod.Status.StartTime == nil {
		for _, other := range others {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: names.Kubelet, Object: other})
		}
	}
	return p
}
