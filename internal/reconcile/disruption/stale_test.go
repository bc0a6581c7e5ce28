package disruption_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/disruption"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

func TestClearStale(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		age    time.Duration // of the condition
		reason string
		change func(*corev1.Pod)
		want   plan.Plan
		clears bool
	}{
		{name: "no condition", change: func(p *corev1.Pod) { p.Status.Conditions = nil }},
		{name: "two minutes", age: disruption.StaleTimeout, clears: true},
		{name: "a second earlier", age: disruption.StaleTimeout - time.Second, want: plan.Plan{WakeAt: at.Add(time.Second)}},
		{name: "by the kubelet", age: time.Hour, reason: corev1.PodReasonTerminationByKubelet},
		{name: "it is not", age: time.Hour, change: func(p *corev1.Pod) { p.Status.Conditions[1].Status = corev1.ConditionFalse }},
		{name: "it is being deleted", age: time.Hour, change: func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: at} }},
		{name: "it has ended", age: time.Hour, change: func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue}
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web", Generation: 3}}
			pod.Status.Conditions = []corev1.PodCondition{ready, {
				Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: tt.reason, Message: "evicting",
				LastTransitionTime: metav1.NewTime(at.Add(-tt.age)),
			}}
			if tt.change != nil {
				tt.change(pod)
			}
			want := tt.want
			if tt.clears {
				next := pod.DeepCopy()
				next.Status.Conditions[1] = corev1.PodCondition{
					Type: corev1.DisruptionTarget, Status: corev1.ConditionFalse, ObservedGeneration: 3, LastTransitionTime: metav1.NewTime(at),
				}
				want.Updates = []plan.Update{{Object: next, Subresource: "status"}}
			}
			got := laws.Check(t, disruption.ClearStale, disruption.Target{Pod: pod, Now: at})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the plan (-want +got):\n%s", diff)
			}
		})
	}
}
