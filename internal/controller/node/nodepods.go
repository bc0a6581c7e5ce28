package node

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewNodePods makes the controller that changes the Pods of nodes that are not ready, and wakes
// them when their node is back.
func NewNodePods(world.World) engine.Controller {
	return engine.Controller{
		Name: names.NodePods, UserAgent: "node-controller", Others: []string{"nodes"}, Batch: 4,
		Gather: gather.Apart(syncPodsOfNode), Remembers: true,
		// When a Pod comes to a node that is out, the kubelet wakes this controller.
		Sources: []wakeup.Source{wakeup.For(&core.Node.Type, reachChanged)},
	}
}

// reachChanged holds for nodes whose readiness, outage or out-of-service state has changed. A new
// node may have the Pods of an earlier node with its name. Kubelets also do nothing during a fault
// that is over before the node controller has recorded an outage.
func reachChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return old == nil || old.Annotations[outage.Record] != node.Annotations[outage.Record] || readiness(old) != readiness(node) ||
		outage.Silent(old) && !outage.Silent(node) || abandoned(old) != abandoned(node)
}

// readiness returns the status of a node's condition Ready, empty for none.
func readiness(n *corev1.Node) corev1.ConditionStatus {
	for i := range n.Status.Conditions {
		if n.Status.Conditions[i].Type == corev1.NodeReady {
			return n.Status.Conditions[i].Status
		}
	}
	return ""
}

// abandoned reports whether a node is out of service.
func abandoned(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeOutOfService })
}

// syncPodsOfNode makes the necessary changes to the node's Pods, and wakes their kubelets when the
// node is back, or another has taken its place. Kubelets see Pods that are bound to it after this
// view with a view in which the node is back.
//
// Cost: the Pods that it changes, at most 500; and a wakeup for each of 500 Pods of a node that is
// back, without decoding them. If there are more, a round covers them.
func syncPodsOfNode(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	node := o.Object().(*corev1.Node)
	var bound nodelifecycle.Bound
	if !nodelifecycle.Ready(node) {
		bound = nodelifecycle.Bound{Node: node, Pods: podsToChange(v, node.Name), Now: now}
	}
	memory := gather.DecodeNodeMemory(request.Memory)
	var from, to gather.Round
	if memory.Back != nil {
		from = *memory.Back
	}
	var back []*object.Version
	if !outage.Silent(node) {
		back, to = from.Next(v, mirror.PodsByNode, node.Name, o.Revision)
	}
	return gather.Planned(planForPodsOfNode(bound, memory, back, to, request.Memory, now))
}

// planForPodsOfNode changes the Pods of a node that is not ready, if Bound has one, wakes a piece
// of a round, and remembers the next.
func planForPodsOfNode(
	bound nodelifecycle.Bound, memory gather.NodeMemory, back []*object.Version, next gather.Round, was []byte,
	now time.Time,
) (p plan.Plan) {
	if bound.Node != nil {
		p = nodelifecycle.ReconcilePods(bound)
	}
	p.Wakes = append(p.Wakes, gather.Wakes(names.Kubelet, back)...)
	if memory.Back = nil; next != (gather.Round{}) {
		memory.Back, p.WakeAt = &next, now
	}
	memory.Remember(&p, was)
	return p
}

// podsToChange returns those Pods of a node that may have to change because it is not ready:
// somewhat more than one sync changes.
func podsToChange(v mirror.View, node string) []*corev1.Pod {
	var pods []*corev1.Pod
	known := map[types.UID]bool{}
	for _, index := range []mirror.Index{mirror.LeavingPodsByNode, mirror.ReadyPodsByNode} {
		for _, o := range v.First(index, node, nodelifecycle.PodsBurst+1) {
			if !known[o.UID] {
				known[o.UID], pods = true, append(pods, o.Object().(*corev1.Pod))
			}
		}
	}
	return pods
}

// onSilentNode is the plan for a Pod whose node is out. Its kubelet does nothing; controllers that
// change the Pods of such a node are woken if the Pod may concern them.
func onSilentNode(pod *corev1.Pod, node *corev1.Node) (p plan.Plan) {
	if !nodelifecycle.Ready(node) && (pod.DeletionTimestamp != nil || podstate.MayBeReady(pod)) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: names.NodePods, Object: node})
	}
	return evictNewcomer(p, pod, node)
}
