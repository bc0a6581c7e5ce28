package nodelifecycle

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
)

// How long nothing may be heard of a node before it is said not to be there: one that has reported, and one that never has.
//
// Source: kubernetes v1.36 pkg/controller/nodelifecycle/config/v1alpha1/defaults.go
const (
	monitorGrace = 50 * time.Second
	startupGrace = 60 * time.Second
)

// What the node controller says in the place of a kubelet that is silent.
const (
	statusUnknown      = "NodeStatusUnknown"
	statusNeverUpdated = "NodeStatusNeverUpdated"
)

// follow keeps the record of the node's outage and, when nothing has been heard of the node for too long, makes its conditions
// unknown. When the node is back, they are what its kubelet reports.
//
// For example, failed at 12:00:00 and healed at 12:02:00: Ready is Unknown from 12:00:50 to 12:02:00.
//
// Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go, tryUpdateNodeHealth; pkg/kubelet/nodestatus/setters.go,
// MachineInfo and ReadyCondition.
// Differs: the grace is counted from the fault, not from the last of the heartbeats, which are not written; a fault that is put
// right before anybody has looked at the node has not been.
func follow(n *corev1.Node, p *plan.Plan, now metav1.Time) (changed bool) {
	last, had := outage.Last(n)
	lasts := had && !last.Over()
	switch fault := outage.Fault(n); {
	case fault == "" && !lasts:
		return false
	case fault == "":
		last.To = now.Time
		if last.To.Before(last.From) {
			last.To = last.From // somebody has written the record
		}
		heal(n, last, p, now)
		changed = true
	case !lasts, fault == outage.Failed && last.Fault == outage.Unreachable:
		last, changed = outage.Outage{Fault: fault, From: now.Time}, true
	}
	if changed {
		n.Annotations = maps.Clone(n.Annotations)
		if n.Annotations == nil {
			n.Annotations = map[string]string{}
		}
		n.Annotations[outage.Record] = last.String()
	}
	if last.Over() {
		return changed
	}
	grace := monitorGrace
	if !hasCondition(n, corev1.NodeReady) {
		grace = startupGrace
	}
	if due := last.From.Add(grace); now.Time.Before(due) {
		p.WakeAt = due
		return changed
	}
	return lose(n, last.From, p, now) || changed
}

// lose makes the conditions unknown that a kubelet reports, and was last heard to report when the outage began.
func lose(n *corev1.Node, from time.Time, p *plan.Plan, now metav1.Time) (changed bool) {
	conditions := slices.Clone(n.Status.Conditions)
	for _, c := range healthy {
		at := slices.IndexFunc(conditions, func(old corev1.NodeCondition) bool { return old.Type == c.Type })
		switch {
		case at < 0:
			conditions = append(conditions, corev1.NodeCondition{Type: c.Type, Status: corev1.ConditionUnknown,
				Reason: statusNeverUpdated, Message: "Kubelet never posted node status.",
				LastHeartbeatTime: n.CreationTimestamp, LastTransitionTime: now})
		case conditions[at].Status != corev1.ConditionUnknown:
			if c.Type == corev1.NodeReady && conditions[at].Status == corev1.ConditionTrue {
				p.Events = append(p.Events, event(n, "node-controller", "NodeNotReady", "status is now: NodeNotReady"))
			}
			conditions[at].Status, conditions[at].LastTransitionTime = corev1.ConditionUnknown, now
			conditions[at].LastHeartbeatTime = metav1.Time{Time: from}
			conditions[at].Reason, conditions[at].Message = statusUnknown, "Kubelet stopped posting node status."
		default:
			continue
		}
		changed = true
	}
	if changed {
		n.Status.Conditions = conditions
	}
	return changed
}

// heal is what the kubelet reports when it is heard of again; one that has crashed has booted. Conditions that a client has made
// what they are stay so.
func heal(n *corev1.Node, o outage.Outage, p *plan.Plan, now metav1.Time) {
	n.Status.Conditions = slices.Clone(n.Status.Conditions)
	for _, c := range healthy {
		at := slices.IndexFunc(n.Status.Conditions, func(old corev1.NodeCondition) bool { return old.Type == c.Type })
		if at < 0 {
			continue // fill adds it
		}
		old := &n.Status.Conditions[at]
		old.LastHeartbeatTime = now
		if old.Status != corev1.ConditionUnknown || old.Reason != statusUnknown && old.Reason != statusNeverUpdated {
			continue
		}
		c.LastHeartbeatTime, c.LastTransitionTime = now, now
		*old = c
		if c.Type == corev1.NodeReady {
			p.Events = append(p.Events, event(n, "kubelet", "NodeReady", "status is now: NodeReady"))
		}
	}
	if o.Fault == outage.Failed {
		n.Status.NodeInfo.BootID = bootID(n.Name, o.To)
		reboot := event(n, "kubelet", "Rebooted", "has been rebooted, boot id: "+n.Status.NodeInfo.BootID)
		reboot.Type = corev1.EventTypeWarning
		p.Events = append(p.Events, reboot)
	}
}

// bootID is the id of the boot at a time.
func bootID(node string, at time.Time) string {
	id := sha256.Sum256([]byte(node + " " + at.UTC().Format(time.RFC3339)))
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
}
