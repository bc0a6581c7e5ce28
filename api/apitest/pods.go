package apitest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/internal/emulator"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// Inside answers requests to Pods on port 80 and records the last one.
type Inside struct {
	mu     sync.Mutex
	Asked  emulator.Query
	Answer emulator.Answer // of port 80
}

// Serve implements connect.Inside.
func (f *Inside) Serve(_ context.Context, _ *object.Version, q emulator.Query) (emulator.Answer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case q.Kind == emulator.QueryTCP && (q.Port == 80 || q.Port == 6379):
		return emulator.Answer{}, nil
	}
	f.Asked = q
	switch q.Port {
	case 80:
		return f.Answer, nil
	case 6379:
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}, nil
	}
	return emulator.Answer{Outcome: emulator.OutcomeRefused}, nil
}

// NewClusterWithPods returns a cluster with two nodes, one of them unreachable, a Pod on each, and Services.
func NewClusterWithPods(t *testing.T, options ...func(*api.Deps)) (*Cluster, *Inside) {
	t.Helper()
	inside := &Inside{Answer: emulator.Answer{Status: 200, Header: []string{"Content-Type: text/plain"}, Body: "hello"}}
	c := NewCluster(t, append(options, func(d *api.Deps) { d.Kube.Inside = inside })...)
	c.Store(t, Node("n", nil))
	c.Store(t, Node("lost", map[string]string{outage.Record: "unreachable 2026-01-02T03:00:00Z"}))
	for i, on := range []string{"n", "lost"} {
		p := PodOnNode("p-"+on, Running("c", "run-1"))
		p.UID, p.Spec.NodeName, p.Status.PodIP = p.UID+"-1", on, fmt.Sprintf("10.0.0.%d", i+1)
		p.Status.PodIPs = []corev1.PodIP{{IP: p.Status.PodIP}}
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}}
		c.Store(t, p)
	}
	c.Store(t, PodOnNode("starting", Waiting("c", "ContainerCreating")))
	for name, subsets := range map[string][]corev1.EndpointSubset{
		"web": {{
			Addresses: []corev1.EndpointAddress{
				{IP: "10.0.0.9"}, {IP: "10.0.0.1", TargetRef: &corev1.ObjectReference{Namespace: "default", Name: "p-n"}},
			},
			Ports: []corev1.EndpointPort{{Name: "http", Port: 80}, {Name: "other", Port: 81}},
		}},
		"none": nil,
	} {
		c.Store(t, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: "s"}, Spec: corev1.ServiceSpec{
			Ports: []corev1.ServicePort{{Name: "http", Port: 8080}, {Name: "other", Port: 8081}},
		}})
		c.Store(t, &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: "e"}, Subsets: subsets})
	}
	return c, inside
}

// PodOnNode returns a Pod on node n with a container for each status.
func PodOnNode(name string, statuses ...corev1.ContainerStatus) *corev1.Pod {
	p := Pod(name)
	p.Spec.NodeName = "n"
	p.Spec.Containers = nil
	for _, s := range statuses {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: s.Name, Image: "busybox"})
	}
	p.Status.ContainerStatuses = statuses
	podkind.Kind.Default(p)
	return p
}

// Running returns the status of a container that runs.
func Running(name, id string) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, ContainerID: id, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
}

// Waiting returns the status of a container that waits.
func Waiting(name, reason string) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}}
}

// Ended returns the state of a container that has ended.
func Ended(id string) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ContainerID: id}}
}
