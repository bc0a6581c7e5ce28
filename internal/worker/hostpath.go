package worker

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// placesOfPod are the files and directories of its node that a Pod sees.
func placesOfPod(o *object.Version) (places []store.Place) {
	pod := o.Object().(*corev1.Pod)
	for i := range pod.Spec.Volumes {
		if at := pod.Spec.Volumes[i].HostPath; at != nil && pod.Spec.NodeName != "" {
			places = append(places, store.Place{Node: pod.Spec.NodeName, Path: kubelet.HostPath(at)})
		}
	}
	return places
}

// sharing are the other Pods on a Pod's node that see files which it sees.
func sharing(v mirror.View, o *object.Version) (others []*corev1.Pod) {
	places := placesOfPod(o)
	if len(places) == 0 {
		return nil
	}
	v.EachIn(mirror.PodsByHostPath, places[0].Node, func(other *object.Version) {
		if other.UID != o.UID && overlap(places, placesOfPod(other)) {
			others = append(others, other.Object().(*corev1.Pod))
		}
	})
	return others
}

func overlap(a, b []store.Place) bool {
	below := func(p, q string) bool { return p == q || strings.HasPrefix(p, strings.TrimSuffix(q, "/")+"/") }
	for _, p := range a {
		for _, q := range b {
			if below(p.Path, q.Path) || below(q.Path, p.Path) {
				return true
			}
		}
	}
	return false
}

// tellSharing has the kubelets of Pods look that see files which a plan changes, or which a new Pod will see as they last wrote
// them.
func tellSharing(p plan.Plan, pod *corev1.Pod, others []*corev1.Pod) plan.Plan {
	if len(p.Files) > 0 || pod.Status.StartTime == nil {
		for _, other := range others {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.Kubelet, Object: other})
		}
	}
	return p
}
