// Package scheduler decides which node each pending Pod is bound to.
//
// Pods come in batches. Those that ask for the same are one class, and nodes are filtered once for each class; a heap
// then gives each Pod of the class the best node in logarithmic time. filter.go has the named filters, class.go the
// classes and their heaps, node.go the sums that the caller keeps per node, failure.go the words for what fits
// nowhere.
package scheduler

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Name is the scheduler that Pods get unless they name another, and the component of its events.
const Name = corev1.DefaultSchedulerName

// Snapshot is a batch of Pods and the nodes as they are. Nothing in it is changed, and plans share parts of it.
type Snapshot struct {
	// Pods are taken by descending priority, and among equals in the order given. Those that are bound, gated,
	// being deleted or another scheduler's are passed over.
	Pods []*corev1.Pod

	// Nodes are all nodes of the cluster, in any order.
	Nodes []Node

	// Limit is how many Pods may be changed in one plan; zero is any number. When it is reached with Pods left,
	// the plan wakes at Now. Pods whose failure is no news do not count, so that they hold nobody up.
	Limit int

	Now time.Time
}

// Reconcile binds every Pod that fits somewhere (an update of "binding") and tells of every Pod that does not (an
// update of "status"), the latter only where that is news. Pods that do not fit should be looked at again when a
// node or a Pod has changed; no time is set for that.
//
// Source: kubernetes v1.36 pkg/scheduler/schedule_one.go, ScheduleOne and handleSchedulingFailure;
// pkg/registry/core/pod/storage/storage.go, setPodNodeAndMetadata.
// Differs: filters for volumes, affinity between Pods and topology spread, and preemption, are not there; instead of
// adding up weighted scores, nodes are preferred for the Pod's preferences, then for having got the fewest Pods of
// the class in this batch, then for the smallest share of CPU and memory requested, then by name.
func Reconcile(s Snapshot) plan.Plan {
	b := newBatch(s)
	due := queue(s.Pods)
	limit := s.Limit
	if limit <= 0 {
		limit = len(due)
	}
	size := min(limit, len(due))
	p := plan.Plan{Updates: make([]plan.Update, 0, size), Events: make([]plan.Event, 0, size)}
	for _, pod := range due {
		if len(p.Updates) >= limit {
			p.WakeAt = s.Now
			break
		}
		c := b.classOf(pod)
		if n := c.place(b); n != nil {
			bind(&p, pod, n.Object.Name, b.now)
		} else {
			fail(&p, pod, c.failure(b), b.now)
		}
	}
	return p
}

// queue is the Pods that are to be scheduled, in order.
func queue(pods []*corev1.Pod) []*corev1.Pod {
	due := make([]*corev1.Pod, 0, len(pods))
	for _, pod := range pods {
		if pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil && len(pod.Spec.SchedulingGates) == 0 &&
			(pod.Spec.SchedulerName == Name || pod.Spec.SchedulerName == "") {
			due = append(due, pod)
		}
	}
	slices.SortStableFunc(due, func(a, b *corev1.Pod) int { return int(priority(b) - priority(a)) })
	return due
}

func priority(pod *corev1.Pod) int64 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return int64(*pod.Spec.Priority)
}

// bind gives the Pod its node.
func bind(p *plan.Plan, pod *corev1.Pod, node string, now metav1.Time) {
	next := *pod
	next.Spec.NodeName = node
	next.Status.Conditions = withScheduled(pod, corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: now,
	})
	p.Updates = append(p.Updates, plan.Update{Object: &next, Subresource: "binding"})
	p.Events = append(p.Events, plan.Event{
		Regarding: pod, Type: corev1.EventTypeNormal, Reason: "Scheduled", Component: Name,
		Message: "Successfully assigned " + pod.Namespace + "/" + pod.Name + " to " + node,
	})
}

// fail tells why the Pod has no node.
func fail(p *plan.Plan, pod *corev1.Pod, message string, now metav1.Time) {
	c := corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, LastTransitionTime: now,
		ObservedGeneration: pod.Generation, Reason: corev1.PodReasonUnschedulable, Message: message,
	}
	for i := range pod.Status.Conditions {
		old := &pod.Status.Conditions[i]
		if old.Type != c.Type {
			continue
		}
		if old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
		if *old == c {
			return
		}
	}
	next := *pod
	next.Status.Conditions = withScheduled(pod, c)
	p.Updates = append(p.Updates, plan.Update{Object: &next, Subresource: "status"})
	p.Events = append(p.Events, plan.Event{
		Regarding: pod, Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: message, Component: Name,
	})
}

// withScheduled is the Pod's conditions with c in place of its PodScheduled, or behind the others.
func withScheduled(pod *corev1.Pod, c corev1.PodCondition) []corev1.PodCondition {
	next := make([]corev1.PodCondition, 0, len(pod.Status.Conditions)+1)
	placed := false
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == c.Type {
			next, placed = append(next, c), true
			continue
		}
		next = append(next, pod.Status.Conditions[i])
	}
	if !placed {
		next = append(next, c)
	}
	return next
}
