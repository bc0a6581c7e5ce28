package scheduler

import (
	"cmp"
	"container/heap"
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// entry is a Pod to try: the next of a cohort, or one by itself.
type entry struct {
	pod    *corev1.Pod
	cohort *cohort // nil for a Pod by itself
	member *member // of the cohort
	given  int     // its place in the order given
}

// queue is what a batch has yet to try: by descending priority, then by age; among equals cohorts
// first, and others in the given order.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/queuesort/priority_sort.go.
// Differs: among equals the older Pod goes first, not the one that has been in the queue for
// longer.
type queue []entry

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	order := cmp.Or(cmp.Compare(priority(b.pod), priority(a.pod)), a.pod.CreationTimestamp.Compare(b.pod.CreationTimestamp.Time))
	if order == 0 && a.cohort != nil && b.cohort != nil {
		return compareMembers(a.member, b.member) < 0
	}
	return cmp.Or(order, cmp.Compare(a.given, b.given)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(x any) { *q = append(*q, x.(entry)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}

// newQueue contains the Pods to schedule that are not in a cohort, and the oldest of each cohort.
func (b *batch) newQueue(pods []*corev1.Pod, cohorts []*cohort) *queue {
	q := make(queue, 0, len(pods)+len(cohorts))
	for i, pod := range pods {
		if m := b.cluster.backlog.members[pod.UID]; eligible(pod) && (m == nil || m.cohort == nil || b.related == nil) {
			q = append(q, entry{pod: pod, given: i})
		}
	}
	for _, c := range cohorts {
		if e, some := b.nextOf(c, c.oldest); some {
			q = append(q, e)
		}
	}
	heap.Init(&q)
	return &q
}

// nextOf is the first schedulable Pod of a cohort, starting at a member.
func (b *batch) nextOf(c *cohort, from *member) (e entry, some bool) {
	if b.related == nil {
		return e, false
	}
	c.members.Ascend(from, func(m *member) bool {
		if pod := b.related.Pod(m.uid); pod != nil && eligible(pod) {
			e, some = entry{pod: pod, cohort: c, member: m, given: -1}, true
		}
		return !some
	})
	return e, some
}

// after is the entry of the next Pod in the same cohort.
func (b *batch) after(e entry) (next entry, some bool) {
	if e.cohort == nil {
		return next, false
	}
	var following *member
	e.cohort.members.Ascend(e.member, func(m *member) bool {
		if m != e.member {
			following = m
		}
		return following == nil
	})
	if following == nil {
		return next, false
	}
	return b.nextOf(e.cohort, following)
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

// refuse records that a Pod does not fit, and with it the untried Pods of its cohort.
func (b *batch) refuse(e entry) {
	if e.cohort != nil {
		b.refused = append(b.refused, refusedCohort{e.cohort, e.pod, b.message})
		return
	}
	key := cohortKey(e.pod, e.pod.Status.NominatedNodeName)
	if known := b.cluster.backlog.cohorts[key]; known == nil || len(known.told) == 1 && known.told[b.message] != nil {
		b.tried.cohorts[key] = true
	}
}

// refusedCohort is a cohort with a Pod that does not fit, and the message for all its Pods.
type refusedCohort struct {
	*cohort
	told    *corev1.Pod // already has the message
	message string
}

// tellOthers writes to the Pods of the refused cohorts why they do not fit, if their condition does
// not yet say so and until the batch is full.
func (b *batch) tellOthers() {
	for _, r := range b.refused {
		b.tried.cohorts[r.key] = b.tellCohort(r)
	}
}

// tellCohort reports whether all Pods of the cohort have the message.
func (b *batch) tellCohort(r refusedCohort) (whole bool) {
	for _, said := range slices.Sorted(maps.Keys(r.cohort.told)) {
		if said == r.message {
			continue
		}
		r.cohort.told[said].Scan(func(m *member) bool {
			if m.uid == r.told.UID {
				return true
			}
			if b.full() || b.retold >= b.limit {
				b.cut = true
				return false
			}
			b.retold++
			if pod := b.related.Pod(m.uid); pod != nil && eligible(pod) {
				b.tell(pod, r.message, "")
			}
			return true
		})
		if b.cut {
			return false
		}
	}
	return true
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
