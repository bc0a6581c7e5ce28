package scheduler

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// given is a Pod that has been started with so much CPU, and by now asks for something else.
func given(cpu string) podOption {
	return func(p *corev1.Pod) {
		list := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
		p.Generation, p.Status.StartTime = 2, &metav1.Time{Time: noon}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", AllocatedResources: list, Resources: &corev1.ResourceRequirements{Requests: list}}}
	}
}

// TestResize: for the scheduler, a Pod counts with its requests or its allocation, whichever is
// larger; for the kubelet, others count with their allocation. So Pods that wait for room do not
// wait for each other.
func TestResize(t *testing.T) {
	t.Parallel()
	const full = "Node didn't have enough resource: cpu, requested: 3500, used: 2000, capacity: 4000"
	grows, shrinks, waits := pod("grows", requesting("cpu", "2"), given("1")), pod("shrinks", requesting("cpu", "500m"), given("1")), pod("waits", requesting("cpu", "3500m"), given("1"))
	c := cluster(with(node("n"), grows, shrinks, waits))
	for _, tt := range []struct {
		pod          *corev1.Pod
		wantMilliCPU int64
		want         string
	}{{grows, 2000, ""}, {shrinks, 1000, ""}, {waits, 3500, full}} {
		p := tt.pod.DeepCopy()
		p.Spec.NodeName = "n"
		if got := Requests(p).MilliCPU; got != tt.wantMilliCPU {
			t.Errorf("%s takes %d, want %d", p.Name, got, tt.wantMilliCPU)
		}
		reason, message := c.Resize(p)
		if message != tt.want || (reason != "") != (tt.want != "") || reason != "" && reason != "OutOfcpu" {
			t.Errorf("%s: %s %q, want %q", p.Name, reason, message, tt.want)
		}
	}
	if used := c.nodes["n"].Used.MilliCPU; used != 2000+1000+3500 {
		t.Errorf("%d are used", used)
	}
	for _, p := range []*corev1.Pod{grows, shrinks, waits} {
		p = p.DeepCopy()
		p.Spec.NodeName = "n"
		c.RemovePod(p)
	}
	if n := c.nodes["n"]; n.Used.MilliCPU != 0 || n.Asked.MilliCPU != 0 || n.Pods != 0 {
		t.Errorf("left are %+v", n)
	}
}

// TestKubelet_CountsWhatItHasTaken comes to the same from a node's sums as from its Pods, in
// whatever order they come, start and go.
func TestKubelet_CountsWhatItHasTaken(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := node("n")
		c := cluster(n)
		pods := map[string]*corev1.Pod{}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			name := fmt.Sprint("p-", rapid.IntRange(0, 8).Draw(t, "pod"))
			p := pods[name]
			switch {
			case p == nil:
				p = pod(name, requesting("cpu", fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "cpu"))))
				p.Spec.NodeName = "n"
				if rapid.Bool().Draw(t, "port") {
					p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80, Protocol: corev1.ProtocolTCP}}
				}
				c.AddPod(p)
			case p.Status.StartTime == nil && rapid.Bool().Draw(t, "starts"):
				p = p.DeepCopy()
				p.Status.StartTime = &metav1.Time{Time: noon}
				c.StartPod(p)
			default:
				c.RemovePod(p)
				p = nil
			}
			if pods[name] = p; p == nil {
				delete(pods, name)
			}
		}
		want := NewKubelet(n.Node)
		for _, p := range pods {
			if p.Status.StartTime != nil {
				want.node.add(Requests(p), hostPorts(p))
			}
		}
		got := c.Kubelet(n.Node)
		if got.node.Used.MilliCPU != want.node.Used.MilliCPU || got.node.Pods != want.node.Pods || len(got.node.Ports) != len(want.node.Ports) {
			t.Fatalf("%+v, want %+v", got.node, want.node)
		}
	})
}
