package scheduler

import (
	"cmp"
	"container/heap"

	corev1 "k8s.io/api/core/v1"
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
