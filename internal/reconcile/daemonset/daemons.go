package daemonset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

// daemons is the state of one call of Reconcile: the objects as in the snapshot or as this plan
// claims them, and the plan so far.
type daemons struct {
	Snapshot
	by     claim.Claimant
	status appsv1.DaemonSetStatus // with its changes

	fits map[string]fit           // by node name, for the nodes that exist
	pods map[string][]*corev1.Pod // held Pods by target node: bound ones first, then the oldest
	held []*corev1.Pod            // all held Pods, including those that have ended and are being deleted

	current *appsv1.ControllerRevision   // the one with the DaemonSet's template
	old     []*appsv1.ControllerRevision // all others, oldest first

	claimed int                // how many updates, the first ones, adopt or release something
	edited  map[types.UID]bool // what this plan already updates, and so cannot delete
	retries retries

	managed          bool // some node needs another Pod, or has too many
	created, deleted int  // Pods
	refused          bool // the applier admitted no further Pods
	plan             plan.Plan
}

// edit is a copy of a held object, which this plan updates. If the plan already updates the object,
// edit returns that copy.
func edit[T object.Object](d *daemons, o T) T {
	if d.edited[o.GetUID()] {
		return o
	}
	copied := o.DeepCopyObject().(T)
	d.plan.Updates = append(d.plan.Updates, plan.Update{Object: copied})
	d.edited[o.GetUID()] = true
	return copied
}

// wakeAt schedules another sync at a time; a zero time schedules none.
func (d *daemons) wakeAt(at time.Time) {
	if !at.IsZero() && (d.plan.WakeAt.IsZero() || at.Before(d.plan.WakeAt)) {
		d.plan.WakeAt = at
	}
}

func (d *daemons) event(eventType, reason, message string) plan.Event {
	return plan.Event{Regarding: d.DaemonSet, Type: eventType, Reason: reason, Message: message, Component: "daemonset-controller"}
}
