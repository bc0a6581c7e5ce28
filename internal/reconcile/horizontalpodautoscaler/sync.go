package horizontalpodautoscaler

import (
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// component is the controller's name in events.
const component = "horizontal-pod-autoscaler"

// The flags of kube-controller-manager for autoscalers, with their defaults.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/config/v1alpha1/defaults.go
const (
	Period                  = 15 * time.Second
	defaultStabilization    = 5 * time.Minute
	defaultTolerance        = 0.1
	cpuInitialization       = 5 * time.Minute
	initialReadinessDelay   = 30 * time.Second
	scaleUpLimitFactor      = 2
	scaleUpLimitMinimum     = 4
	defaultMinReplicas      = 1
	noReplicas              = -1 // the proposal of a failed computation
	reasonFailedGetScale    = "FailedGetScale"
	reasonInvalidSelector   = "InvalidSelector"
	reasonAmbiguousSelector = "AmbiguousSelector"
)

// sync is one sync of an autoscaler: its new status, its memory, and the plan as it grows.
type sync struct {
	Snapshot
	spec   *autoscalingv2.HorizontalPodAutoscalerSpec
	status autoscalingv2.HorizontalPodAutoscalerStatus
	memory memory
	plan   plan.Plan
}

// least is the minimum number of replicas.
func (y *sync) least() int32 {
	if n := y.spec.MinReplicas; n != nil {
		return *n
	}
	return defaultMinReplicas
}

func (y *sync) setStatus(current, desired int32, statuses []autoscalingv2.MetricStatus) {
	y.status = autoscalingv2.HorizontalPodAutoscalerStatus{
		CurrentReplicas: current, DesiredReplicas: desired, CurrentMetrics: statuses,
		LastScaleTime: y.status.LastScaleTime, Conditions: y.status.Conditions,
	}
}

func (y *sync) event(eventType, reason, message string) {
	y.plan.Events = append(y.plan.Events, plan.Event{Regarding: y.Autoscaler, Type: eventType, Reason: reason, Message: message, Component: component})
}

// condition sets a condition. Its time changes only with its status.
func (y *sync) condition(of autoscalingv2.HorizontalPodAutoscalerConditionType, status corev1.ConditionStatus, reason, message string) {
	for i := range y.status.Conditions {
		if c := &y.status.Conditions[i]; c.Type == of {
			if c.Status != status {
				c.LastTransitionTime = metav1.NewTime(y.Now).Rfc3339Copy()
			}
			c.Status, c.Reason, c.Message = status, reason, message
			return
		}
	}
	y.status.Conditions = append(y.status.Conditions, autoscalingv2.HorizontalPodAutoscalerCondition{
		Type: of, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.NewTime(y.Now).Rfc3339Copy(),
	})
}

func (y *sync) removeCondition(of autoscalingv2.HorizontalPodAutoscalerConditionType) {
	kept := y.status.Conditions[:0]
	for _, c := range y.status.Conditions {
		if c.Type != of {
			kept = append(kept, c)
		}
	}
	y.status.Conditions = kept
}
