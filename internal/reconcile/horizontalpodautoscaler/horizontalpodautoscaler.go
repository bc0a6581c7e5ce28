// Package horizontalpodautoscaler holds the decisions of the HorizontalPodAutoscaler controller:
// how many replicas a target should have, given its metrics, its bounds and recent recommendations.
//
// An autoscaler is reconciled every 15 seconds of cluster time, first 15 seconds after its
// creation. A change of its spec waits for the next of these times, as upstream. The
// recommendations within the stabilization windows, and how much the target was scaled within the
// periods of policies, are memory: they are stored with the autoscaler, so that any replica can
// continue.
//
// The change of the target and the status that reports it are one transaction. If the target has
// changed in the meantime, neither is written, and the autoscaler is reconciled again.
package horizontalpodautoscaler

import (
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Due reports whether an autoscaler with this memory must be reconciled. Before that Reconcile only
// waits, and reads nothing but the memory and the time.
func Due(remembered []byte, now time.Time) bool {
	m, known := decode(remembered)
	return known && !now.Before(m.Due)
}

// Reconcile decides how many replicas the target should have now, and when to decide next.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler
func Reconcile(s Snapshot) plan.Plan {
	m, known := decode(s.Memory)
	if !known {
		m.Due = s.Now.Add(Period).UTC()
		return plan.Plan{Memory: m.encode(), WakeAt: m.Due}
	}
	if s.Now.Before(m.Due) {
		return plan.Plan{WakeAt: m.Due}
	}
	m.Due = s.Now.Add(Period).UTC()
	y := sync{Snapshot: s, spec: &s.Autoscaler.Spec, status: *s.Autoscaler.Status.DeepCopy(), memory: m}
	if s.Target.Object == nil {
		y.event(corev1.EventTypeWarning, reasonFailedGetScale, s.Target.Err)
		y.condition(autoscalingv2.AbleToScale, corev1.ConditionFalse, reasonFailedGetScale,
			"the HPA controller was unable to get the target's current scale: "+s.Target.Err)
	} else {
		y.condition(autoscalingv2.AbleToScale, corev1.ConditionTrue, "SucceededGetScale", "the HPA controller was able to get the target's current scale")
		y.scale()
	}
	if !equality.Semantic.DeepEqual(y.status, s.Autoscaler.Status) {
		next := s.Autoscaler.DeepCopy()
		next.Status = y.status
		update := plan.Update{Object: next, Subresource: "status"}
		if len(y.plan.Updates) > 0 {
			update.NeedsUpdate = s.Target.Object.GetUID()
		}
		y.plan.Updates = append(y.plan.Updates, update)
	}
	y.plan.Memory, y.plan.WakeAt = y.memory.encode(), y.memory.Due
	return y.plan
}

// scale decides about an existing target.
func (y *sync) scale() {
	current, least := y.Target.Replicas, y.least()
	if y.memory.Recommendations == nil {
		y.memory.recommend(current, y.Now)
	}
	var statuses []autoscalingv2.MetricStatus
	desired, reason := current, ""
	switch {
	case current == 0:
		y.condition(autoscalingv2.ScalingActive, corev1.ConditionFalse, "ScalingDisabled", "scaling is disabled since the replica count of the target is zero")
	case current > y.spec.MaxReplicas:
		desired, reason = y.spec.MaxReplicas, "Current number of replicas above Spec.MaxReplicas"
	case current < least:
		desired, reason = least, "Current number of replicas below Spec.MinReplicas"
	default:
		proposal, found, err := y.propose()
		if statuses = found; err != "" {
			y.setStatus(current, y.status.DesiredReplicas, statuses)
			y.event(corev1.EventTypeWarning, "FailedComputeMetricsReplicas", err)
			return
		}
		if proposal.replicas > current {
			reason = proposal.metric + " above target"
		}
		if proposal.replicas < current {
			reason = "All metrics below target"
		}
		desired = y.normalize(max(proposal.replicas, 0))
	}
	y.setStatus(current, desired, statuses)
	if desired != current {
		y.rescale(desired, reason)
	}
}

// rescale changes the target.
func (y *sync) rescale(desired int32, reason string) {
	y.condition(autoscalingv2.AbleToScale, corev1.ConditionTrue, "SucceededRescale",
		fmt.Sprintf("the HPA controller was able to update the target scale to %d", desired))
	y.removeCondition(autoscalingv2.ScaledToZero)
	now := metav1.NewTime(y.Now).Rfc3339Copy()
	y.status.LastScaleTime = &now
	y.memory.scaled(y.spec.Behavior, y.Target.Replicas, desired, y.Now)
	y.plan.Updates = append(y.plan.Updates, plan.Update{Object: y.Target.Resizer.Resize(y.Target.Object, desired), Subresource: "scale"})
	y.event(corev1.EventTypeNormal, "SuccessfulRescale", fmt.Sprintf("New size: %d; reason: %s", desired, reason))
	y.plan.Events[len(y.plan.Events)-1].OfUpdate = y.Target.Object.GetUID()
}
