package kubelet

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/image"
)

var (
	noon   = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	images = image.New(image.Known()...)
)

func node() *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "node-1"},
		Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: "10.0.0.1"}, {Type: corev1.NodeHostName, Address: "node-1"},
		}},
	}
}

// bound is a Pod that the scheduler has just bound, with one container.
func bound(c corev1.Container) *corev1.Pod {
	grace := int64(30)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1", UID: "11111111-1111-1111-1111-111111111111",
			ResourceVersion: "7", Generation: 1, CreationTimestamp: metav1.Time{Time: noon}},
		Spec: corev1.PodSpec{NodeName: "node-1", RestartPolicy: corev1.RestartPolicyAlways,
			TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{c}},
		Status: corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBestEffort,
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue,
				LastTransitionTime: metav1.Time{Time: noon}}}},
	}
}

func nginx() corev1.Container {
	return corev1.Container{Name: "nginx", Image: "nginx:1.14.2", ImagePullPolicy: corev1.PullIfNotPresent}
}

func BenchmarkStart(b *testing.B) {
	s := Snapshot{Pod: bound(nginx()), Node: node(), Address: "10.244.0.2", Images: images, Now: noon}
	b.ReportAllocs()
	for b.Loop() {
		Reconcile(s)
	}
}

func BenchmarkNothingToDo(b *testing.B) {
	s := Snapshot{Pod: bound(nginx()), Node: node(), Address: "10.244.0.2", Images: images, Now: noon}
	s.Pod = Reconcile(s).Updates[0].Object.(*corev1.Pod)
	b.ReportAllocs()
	for b.Loop() {
		Reconcile(s)
	}
}

