package kubelet

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
)

// action is what must be done about a Pod as a whole. It depends only on the Pod, its faults and
// the time.
type action struct {
	kind actionKind

	// begin is when the containers were told to stop, and grace is their grace period from then on.
	// For actRun, begin is until when they may run; zero means without limit.
	begin time.Time
	grace time.Duration
}

type actionKind uint8

const (
	actRun    actionKind = iota // containers start and restart
	actStop                     // they stop, because the Pod is being deleted
	actEvict                    // they stop, because the node is short of memory
	actExpire                   // they stop, because the Pod has exceeded its deadline
)

// stops reports whether the containers must stop, and fails whether the Pod then has failed.
func (a *action) stops() bool { return a.kind != actRun }
func (a *action) fails() bool { return a.kind == actEvict || a.kind == actExpire }

// cause is why the Pod fails, and the type of the event that reports it.
func (a *action) cause() (why verdict, eventType string) {
	if a.kind == actEvict {
		return verdict{reason: evicted, message: evictionMessage}, corev1.EventTypeWarning
	}
	return verdict{reason: "DeadlineExceeded", message: "Pod was active on the node longer than the specified deadline"}, corev1.EventTypeNormal
}

// computeAction determines what must be done about the Pod.
// Source: kubernetes v1.36 pkg/kubelet/kubelet.go, SyncPod and SyncTerminatingPod; pkg/kubelet/active_deadline.go;
// pkg/kubelet/status/status_manager.go, mergePodStatus.
func (k *sync) computeAction() action {
	a, counts := k.deletion()
	if !counts {
		a, counts = k.eviction()
	}
	if !counts {
		a, _ = k.expiry()
	}
	return a
}

// earlierStops are the reasons to stop that precede the current one, the earliest first: the
// containers have been told to stop for them as well.
func (k *sync) earlierStops() (list []action) {
	for _, of := range []func() (action, bool){k.eviction, k.expiry} {
		if a, ok := of(); ok && a.begin.Before(k.todo.begin) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b action) int { return a.begin.Compare(b.begin) })
	return list
}

// deletion is the action for a Pod that is being deleted.
func (k *sync) deletion() (a action, ok bool) {
	if k.Pod.DeletionTimestamp == nil {
		return action{}, false
	}
	grace := k.grace()
	if s := k.Pod.DeletionGracePeriodSeconds; s != nil {
		grace = seconds(*s)
	}
	return action{kind: actStop, begin: k.stopBegin(k.Pod.DeletionTimestamp.Add(-grace)), grace: grace}, true
}

// eviction is the action for a Pod that a fault evicts.
func (k *sync) eviction() (a action, ok bool) {
	f := k.Faults.Find(fault.Evict, k.Now)
	if f == nil {
		return action{}, false
	}
	return action{kind: actEvict, begin: f.Since(), grace: evictionGrace}, true
}

// expiry is the action for a Pod that has exceeded its deadline. Before the deadline ok is false,
// and the action lets the Pod run until then.
func (k *sync) expiry() (a action, ok bool) {
	deadline, limited := k.deadline()
	switch {
	case !limited:
		return action{}, false
	case k.Now.Before(deadline):
		return action{begin: deadline}, false
	}
	return action{kind: actExpire, begin: deadline, grace: k.grace()}, true
}

// deadline is when the Pod has been active for activeDeadlineSeconds.
// Source: kubernetes v1.36 pkg/kubelet/active_deadline.go, pastActiveDeadline.
func (k *sync) deadline() (at time.Time, limited bool) {
	limit := k.Pod.Spec.ActiveDeadlineSeconds
	if limit == nil {
		return time.Time{}, false
	}
	start := k.now
	if st := k.Pod.Status.StartTime; st != nil {
		start = *st
	}
	return start.Add(seconds(*limit)), true
}

// stopBegin is when the containers of a Pod that is being deleted get the signal to stop: when the
// deletion was requested or, if the node was unreachable then, when it came back.
func (k *sync) stopBegin(asked time.Time) time.Time {
	if o, had := outage.Last(k.Node); had && o.Over() && !asked.Before(o.From) && asked.Before(o.To) {
		return o.To
	}
	return asked
}
