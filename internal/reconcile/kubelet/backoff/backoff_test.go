package backoff_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/backoff"
)

func TestPullAttempt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ elapsed, latest, next time.Duration }{
		{0, 0, 10}, {9, 0, 10}, {10, 10, 30}, {29, 10, 30}, {30, 30, 70}, {70, 70, 150}, {150, 150, 310}, {310, 310, 610},
		{609, 310, 610}, {610, 610, 910}, {1e6, 310 + 300*3332, 310 + 300*3333},
	} {
		if latest, next := backoff.PullAttempt(tt.elapsed * time.Second); latest != tt.latest*time.Second || next != tt.next*time.Second {
			t.Errorf("PullAttempt(%ds) = %s, %s, want %ds, %ds", tt.elapsed, latest, next, tt.latest, tt.next)
		}
	}
}

func TestRestartDelay(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name              string
		waited, ran, want time.Duration
	}{
		{"first restart", -1, 5, 0},
		{"second", 1, 5, 10}, {"third", 10, 5, 20}, {"third, started late", 13, 5, 20}, {"fourth", 20, 5, 40},
		{"at most five minutes", 160, 5, 300}, {"and no more", 300, 5, 300}, {"after running for long", 300, 601, 0},
	} {
		end := noon.Add(tt.ran * time.Second)
		st := &corev1.ContainerStatus{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			StartedAt: metav1.Time{Time: noon}, FinishedAt: metav1.Time{Time: end}}}}
		if tt.waited >= 0 {
			st.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{FinishedAt: metav1.Time{Time: noon.Add(-tt.waited * time.Second)}}
		}
		if got := backoff.BeforeRestart(st); got != tt.want*time.Second {
			t.Errorf("%s: delay %s, want %ds", tt.name, got, tt.want)
		}
	}
}
