// Package tainteviction deletes the Pods of a node that do not tolerate its taints with effect NoExecute, or do so only for
// some time, when that time is over.
//
// When a Pod is to go is decided once, when it is first seen on the tainted node, and remembered beside the Node: longer or
// shorter tolerations change nothing about it, only taints that go, or a toleration for ever, do.
package tainteviction

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/rowlock/rowlock/internal/plan"
)

const (
	// podsAtOnce is how many Pods are evicted in one transaction.
	podsAtOnce = 500

	component             = "taint-eviction-controller"
	eviction              = "TaintManagerEviction"
	deletedByTaintManager = "DeletionByTaintManager"
)

// Snapshot is a Node, and the Pods that are bound to it if NeedsPods says that they are needed. They are not changed.
type Snapshot struct {
	Node *corev1.Node
	Pods []*corev1.Pod
	Now  time.Time

	// Memory is what the last plan left to be remembered; nil for nothing.
	Memory []byte
}

// NeedsPods says whether the Pods of the node matter.
func NeedsPods(n *corev1.Node, memory []byte) bool {
	return len(memory) > 0 || len(noExecute(n)) > 0
}

// Reconcile schedules evictions, cancels those for which there is no reason any more, and carries out those that are due:
// a Pod is first marked as the target of a disruption and then deleted, with its own grace.
//
// Source: kubernetes v1.36 pkg/controller/tainteviction/taint_eviction.go, processPodOnNode, getMinTolerationTime and
// addConditionAndDeletePod.
// Differs: Pods that are being deleted already are left alone, and that one is gone before its time is not told of.
func Reconcile(s Snapshot) plan.Plan {
	taints := noExecute(s.Node)
	if s.Node.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	e := evictions{Snapshot: s, old: decode(s.Memory), next: map[types.UID]time.Time{}}
	for _, pod := range s.Pods {
		if pod.DeletionTimestamp == nil {
			e.judge(pod, taints)
		}
	}
	e.remember()
	return e.plan
}

// evictions is one look.
type evictions struct {
	Snapshot
	old, next map[types.UID]time.Time // when Pods are due
	changed   bool
	plan      plan.Plan
}

// judge schedules the Pod's eviction, or cancels it, and carries it out when it is due.
func (e *evictions) judge(pod *corev1.Pod, taints []corev1.Taint) {
	due, scheduled := e.old[pod.UID]
	tolerated, forever, least := tolerates(pod.Spec.Tolerations, taints)
	switch {
	case !tolerated:
		if scheduled && due.After(e.Now) {
			e.cancel(pod)
		}
		due = e.Now
	case forever:
		if scheduled {
			e.cancel(pod)
		}
		return
	case !scheduled:
		due = e.Now.Add(least)
		if due.After(e.Now) {
			e.changed = true
		}
	}
	if due.After(e.Now) {
		e.next[pod.UID] = due
		e.wakeAt(due)
		return
	}
	if scheduled && tolerated {
		e.next[pod.UID] = due // until it is gone: a plan may be left out
	}
	e.evict(pod)
}

// evict marks the Pod and, when that is done, deletes it.
func (e *evictions) evict(pod *corev1.Pod) {
	if len(e.plan.Updates)+len(e.plan.Deletes) == podsAtOnce {
		e.wakeAt(e.Now)
		return
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == deletedByTaintManager {
			e.plan.Deletes = append(e.plan.Deletes, plan.Delete{Object: pod})
			return
		}
	}
	e.plan.Updates = append(e.plan.Updates, plan.Update{Object: e.marked(pod), Subresource: "status"})
	e.tell(pod, "Marking for deletion Pod ")
	e.wakeAt(e.Now)
}

// marked is the Pod as the target of a disruption.
func (e *evictions) marked(pod *corev1.Pod) *corev1.Pod {
	next := *pod
	now := metav1.Time{Time: e.Now.Truncate(time.Second)}
	next.Status.Conditions = make([]corev1.PodCondition, 0, len(pod.Status.Conditions)+1)
	for _, c := range pod.Status.Conditions {
		if c.Type != corev1.DisruptionTarget {
			next.Status.Conditions = append(next.Status.Conditions, c)
		} else if c.Status == corev1.ConditionTrue {
			now = c.LastTransitionTime
		}
	}
	next.Status.Conditions = append(next.Status.Conditions, corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: pod.Generation, LastTransitionTime: now,
		Reason: deletedByTaintManager, Message: "Taint manager: deleting due to NoExecute taint",
	})
	return &next
}

func (e *evictions) cancel(pod *corev1.Pod) {
	e.changed = true
	e.tell(pod, "Cancelling deletion of Pod ")
}

func (e *evictions) tell(pod *corev1.Pod, what string) {
	e.plan.Events = append(e.plan.Events, plan.Event{Regarding: pod, Type: corev1.EventTypeNormal, Reason: eviction,
		Message: what + pod.Namespace + "/" + pod.Name, Component: component})
}

func (e *evictions) wakeAt(at time.Time) {
	if e.plan.WakeAt.IsZero() || at.Before(e.plan.WakeAt) {
		e.plan.WakeAt = at
	}
}

// remember writes what is scheduled, if that is news, and forgets it when nothing is. Pods that are gone stay in what is
// remembered until then.
func (e *evictions) remember() {
	switch {
	case len(e.next) == 0 && len(e.Memory) > 0:
		e.plan.Memory = []byte{}
	case e.changed && len(e.next) > 0:
		e.plan.Memory = encode(e.next)
	}
}

// noExecute are the node's taints that evict.
func noExecute(n *corev1.Node) (taints []corev1.Taint) {
	for _, t := range n.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoExecute {
			taints = append(taints, t)
		}
	}
	return taints
}

// tolerates says whether all taints are tolerated, and for how long: for the least time of the tolerations that are used, each
// the first of the Pod's that fits.
func tolerates(tolerations []corev1.Toleration, taints []corev1.Taint) (all, forever bool, least time.Duration) {
	forever = true
	for i := range taints {
		fits := false
		for j := range tolerations {
			t := &tolerations[j]
			if !t.ToleratesTaint(klog.Logger{}, &taints[i], false) {
				continue
			}
			if fits = true; t.TolerationSeconds != nil {
				for_ := time.Duration(min(max(*t.TolerationSeconds, 0), longest)) * time.Second
				if forever || for_ < least {
					least = for_
				}
				forever = false
			}
			break
		}
		if !fits {
			return false, false, 0
		}
	}
	return true, forever, least
}

// longest is a hundred years of seconds: more would be more than a duration holds.
const longest = 100 * 365 * 24 * 60 * 60
