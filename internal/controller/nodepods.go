package controller

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NodePods changes the Pods of nodes that are not ready, and wakes them when their node is back.
const NodePods = "nodepods"

func newNodePods(World) engine.Controller {
	return engine.Controller{
		Name: NodePods, UserAgent: "node-controller", Others: []string{"nodes"}, Batch: 4, Reconcile: each(lookAtPodsOfNode),
		// A Pod that comes to a node which is out is brought to its notice by the kubelet.
		Sources: []wakeup.Source{wakeup.For(&kind.Node.Type, reachChanged)},
	}
}

// reachChanged holds for nodes that are ready, out or out of service as they were not. One that is new may have the Pods of
// another of its name.
func reachChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return old == nil || old.Annotations[outage.Record] != node.Annotations[outage.Record] || readiness(old) != readiness(node) ||
		abandoned(old) != abandoned(node)
}

// readiness is what a node's condition Ready says, empty for nothing.
func readiness(n *corev1.Node) corev1.ConditionStatus {
	for i := range n.Status.Conditions {
		if n.Status.Conditions[i].Type == corev1.NodeReady {
			return n.Status.Conditions[i].Status
		}
	}
	return ""
}

// abandoned says whether a node is out of service.
func abandoned(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeOutOfService })
}
