package ttlafterfinished_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/ttlafterfinished"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestReconcile(t *testing.T) {
	t.Parallel()
	const deleted = "delete Job default/pi Foreground\n" // TTL-003
	wake := func(in time.Duration) string { return "wake at " + now.Add(in).Format(time.RFC3339) + "\n" }
	for _, tt := range []struct {
		name  string
		ttl   *int32
		ended time.Duration // how long ago; negative for the future
		as    batchv1.JobConditionType
		want  string
	}{
		{"TTL-001 complete", new(int32(100)), 101 * time.Second, batchv1.JobComplete, deleted},
		{"TTL-001 failed", new(int32(100)), 101 * time.Second, batchv1.JobFailed, deleted},
		{"TTL-001 it still runs", new(int32(100)), 101 * time.Second, batchv1.JobSuspended, ""},
		{"TTL-005 at once", new(int32(0)), 0, batchv1.JobComplete, deleted},
		{"TTL-006 not set", nil, time.Hour, batchv1.JobComplete, ""},
		{"TTL-007 after 100 s", new(int32(100)), 100 * time.Second, batchv1.JobComplete, deleted},
		{"TTL-007 a second earlier", new(int32(100)), 99 * time.Second, batchv1.JobComplete, wake(time.Second)},
		{"TTL-010 it ended in the future", new(int32(100)), -time.Minute, batchv1.JobComplete, wake(160 * time.Second)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pi", UID: "pi-uid"}}
			job.Spec.TTLSecondsAfterFinished = tt.ttl
			job.Status.Conditions = []batchv1.JobCondition{
				{Type: tt.as, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-tt.ended))},
			}
			s := ttlafterfinished.Snapshot{Job: job, Now: now}
			if got := laws.Check(t, ttlafterfinished.Reconcile, s).String(); got != tt.want {
				t.Errorf("the plan is %q, want %q", got, tt.want)
			}
			job.DeletionTimestamp = &metav1.Time{Time: now}
			if got := ttlafterfinished.Reconcile(s).String(); got != "" {
				t.Errorf("of a Job that is going, the plan is %q", got)
			}
		})
	}
}
