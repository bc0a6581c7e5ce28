package kubelet

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Reject rejects a Pod permanently.
// Source: kubernetes v1.36 pkg/kubelet/kubelet.go, rejectPod.
func Reject(pod *corev1.Pod, reason, message string) plan.Plan {
	next := pod.DeepCopy()
	next.Status.Phase, next.Status.Reason, next.Status.Message = corev1.PodFailed, reason, "Pod was rejected: "+message
	return plan.Plan{
		Updates: []plan.Update{{Object: next, Subresource: "status"}},
		Events: []plan.Event{{
			Regarding: pod, Type: corev1.EventTypeWarning, Reason: reason, Message: message, Component: "kubelet", Host: pod.Spec.NodeName,
		}},
	}
}
