// Package scheduler decides to which node each pending Pod is bound.
//
// Pods come in batches. Pods with the same requirements are one class. What does not change within
// a batch is computed once for each class and node; the effects of the batch's placements are
// updated from their log. So a Pod costs a comparison of a few numbers for each node. Pods that fit
// nowhere wait in cohorts, and a batch tries one Pod of each.
//
// scheduler.go has the steps of a batch. It tries Pods in the order of queue.go; backlog.go chooses
// the cohorts. For each Pod it finds the class (class.go), the nodes that pass the filters
// (filter.go) and the best of them (score.go). Requirements beyond the node itself are in term.go
// and topology.go (affinity between Pods), spread.go (topology spread), and volume.go and device.go
// (claims). For Pods that fit nowhere, failure.go finds the reason, preempt.go makes room, and
// tell.go writes the condition. The caller maintains what cluster.go and node.go hold: the nodes,
// their sums and the groups of Pods on them.
package scheduler

import (
	"container/heap"
	"math"
	"slices"

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

// Schedule is Reconcile, and also returns what it has learned about the cluster's waiting Pods: see
// Cluster.Note.
func Schedule(s Snapshot) (plan.Plan, Tried) {
	if s.Cluster == nil {
		s.Cluster = NewCluster()
	}
	backlog := s.Cluster.backlog
	if s.Limit <= 0 {
		s.Limit = math.MaxInt
	}
	var cohorts []*cohort
	var more bool
	if s.Related != nil {
		cohorts, more = backlog.pick(s.Pods, s.Freed)
		if s.Freed {
			s.Pods = s.alsoUntried()
			more = more || backlog.untried.Len() > s.Limit
		}
	}
	b := newBatch(s)
	size := min(s.Limit, len(s.Pods)+len(cohorts))
	b.plan = plan.Plan{Updates: make([]plan.Update, 0, size), Events: make([]plan.Event, 0, size)}
	if again := b.try(b.newQueue(s.Pods, cohorts), false); !b.cut {
		heap.Init(&again)
		b.try(&again, true)
	}
	b.tellOthers()
	if b.cut || more {
		b.plan.WakeAt = s.Now
	}
	for _, u := range b.plan.Updates {
		uid := u.Object.GetUID()
		b.tried.changed[uid] = backlog.members[uid]
	}
	return b.plan, b.tried
}

// alsoUntried is the snapshot's Pods and, up to the limit, the cluster's untried Pods.
func (s Snapshot) alsoUntried() []*corev1.Pod {
	pods := slices.Clone(s.Pods)
	known := make(map[string]bool, len(pods))
	for _, pod := range pods {
		known[string(pod.UID)] = true
	}
	n := 0
	s.Cluster.backlog.untried.Scan(func(m *member) bool {
		if n++; !known[string(m.uid)] {
			if pod := s.Related.Pod(m.uid); pod != nil {
				pods = append(pods, pod)
			}
		}
		return n < s.Limit
	})
	return pods
}

// try works through a queue until the batch is full, and returns the entries that Pods placed later
// may help. If last is true it returns none: a Pod that does not fit is refused at once.
func (b *batch) try(q *queue, last bool) (again queue) {
	for q.Len() > 0 {
		if b.full() {
			b.cut = true
			return again
		}
		e := heap.Pop(q).(entry)
		switch done := b.schedule(e.pod, last); done {
		case undecided:
			again = append(again, e)
		case refused:
			b.refuse(e)
		case settled:
			if next, some := b.after(e); some {
				heap.Push(q, next)
			}
		}
	}
	return again
}

// result is the outcome of trying a Pod.
type result int

const (
	undecided result = iota // Pods placed later may help it
	refused                 // it fits nowhere, and its condition says so
	settled                 // it has a node, or will get one
)

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
