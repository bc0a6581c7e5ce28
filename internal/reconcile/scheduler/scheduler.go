// Package scheduler decides which node each pending Pod is bound to.
//
// Pods come in batches. Those that ask for the same are one class: what does not change within a
// batch is asked once for each class and node, and what the placements of the batch change is kept
// up by reading their log. So a Pod costs a comparison of a few numbers for each node. Pods that
// fit nowhere wait in cohorts, of which a batch tries one Pod each: see backlog.go and queue.go.
// cluster.go has the nodes, their sums and the groups of Pods that the caller keeps up, filter.go
// the named filters, score.go the scores, class.go the classes, term.go and topology.go affinity
// between Pods, spread.go how evenly they are spread, volume.go and device.go what Pods' claims ask
// of nodes, failure.go the words for what fits nowhere, preempt.go who makes room for whom.
package scheduler

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
)

// Name is the scheduler that Pods get unless they name another, and the component of its events.
const Name = corev1.DefaultSchedulerName

// Snapshot is a batch of Pods and the cluster as it is. Nothing in it is changed, and plans share parts of it.
type Snapshot struct {
	// Pods are taken by descending priority, then by age, and among equals in the order given.
	// Those that are bound, gated, being deleted or another scheduler's are passed over. With one
	// that has been found not to fit before come those that ask for the same.
	Pods []*corev1.Pod

	// Freed says that room may have become free for any of the cluster's pending Pods, so that these are taken besides.
	Freed bool

	// Cluster is the nodes and the Pods on them.
	Cluster *Cluster

	// Related finds what Pods are related to; nil for a cluster without namespaces' labels, Services, workloads, and Pods that could be
	// deleted to make room.
	Related Related

	// Storage finds the Pods' claims; nil for a cluster in which Pods have none.
	Storage Storage

	// Devices finds the Pods' ResourceClaims; nil for a cluster in which they are not looked at.
	Devices Devices

	// Limit is how many Pods may be changed in one plan; zero is any number. When it is reached with Pods left, or when there are more
	// cohorts than are tried at once, the plan wakes at Now. Pods whose failure is no news do not count, so that they hold nobody up. A
	// plan may exceed the limit by the Pods that make room for its last.
	Limit int

	Now time.Time
}

// Reconcile binds every Pod that fits somewhere (an update of "binding") and tells of every Pod that does not (an
// update of "status"), the latter only where that is news. For a Pod that would fit if Pods of lower priority went, those are
// deleted, and the Pod is given a nominated node, where room is kept for it. Pods that do not fit should be looked at again when a
// node or a Pod has changed; no time is set for that.
//
// Source: kubernetes v1.36 pkg/scheduler/schedule_one.go, ScheduleOne and handleSchedulingFailure;
// pkg/registry/core/pod/storage/storage.go, setPodNodeAndMetadata.
// Differs: filters for how many volumes a node takes are not there, nor scores for images. A Pod whose volumes
// are made or bound for its node is bound by a later look, when they are. All nodes are scored, however many there are;
// of equal ones the one wins that got fewest Pods of the class in this batch, then that with the smallest share of CPU and
// memory requested, then the first by name, rather than a random one. A Pod that failed is tried once more at the end of the batch
// if others that were placed meanwhile may help it.
func Reconcile(s Snapshot) plan.Plan {
	p, _ := Schedule(s)
	return p
}

// examinedAtMost bounds how many Pods a batch considers for deletion before it is full: while it is made, the mirror is held.
const examinedAtMost = 20_000

// full says whether the batch should end. It has changed something then, or found out about some cohort, so that the next one gets further.
func (b *batch) full() bool {
	return len(b.plan.Updates) >= b.limit || len(b.plan.Deletes) > b.limit ||
		b.examined > examinedAtMost && len(b.plan.Updates)+len(b.refused)+len(b.tried.cohorts) > 0
}

// result is what became of a Pod that was tried.
type result int

const (
	undecided result = iota // others that are placed later may help it
	refused                 // it fits nowhere, and has been told so
	settled                 // it has a node, or is to have one
)

// schedule finds a node for the Pod or tells that there is none; the latter not before the last try if others may yet help it.
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

// placeFor is the best node for the Pod, -1 for none. It does not look for one where it has found none for another Pod of the class since
// the batch last changed something.
func (b *batch) placeFor(c *class, pod *corev1.Pod) int {
	if c.failedAt == b.version+1 && pod.Status.NominatedNodeName == "" {
		return -1
	}
	return c.place(b, pod)
}

func priority(pod *corev1.Pod) int64 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return int64(*pod.Spec.Priority)
}

// bind gives the Pod its node, if the object that it needs has been changed before. A nomination ends with that.
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

// settle ends the Pod's nomination for any other node than the one that it gets; whoever was kept away from that one is looked at again.
func (b *batch) settle(pod *corev1.Pod, node string) {
	if pod.Status.NominatedNodeName == "" {
		return
	}
	b.withdraw(pod.UID)
	if pod.Status.NominatedNodeName != node {
		b.plan.WakeAt = b.now.Time
	}
}

// fail tells why the Pod has no node, and makes room for it if Pods of lower priority can be deleted.
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

// tell writes why the Pod has no node, if that is news.
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
