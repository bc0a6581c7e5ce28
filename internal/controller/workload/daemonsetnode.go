package workload

import (
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewDaemonSetNode makes the controller that wakes the DaemonSets that a new or changed node
// concerns.
//
// Cost: at most 500 DaemonSets, and their Pods on the node. If there are more, a round covers them.
func NewDaemonSetNode(world.World) engine.Controller {
	return engine.Controller{
		Name: names.DaemonSetNode, UserAgent: "daemonset-controller", Others: []string{"nodes"}, Batch: 16,
		Gather: gather.Apart(syncDaemonSetsOfNode), Remembers: true,
		Sources: []wakeup.Source{wakeup.For(&core.Node.Type, placeChanged)},
	}
}

// placeChanged holds for nodes that are new, and for those whose labels or taints have changed.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, shouldIgnoreNodeUpdate
func placeChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	same := func(a, b corev1.Taint) bool { return a.MatchTaint(&b) && a.Value == b.Value }
	return old == nil || !maps.Equal(old.Labels, node.Labels) || !slices.EqualFunc(old.Spec.Taints, node.Spec.Taints, same)
}

// syncDaemonSetsOfNode judges the node for each DaemonSet, not for each of its Pods. A DaemonSet
// that the view does not hold yet is synced later than this, with a view that holds the node as it
// is.
func syncDaemonSetsOfNode(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	node := o.Object().(*corev1.Node)
	memory := gather.DecodeNodeMemory(request.Memory)
	var from gather.Round
	if memory.Daemons != nil {
		from = *memory.Daemons
	}
	sets, next := from.Next(v, mirror.DaemonSets, "", o.Revision)
	pods := map[types.UID][]*corev1.Pod{}
	if len(sets) > 0 {
		for _, pod := range gather.Typed[*corev1.Pod](v, mirror.DaemonPods, node.Name) {
			owner := metav1.GetControllerOfNoCopy(pod).UID
			pods[owner] = append(pods[owner], pod)
		}
	}
	var p plan.Plan
	for _, set := range sets {
		if ds := set.Object().(*appsv1.DaemonSet); daemonset.Concerns(ds, node, pods[ds.UID]) {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: names.DaemonSet, Object: ds})
		}
	}
	if memory.Daemons = nil; next != (gather.Round{}) {
		memory.Daemons, p.WakeAt = &next, now
	}
	memory.Remember(&p, request.Memory)
	return gather.Planned(p)
}
