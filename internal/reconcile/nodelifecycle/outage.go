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

// How long a node may be silent before its conditions become Unknown: a node that has reported, and
// one that never has.
//
// Source: kubernetes v1.36 pkg/controller/nodelifecycle/config/v1alpha1/defaults.go
const (
	monitorGrace = 50 * time.Second
	startupGrace = 60 * time.Second
)

// The reasons that the node controller sets in place of a silent kubelet.
const (
	statusUnknown      = "NodeStatusUnknown"
	statusNeverUpdated = "NodeStatusNeverUpdated"
)

// follow maintains the record of the node's outage and, when the node has been silent for too long,
// sets its conditions to Unknown. When the node is back, its conditions are what its kubelet
// reports.
//
// For example, if it failed at 12:00:00 and was healed at 12:02:00, Ready is Unknown from 12:00:50
// to 12:02:00.
//
// Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go, tryUpdateNodeHealth; pkg/kubelet/nodestatus/setters.go,
// MachineInfo and ReadyCondition.
// Differs: the grace period is counted from the fault, not from the last heartbeat, because
// heartbeats are not written. A fault that is removed before the node has been synced did not
// happen.
func follow(n *corev1.Node, p *plan.Plan, now metav1.Time) (changed bool) {
	last, had := outage.Last(n)
	lasts := had && !last.Over()
	switch fault := outage.Fault(n); {
	case fault == "" && !lasts:
		return false
	case fault == "":
		last.To = now.Time
		if last.To.Before(last.From) {
			last.To = last.From // a client has written the record
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

// lose sets the conditions that a kubelet reports to Unknown. Their last heartbeat is the beginning
// of the outage.
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

// heal sets what the kubelet reports when it is back; after a crash it has rebooted. Conditions
// that a client has set stay.
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

// bootID is the id of a boot at a time.
func bootID(node string, at time.Time) string {
	id := sha256.Sum256([]byte(node + " " + at.UTC().Format(time.RFC3339)))
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
}
