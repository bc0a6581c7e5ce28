package nodelifecycle

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// quarantine is how long a node must be missing before its Pods are collected.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, quarantineTime.
const quarantine = 40 * time.Second

// DefaultEndedPods is how many ended Pods are kept.
// Source: kubernetes v1.36 pkg/controller/podgc/config/v1alpha1/defaults.go, TerminatedPodGCThreshold.
const DefaultEndedPods = 12_500

// deletionByPodGC is the reason why a Pod is a DisruptionTarget.
const deletionByPodGC = "DeletionByPodGC"

// Orphan is a Pod that is bound to a node that does not exist. It is not modified.
type Orphan struct {
	Pod *corev1.Pod

	// Missing is since when the node has been missing; zero if unknown: then it counts as missing
	// since the Pod was bound.
	Missing time.Time
	Now     time.Time
}

// CollectOrphan first fails the Pod, and then deletes it without a grace period.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, gcOrphaned and
// markFailedAndDeletePodWithCondition.
func CollectOrphan(o Orphan) plan.Plan {
	pod := o.Pod
	if pod.Spec.NodeName == "" || podstate.Released(pod) {
		return plan.Plan{}
	}
	missing := o.Missing
	if missing.IsZero() {
		missing = pod.CreationTimestamp.Time
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodScheduled {
				missing = c.LastTransitionTime.Time
			}
		}
	}
	if due := missing.Add(quarantine); o.Now.Before(due) && !givenUp(pod) {
		return plan.Plan{WakeAt: due}
	}
	failed, done := collect(pod, &corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: pod.Generation,
		LastTransitionTime: metav1.Time{Time: o.Now.Truncate(time.Second)},
		Reason:             deletionByPodGC, Message: "PodGC: node no longer exists",
	})
	if done {
		zero := int64(0)
		return plan.Plan{Deletes: []plan.Delete{{Object: pod, GracePeriodSeconds: &zero}}}
	}
	return plan.Plan{Updates: []plan.Update{{Object: failed, Subresource: "status"}}, WakeAt: o.Now}
}

// collect is what a Pod must become before it is removed: failed, and with the condition, unless
// that is nil. done is true if it has ended and may be removed.
func collect(pod *corev1.Pod, condition *corev1.PodCondition) (failed *corev1.Pod, done bool) {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return nil, true
	}
	next := *pod
	next.Status.Phase, next.Status.ObservedGeneration = corev1.PodFailed, pod.Generation
	if condition == nil {
		return &next, false
	}
	next.Status.Conditions = nil
	for _, c := range pod.Status.Conditions {
		if c.Type != condition.Type {
			next.Status.Conditions = append(next.Status.Conditions, c)
		}
	}
	next.Status.Conditions = append(next.Status.Conditions, *condition)
	return &next, false
}

// givenUp reports whether the Pod was already failed here, so that only its deletion is left. This
// holds regardless of what is now known about when the node disappeared.
func givenUp(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodFailed && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Reason == deletionByPodGC
	})
}

// EndedBurst is how many ended Pods one sync collects at most.
const EndedBurst = PodsBurst

// Ended are the ended Pods to collect: the first by podstate.CompareEnded, at most EndedBurst,
// without those for which podstate.Collected is true. More is true if there are more to collect.
// They are not modified.
type Ended struct {
	Pods []*corev1.Pod
	More bool
	Now  time.Time
}

// CollectEnded removes the Pods.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, gcTerminated.
func CollectEnded(e Ended) plan.Plan {
	var p plan.Plan
	for _, pod := range e.Pods {
		zero := int64(0)
		p.Deletes = append(p.Deletes, plan.Delete{Object: pod, GracePeriodSeconds: &zero})
	}
	if e.More {
		p.WakeAt = e.Now
	}
	return p
}
