package jobstate_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

func TestFinished(t *testing.T) {
	t.Parallel()
	condition := func(c batchv1.JobConditionType, s corev1.ConditionStatus) batchv1.JobCondition {
		return batchv1.JobCondition{Type: c, Status: s}
	}
	suspended := condition(batchv1.JobSuspended, corev1.ConditionTrue)
	target := condition(batchv1.JobFailureTarget, corev1.ConditionTrue)
	for name, test := range map[string]struct {
		conditions []batchv1.JobCondition
		want       batchv1.JobConditionType // empty for none
	}{
		"a new Job":                          {nil, ""},
		"a Job that is suspended":            {[]batchv1.JobCondition{suspended}, ""},
		"a Job that is to fail, but has not": {[]batchv1.JobCondition{target}, ""},
		"a Job that is no longer complete":   {[]batchv1.JobCondition{condition(batchv1.JobComplete, corev1.ConditionFalse)}, ""},
		"a Job that is complete": {
			[]batchv1.JobCondition{suspended, condition(batchv1.JobComplete, corev1.ConditionTrue)}, batchv1.JobComplete,
		},
		"a Job that has failed": {[]batchv1.JobCondition{target, condition(batchv1.JobFailed, corev1.ConditionTrue)}, batchv1.JobFailed},
	} {
		got := jobstate.Finished(&batchv1.Job{Status: batchv1.JobStatus{Conditions: test.conditions}})
		if (got == nil) != (test.want == "") || got != nil && got.Type != test.want {
			t.Errorf("%s: got the condition %v", name, got)
		}
	}
}

func TestAstray(t *testing.T) {
	t.Parallel()
	pod := func(finalizer, controller, deleted bool) *corev1.Pod {
		p := &corev1.Pod{}
		if finalizer {
			p.Finalizers = []string{"example.com/other", batchv1.JobTrackingFinalizer}
		}
		if controller {
			p.OwnerReferences = []metav1.OwnerReference{{Kind: "Job", Controller: new(true)}}
		}
		if deleted {
			p.DeletionTimestamp = &metav1.Time{Time: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)}
		}
		return p
	}
	for name, test := range map[string]struct {
		pod  *corev1.Pod
		want bool
	}{
		"a Job's Pod":                         {pod(true, true, false), false},
		"one that is being deleted":           {pod(true, true, true), true},
		"one without a controller":            {pod(true, false, false), true},
		"a deleted Pod without the finalizer": {pod(false, false, true), false},
		"a Pod of something else":             {pod(false, true, false), false},
	} {
		if got := jobstate.Astray(test.pod); got != test.want {
			t.Errorf("%s is astray: %t", name, got)
		}
	}
}
