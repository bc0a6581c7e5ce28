// Package scheduler decides to which node each pending Pod is bound.
//
// Pods come in batches. Pods with the same requirements are one class. What does not change within
// a batch is computed once for each class and node; the effects of the batch's placements are
// updated from their log. So a Pod costs a comparison of a few numbers for each node. Pods that fit
// nowhere wait in cohorts, and a batch tries one Pod of each: see backlog.go and queue.go.
// cluster.go has the nodes, their sums and the groups of Pods that the caller maintains, filter.go
// the filters, score.go the scores, class.go the classes, term.go and topology.go the affinity
// between Pods, spread.go topology spread, volume.go and device.go the requirements of Pods'
// claims, failure.go the messages for what fits nowhere, and preempt.go preemption.
package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
)

// Reconcile binds every Pod that fits somewhere (an update of "binding") and sets the condition of
// every Pod that does not (an update of "status"), if it changes. If a Pod would fit without Pods
// of lower priority, Reconcile deletes those and gives the Pod a nominated node, where room is
// reserved for it. Pods that do not fit should be tried again when a node or a Pod has changed; the
// plan sets no time for that.
//
// Source: kubernetes v1.36 pkg/scheduler/schedule_one.go, ScheduleOne and handleSchedulingFailure;
// pkg/registry/core/pod/storage/storage.go, setPodNodeAndMetadata.
// Differs: there are no filters for the number of volumes per node, and no scores for images. A Pod
// whose volumes must be created or bound for its node is bound by a later batch, once they are. All
// nodes are scored, regardless of their number. Among equal nodes the winner is the one with the
// fewest Pods of the class in this batch, then the one with the smallest share of CPU and memory
// requested, then the first by name, rather than a random one. A Pod that failed is tried once more
// at the end of the batch if Pods placed in the meantime may help it.
func Reconcile(s Snapshot) plan.Plan {
	p, _ := Schedule(s)
	return p
}

// examinedAtMost is how many Pods a batch may consider for deletion before it is full: the mirror
// is held during the batch.
const examinedAtMost = 20_000

// full reports whether the batch should end. By then it has changed something or learned something
// about a cohort, so that the next batch makes progress.
func (b *batch) full() bool {
	return len(b.plan.Updates) >= b.limit || len(b.plan.Deletes) > b.limit ||
		b.examined > examinedAtMost && len(b.plan.Updates)+len(b.refused)+len(b.tried.cohorts) > 0
}

// schedule finds a node for the Pod or sets the condition that none fits. If other Pods may yet
// help, it does the latter only on the last try.
func (b *batch) schedule(pod *corev1.Pod, last bool) result {
	if b.denominated[pod.UID] {
		return settled
	}
	c := b.classOf(pod)
	if c.devices != nil && c.devices.later {
		b.plan.WakeAt = b.now.Time
		return settled
	}
	if i := b.placeFor(c, pod); i >= 0 {
		if b.awaits(c, pod, i) {
			b.tried.cohorts[cohortKey(pod, b.nodes[i].Object.Name)] = true
			return settled
		}
		b.give(c, pod, i)
		var needs types.UID
		if c.devices != nil {
			needs = c.devices.take(pod, b.nodes[i].Object)
		}
		b.bind(pod, b.nodes[i].Object.Name, needs)
		return settled
	}
	if !last && minglesBy(&pod.Spec) {
		return undecided
	}
	return b.fail(c, pod)
}

// placeFor is the best node for the Pod; -1 if none fits. It does not search if it has found none
// for another Pod of the class since the batch last changed something.
func (b *batch) placeFor(c *class, pod *corev1.Pod) int {
	if c.failedAt == b.version+1 && pod.Status.NominatedNodeName == "" {
		return -1
	}
	return c.place(b, pod)
}

// bind binds the Pod to its node. The binding takes effect only if the update of the object that it
// needs does. It ends a nomination.
func (b *batch) bind(pod *corev1.Pod, node string, needs types.UID) {
	b.settle(pod, node)
	next := *pod
	next.Spec.NodeName = node
	next.Status.NominatedNodeName = ""
	next.Status.Conditions = withScheduled(pod, corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: b.now,
	})
	b.plan.Updates = append(b.plan.Updates, plan.Update{Object: &next, Subresource: "binding", NeedsUpdate: needs})
	b.plan.Events = append(b.plan.Events, plan.Event{
		Regarding: pod, Type: corev1.EventTypeNormal, Reason: "Scheduled", Component: Name,
		Message: "Successfully assigned " + pod.Namespace + "/" + pod.Name + " to " + node,
	})
}

// settle ends the Pod's nomination for any node except the one it gets. Pods that the nomination
// kept away are tried again.
func (b *batch) settle(pod *corev1.Pod, node string) {
	if pod.Status.NominatedNodeName == "" {
		return
	}
	b.withdraw(pod.UID)
	if pod.Status.NominatedNodeName != node {
		b.plan.WakeAt = b.now.Time
	}
}

// fail sets the condition that says why the Pod has no node, and makes room for it if Pods of lower
// priority can be deleted.
func (b *batch) fail(c *class, pod *corev1.Pod) result {
	f := c.fail(b, pod)
	nominated := pod.Status.NominatedNodeName
	switch {
	case f.room != nil:
		nominated = f.room.node
	case f.hopeless:
		nominated = ""
	}
	if nominated != pod.Status.NominatedNodeName {
		b.settle(pod, nominated)
	}
	b.tell(pod, f.message, nominated)
	if f.room == nil {
		b.message = f.message
		return refused
	}
	b.makeRoom(c, pod, f.room)
	b.tried.cohorts[cohortKey(pod, nominated)] = true
	return settled
}

// tell writes why the Pod has no node, if that has changed.
func (b *batch) tell(pod *corev1.Pod, message, nominated string) {
	c := corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, LastTransitionTime: b.now,
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
		if *old == c && nominated == pod.Status.NominatedNodeName {
			return
		}
	}
	next := *pod
	next.Status.NominatedNodeName = nominated
	next.Status.Conditions = withScheduled(pod, c)
	b.plan.Updates = append(b.plan.Updates, plan.Update{Object: &next, Subresource: "status"})
	b.plan.Events = append(b.plan.Events, plan.Event{
		Regarding: pod, Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: message, Component: Name,
	})
}

// withScheduled is the Pod's conditions with c in place of its PodScheduled, or appended.
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
