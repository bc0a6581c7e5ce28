package allocation_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/allocation"
)

// TestOOMScore is that of the quality of service, and of a Burstable Pod what a container leaves of
// the node's memory.
func TestOOMScore(t *testing.T) {
	t.Parallel()
	requests := func(memory string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory)}}
	}
	pod := func(class corev1.PodQOSClass, container corev1.ResourceRequirements, options ...func(*corev1.PodSpec)) *corev1.Pod {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Resources: container}}}, Status: corev1.PodStatus{QOSClass: class}}
		for _, o := range options {
			o(&pod.Spec)
		}
		return pod
	}
	none := corev1.ResourceRequirements{}
	for _, tt := range []struct {
		name string
		pod  *corev1.Pod
		want int64
	}{
		{"best effort", pod(corev1.PodQOSBestEffort, none), 1000},
		{"guaranteed", pod(corev1.PodQOSGuaranteed, requests("10Gi")), -997},
		{"critical", pod(corev1.PodQOSBestEffort, none, func(s *corev1.PodSpec) { s.PriorityClassName = "system-node-critical" }), -997},
		{"a tenth of the node", pod(corev1.PodQOSBurstable, requests("10Gi")), 900},
		{"hardly any of it", pod(corev1.PodQOSBurstable, requests("1Mi")), 999},
		{"all of it", pod(corev1.PodQOSBurstable, requests("100Gi")), 3},
		{"the Pod requests more than its container", pod(corev1.PodQOSBurstable, requests("10Gi"), func(s *corev1.PodSpec) {
			whole := requests("20Gi")
			s.Resources = &whole
		}), 800},
		{"a sidecar, as the container beside it that requests least", pod(corev1.PodQOSBurstable, requests("30Gi"), func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Name: "s", RestartPolicy: new(corev1.ContainerRestartPolicyAlways), Resources: requests("1Gi")}}
		}), 700},
	} {
		node := &corev1.Node{Status: corev1.NodeStatus{Capacity: requests("100Gi").Requests}}
		c, isSidecar := &tt.pod.Spec.Containers[0], len(tt.pod.Spec.InitContainers) > 0
		if isSidecar {
			c = &tt.pod.Spec.InitContainers[0]
		}
		if got := allocation.OOMScore(tt.pod, node, &c.Resources, isSidecar); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}
