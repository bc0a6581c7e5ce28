package network

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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
		if !known || len(w.To) != 1 {
			t.Fatalf("the way is %+v, known %v", w, known)
		}
		got[w.To[0].Host.Pod]++
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
	var remembered []Affinity
	connects := 0
	connect := func(at time.Duration, gone string) string {
		t.Helper()
		behind := sliceOf(pods...)
		behind.Endpoints = slices.DeleteFunc(behind.Endpoints, func(e discoveryv1.Endpoint) bool { return e.TargetRef.Name == gone })
		client := Client{UID: "client", Address: "10.128.0.1", Node: "node-1", Affinity: remembered, number: connects}
		connects++
		var known bool
		q := kernel.Query{Kind: kernel.QueryTCP, Address: "10.96.0.20", Port: 8080}
		if _, remembered, known = behindServices(s, behind).Connect(client, q, noon.Add(at)); !known || len(remembered) != 1 {
			t.Fatalf("known %v, affinities %+v", known, remembered)
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
