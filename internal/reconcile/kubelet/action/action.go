// Package action determines what must be done about a Pod as a whole: its containers run, or they
// stop because it is being deleted, is evicted or has exceeded its deadline. That depends only on
// the Pod, its node, its faults and the time.
package action

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
)

// Action is what must be done about a Pod as a whole.
type Action struct {
	Kind Kind

	// Begin is when the containers were told to stop, and Grace is their grace period from then on.
	// For Run, Begin is until when they may run; zero means without limit.
	Begin time.Time
	Grace time.Duration
}

// Kind is what happens to the containers.
type Kind uint8

// The kinds of actions.
const (
	Run    Kind = iota // containers start and restart
	Stop               // they stop, because the Pod is being deleted
	Evict              // they stop, because the node is short of memory
	Expire             // they stop, because the Pod has exceeded its deadline
)

// Stops reports whether the containers must stop.
func (a *Action) Stops() bool { return a.Kind != Run }

// Fails reports whether the containers must stop, and the Pod then has failed.
func (a *Action) Fails() bool { return a.Kind == Evict || a.Kind == Expire }

// Cause is why the Pod fails, and the type of the event that reports it.
func (a *Action) Cause() (reason, message, eventType string) {
	if a.Kind == Evict {
		return evicted, evictionMessage, corev1.EventTypeWarning
	}
	return "DeadlineExceeded", "Pod was active on the node longer than the specified deadline", corev1.EventTypeNormal
}

// Situation is what an action depends on.
type Situation struct {
	Pod    *corev1.Pod
	Node   *corev1.Node // the Pod's
	Faults fault.OfPod
	Now    time.Time
}

// Compute determines what must be done about the Pod.
// Source: kubernetes v1.36 pkg/kubelet/kubelet.go, SyncPod and SyncTerminatingPod; pkg/kubelet/active_deadline.go;
// pkg/kubelet/status/status_manager.go, mergePodStatus.
func (s *Situation) Compute() Action {
	a, counts := s.deletion()
	if !counts {
		a, counts = s.eviction()
	}
	if !counts {
		a, _ = s.expiry()
	}
	return a
}

// Earlier are the reasons to stop that precede the current one, the earliest first: the containers
// have been told to stop for them as well.
func (s *Situation) Earlier(current Action) (list []Action) {
	for _, of := range []func() (Action, bool){s.eviction, s.expiry} {
		if a, ok := of(); ok && a.Begin.Before(current.Begin) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b Action) int { return a.Begin.Compare(b.Begin) })
	return list
}

// deletion is the action for a Pod that is being deleted.
func (s *Situation) deletion() (a Action, ok bool) {
	if s.Pod.DeletionTimestamp == nil {
		return Action{}, false
	}
	grace := Grace(s.Pod)
	if n := s.Pod.DeletionGracePeriodSeconds; n != nil {
		grace = seconds(*n)
	}
	return Action{Kind: Stop, Begin: s.stopBegin(s.Pod.DeletionTimestamp.Add(-grace)), Grace: grace}, true
}

// eviction is the action for a Pod that a fault evicts.
func (s *Situation) eviction() (a Action, ok bool) {
	f := s.Faults.Find(fault.Evict, s.Now)
	if f == nil {
		return Action{}, false
	}
	return Action{Kind: Evict, Begin: f.Since(), Grace: evictionGrace}, true
}

// expiry is the action for a Pod that has exceeded its deadline. Before the deadline ok is false,
// and the action lets the Pod run until then.
func (s *Situation) expiry() (a Action, ok bool) {
	deadline, limited := s.deadline()
	switch {
	case !limited:
		return Action{}, false
	case s.Now.Before(deadline):
		return Action{Begin: deadline}, false
	}
	return Action{Kind: Expire, Begin: deadline, Grace: Grace(s.Pod)}, true
}

// deadline is when the Pod has been active for activeDeadlineSeconds.
// Source: kubernetes v1.36 pkg/kubelet/active_deadline.go, pastActiveDeadline.
func (s *Situation) deadline() (at time.Time, limited bool) {
	limit := s.Pod.Spec.ActiveDeadlineSeconds
	if limit == nil {
		return time.Time{}, false
	}
	start := metav1.Time{Time: s.Now.Truncate(time.Second)}
	if st := s.Pod.Status.StartTime; st != nil {
		start = *st
	}
	return start.Add(seconds(*limit)), true
}

// stopBegin is when the containers of a Pod that is being deleted get the signal to stop: when the
// deletion was requested or, if the node was unreachable then, when it came back.
func (s *Situation) stopBegin(asked time.Time) time.Time {
	if o, had := outage.Last(s.Node); had && o.Over() && !asked.Before(o.From) && asked.Before(o.To) {
		return o.To
	}
	return asked
}

// defaultGrace is the terminationGracePeriodSeconds of a Pod without one.
const defaultGrace = 30 * time.Second

// Grace is the grace period of a Pod's containers, unless another is asked for.
func Grace(pod *corev1.Pod) time.Duration {
	if s := pod.Spec.TerminationGracePeriodSeconds; s != nil {
		return seconds(*s)
	}
	return defaultGrace
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }
