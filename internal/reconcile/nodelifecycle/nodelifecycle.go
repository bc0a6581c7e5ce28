// Package nodelifecycle keeps Nodes in the state in which their kubelet and the node controller
// would. Every Node object, created by Rowlock or a client, is emulated and becomes ready. Its
// taints follow its conditions and whether it is cordoned. Pods whose node is deleted are
// collected. A node that fails, as its annotations say, behaves like one whose kubelet falls
// silent: its conditions become Unknown, it is tainted, and its Pods are no longer ready.
//
// There are no heartbeats: a node that does not fail is healthy.
//
// Files: nodelifecycle.go reconciles a single Node, node.go fills it in, outage.go makes it fail
// and recover, disruption.go adds NoExecute taints, for which it reads all nodes, pods.go updates
// the Pods of a failed node, podgc.go collects Pods.
package nodelifecycle

import (
	"maps"
	"slices"
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

func event(n *corev1.Node, component, reason, message string) plan.Event {
	e := plan.Event{Regarding: n, Type: corev1.EventTypeNormal, Reason: reason, Component: component,
		Message: "Node " + n.Name + " " + message}
	if component == "kubelet" {
		e.Host = n.Name
	}
	return e
}

// conditionTaints are the taints that a condition's status requires.
var conditionTaints = map[corev1.NodeConditionType]map[corev1.ConditionStatus]string{
	corev1.NodeReady: {
		corev1.ConditionFalse:   corev1.TaintNodeNotReady,
		corev1.ConditionUnknown: corev1.TaintNodeUnreachable,
	},
	corev1.NodeMemoryPressure:     {corev1.ConditionTrue: corev1.TaintNodeMemoryPressure},
	corev1.NodeDiskPressure:       {corev1.ConditionTrue: corev1.TaintNodeDiskPressure},
	corev1.NodePIDPressure:        {corev1.ConditionTrue: corev1.TaintNodePIDPressure},
	corev1.NodeNetworkUnavailable: {corev1.ConditionTrue: corev1.TaintNodeNetworkUnavailable},
}

// taints is the node's taints, updated from its state, and whether they changed.
func taints(n *corev1.Node, now metav1.Time) ([]corev1.Taint, bool) {
	wanted := map[string]bool{}
	for _, c := range n.Status.Conditions {
		if key, ok := conditionTaints[c.Type][c.Status]; ok {
			wanted[key] = true
		}
	}
	if n.Spec.Unschedulable {
		wanted[corev1.TaintNodeUnschedulable] = true
	}
	var kept []corev1.Taint
	for _, t := range n.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoSchedule && followsState(t.Key) {
			if !wanted[t.Key] {
				continue
			}
			delete(wanted, t.Key)
		}
		kept = append(kept, t)
	}
	differ := len(kept) != len(n.Spec.Taints) || len(wanted) > 0
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		kept = append(kept, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &now})
	}
	return kept, differ
}

// readiness is the status of the node's condition Ready; "" if it has none.
func readiness(n *corev1.Node) corev1.ConditionStatus {
	for i := range n.Status.Conditions {
		if n.Status.Conditions[i].Type == corev1.NodeReady {
			return n.Status.Conditions[i].Status
		}
	}
	return ""
}

// followsState reports whether this package sets a NoSchedule taint with that key.
func followsState(key string) bool {
	if key == corev1.TaintNodeUnschedulable {
		return true
	}
	for _, byStatus := range conditionTaints {
		for _, k := range byStatus {
			if k == key {
				return true
			}
		}
	}
	return false
}

func hasTaint(n *corev1.Node, key string) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == key && t.Effect == corev1.TaintEffectNoSchedule
	})
}

func hasCondition(n *corev1.Node, t corev1.NodeConditionType) bool {
	return slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == t })
}
