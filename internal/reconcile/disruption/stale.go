package disruption

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// StaleTimeout is how long a Pod may be the target of a disruption without being deleted.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, stalePodDisruptionTimeout
const StaleTimeout = 2 * time.Minute

// Target is a Pod that may be the target of a disruption. The Pod is shared and never modified.
type Target struct {
	Pod *corev1.Pod
	Now time.Time
}

// ClearStale sets the Pod's DisruptionTarget condition to False if it has been True for
// StaleTimeout and the Pod was not deleted. It is pure.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, syncStalePodDisruption
func ClearStale(t Target) plan.Plan {
	stale := MayGoStale(t.Pod)
	if stale == nil {
		return plan.Plan{}
	}
	if due := stale.LastTransitionTime.Add(StaleTimeout); due.After(t.Now) {
		return plan.Plan{WakeAt: due}
	}
	next := *t.Pod
	next.Status.Conditions = slices.Clone(t.Pod.Status.Conditions)
	for i := range next.Status.Conditions {
		if c := &next.Status.Conditions[i]; c.Type == corev1.DisruptionTarget {
			*c = corev1.PodCondition{
				Type: c.Type, Status: corev1.ConditionFalse, ObservedGeneration: t.Pod.Generation,
				LastTransitionTime: metav1.NewTime(t.Now).Rfc3339Copy(),
			}
		}
	}
	return plan.Plan{Updates: []plan.Update{{Object: &next, Subresource: "status"}}}
}

// MayGoStale is the condition that marks a Pod as the target of a disruption; nil if it has none,
// or if the condition stays: the Pod is being deleted or has ended, or the kubelet set it, which
// may take long to stop the Pod. The result is part of the Pod.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, nonTerminatingPodHasStaleDisruptionCondition
func MayGoStale(pod *corev1.Pod) *corev1.PodCondition {
	if pod == nil || pod.DeletionTimestamp != nil || podstate.Terminal(pod) {
		return nil
	}
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason != corev1.PodReasonTerminationByKubelet {
			return c
		}
	}
	return nil
}
