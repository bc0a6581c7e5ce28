package kubelet

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// sliceOf has ready endpoints of Pods of these names.
func sliceOf(pods ...string) *discoveryv1.EndpointSlice {
	slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: new("http"), Port: new(int32(80))}}}
	for i, pod := range pods {
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{fmt.Sprintf("10.244.%d.%d", i/250, i%250)}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod},
		})
	}
	return slice
}

// TestTurns: connections go to all endpoints alike.
func TestTurns(t *testing.T) {
	t.Parallel()
	s := service("default", "web", "10.96.0.20", nil)
	pods := []string{"canary", "a", "b", "c", "d", "e", "f", "g", "h", "i"}
	o := behindServices(s, sliceOf(pods...))
	got := map[string]int{}
	for n := range 10_000 {
		c := Client{UID: "client", Address: "10.128.0.1", Node: "node-1", number: 3 * n}
		w, known := o.way(c, kernel.Query{Kind: kernel.QueryTCP, Address: "10.96.0.20", Port: 8080})
		if !known || len(w.to) != 1 {
			t.Fatalf("the way is %+v, known %v", w, known)
		}
		got[w.to[0].host.Pod]++
	}
	for _, pod := range pods {
		if n := got[pod]; n < 900 || n > 1100 {
			t.Errorf("%s got %d of 10,000 connections, of ten endpoints", pod, n)
		}
	}
}

// TestAffinity: a client stays with an endpoint as long as that is there and it connects often
// enough.
func TestAffinity(t *testing.T) {
	t.Parallel()
	s := service("default", "web", "10.96.0.20", func(s *corev1.Service) {
		s.Spec.SessionAffinity = corev1.ServiceAffinityClientIP
		s.Spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: new(int32(60))}}
	})
	pods := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	var remembered []affinity
	connects := 0
	connect := func(at time.Duration, gone string) string {
		t.Helper()
		behind := sliceOf(pods...)
		behind.Endpoints = slices.DeleteFunc(behind.Endpoints, func(e discoveryv1.Endpoint) bool { return e.TargetRef.Name == gone })
		k := newSync(Snapshot{Pod: bound(nginx()), Node: node(), Images: images, Now: noon.Add(at), Outside: behindServices(s, behind)})
		k.runtime = emulator.New("client", 1, 0, noon.Add(at))
		k.memory.Affinity = remembered
		connects++
		k.connect(kernel.Query{ID: connects, Kind: kernel.QueryTCP, Address: "10.96.0.20", Port: 8080})
		if remembered = k.memory.Affinity; len(remembered) != 1 {
			t.Fatalf("affinities %+v", remembered)
		}
		return remembered[0].Host.Pod
	}
	first := connect(0, "")
	for i := range 20 {
		if got := connect(time.Duration(i)*50*time.Second, ""); got != first {
			t.Fatalf("connection %d went to %s, the first to %s", i, got, first)
		}
	}
	drawn := map[string]bool{}
	for i := range 20 {
		drawn[connect(time.Hour+time.Duration(i)*61*time.Second, "")] = true
	}
	if len(drawn) < 4 {
		t.Errorf("after pauses of 61 s all connections went to %v", drawn)
	}
	last := remembered[0].Host.Pod
	moved := connect(2*time.Hour, last)
	if again := connect(2*time.Hour+time.Second, ""); moved == last || again != moved {
		t.Errorf("%s is gone: to %s, and when it is back to %s", last, moved, again)
	}
}

// behindServices is what was looked up of a Service.
func behindServices(s *corev1.Service, behind ...*discoveryv1.EndpointSlice) *Outside {
	return &Outside{Services: map[Subject]*corev1.Service{{Address: s.Spec.ClusterIP}: s}, Slices: map[string][]*discoveryv1.EndpointSlice{key(s): behind}}
}
