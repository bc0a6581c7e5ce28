// Package nodelifecycle keeps Nodes in the state in which their kubelet and the node controller
// would. Every Node object, created by Rowlock or a client, is emulated and becomes ready. Its
// taints follow its conditions and whether it is cordoned. Pods whose node is deleted are
// collected. A node that fails, as its annotations say, behaves like one whose kubelet falls
// silent: its conditions become Unknown, it is tainted, and its Pods are no longer ready.
//
// There are no heartbeats: a node that does not fail is healthy.
//
// Files: nodelifecycle.go reconciles a single Node, node.go fills it in, taint.go taints it by its
// state, outage.go makes it fail and recover, disruption.go adds NoExecute taints, for which it
// reads all nodes, pods.go updates the Pods of a failed node, podgc.go collects Pods.
package nodelifecycle

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is one Node. It is not modified.
type Snapshot struct {
	Node *corev1.Node
	Now  time.Time
}

// Reconcile fills in what a kubelet reports and the Node lacks: labels, addresses, capacity,
// allocatable, conditions. Existing values stay, so that a client can make a node small, under
// pressure or not ready. A node that fails reports nothing, and its conditions become Unknown. Then
// the taints with effect NoSchedule are updated. It plans at most one update, of metadata, spec and
// status together.
//
// Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go; pkg/controller/nodelifecycle/node_lifecycle_controller.go,
// doNoScheduleTaintingPass.
func Reconcile(s Snapshot) plan.Plan {
	if s.Node.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	var p plan.Plan
	next := *s.Node
	now := metav1.Time{Time: s.Now.Truncate(time.Second)}
	changed := follow(&next, &p, now)
	if !outage.Silent(&next) && fill(&next, now) {
		changed = true
		if !hasCondition(s.Node, corev1.NodeReady) {
			p.Events = append(p.Events,
				event(s.Node, "node-controller", "RegisteredNode", "event: Registered Node "+next.Name+" in Controller"),
				event(s.Node, "kubelet", "NodeReady", "status is now: NodeReady"))
		}
	}
	if taints, differ := taints(&next, now); differ {
		if was := hasTaint(s.Node, corev1.TaintNodeUnschedulable); was != next.Spec.Unschedulable {
			reason := "NodeSchedulable"
			if next.Spec.Unschedulable {
				reason = "NodeNotSchedulable"
			}
			p.Events = append(p.Events, event(s.Node, "kubelet", reason, "status is now: "+reason))
		}
		next.Spec.Taints, changed = taints, true
	}
	if changed {
		u := plan.Update{Object: &next}
		if !outage.Silent(&next) {
			u.StatusManager = "kubelet"
		}
		p.Updates = []plan.Update{u}
	}
	return p
}
