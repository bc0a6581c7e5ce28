package scheduler

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

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
