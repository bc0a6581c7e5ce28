package podstate_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// pod is a Pod in a phase, Ready since the given time; a nil time means not Ready.
func pod(phase corev1.PodPhase, since *time.Time) *corev1.Pod {
	p := &corev1.Pod{Status: corev1.PodStatus{Phase: phase}}
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}}
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse}
	if since != nil {
		ready.Status, ready.LastTransitionTime = corev1.ConditionTrue, metav1.NewTime(*since)
	}
	p.Status.Conditions = append(p.Status.Conditions, ready)
	return p
}

func deleted(p *corev1.Pod) *corev1.Pod {
	p.DeletionTimestamp = &metav1.Time{Time: now}
	return p
}

func TestActiveAndTerminating(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name                string
		pod                 *corev1.Pod
		active, terminating bool
	}{
		{"pending", pod(corev1.PodPending, nil), true, false},
		{"running", pod(corev1.PodRunning, nil), true, false},
		{"unknown", pod(corev1.PodUnknown, nil), true, false},
		{"RSC-001 succeeded", pod(corev1.PodSucceeded, nil), false, false},
		{"RSC-001 failed", pod(corev1.PodFailed, nil), false, false},
		{"RSC-001 running and being deleted", deleted(pod(corev1.PodRunning, nil)), false, true},
		{"failed and being deleted", deleted(pod(corev1.PodFailed, nil)), false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := podstate.Active(row.pod); got != row.active {
				t.Errorf("Active = %v, want %v", got, row.active)
			}
			if got := podstate.Terminating(row.pod); got != row.terminating {
				t.Errorf("Terminating = %v, want %v", got, row.terminating)
			}
		})
	}
}

func TestAvailable(t *testing.T) {
	t.Parallel()
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	for _, row := range []struct {
		name            string
		since           *time.Time
		minReadySeconds int32
		ready           bool
		available       bool
		next            time.Time
	}{
		{"not ready", nil, 0, false, false, time.Time{}},
		{"not ready, with a delay", nil, 10, false, false, time.Time{}},
		{"ready, no delay", ago(0), 0, true, true, time.Time{}},
		{"ready too short", ago(9 * time.Second), 10, true, false, now.Add(time.Second)},
		{"ready just long enough", ago(10 * time.Second), 10, true, true, time.Time{}},
		{"ready since unknown, no delay", &time.Time{}, 0, true, true, time.Time{}},
		{"ready since unknown, with a delay", &time.Time{}, 10, true, false, time.Time{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := pod(corev1.PodRunning, row.since)
			if got := podstate.Ready(p); got != row.ready {
				t.Errorf("Ready = %v, want %v", got, row.ready)
			}
			if got := podstate.Available(p, row.minReadySeconds, now); got != row.available {
				t.Errorf("Available = %v, want %v", got, row.available)
			}
			if got := podstate.NextAvailable([]*corev1.Pod{p}, row.minReadySeconds, now); !got.Equal(row.next) {
				t.Errorf("NextAvailable = %v, want %v", got, row.next)
			}
		})
	}
}

func TestNextAvailableIsTheEarliest(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) *time.Time { v := now.Add(d); return &v }
	pods := []*corev1.Pod{
		pod(corev1.PodRunning, at(-3*time.Second)),
		pod(corev1.PodRunning, at(-7*time.Second)),
		pod(corev1.PodRunning, at(-20*time.Second)),
	}
	if got, want := podstate.NextAvailable(pods, 10, now), now.Add(3*time.Second); !got.Equal(want) {
		t.Errorf("NextAvailable = %v, want %v", got, want)
	}
}
