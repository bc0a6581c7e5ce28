package batch_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// conditions returns true conditions of these types.
func conditions(types ...batchv1.JobConditionType) []batchv1.JobCondition {
	var list []batchv1.JobCondition
	for _, t := range types {
		list = append(list, batchv1.JobCondition{Type: t, Status: corev1.ConditionTrue})
	}
	return list
}

func TestJob_ValidateStatus(t *testing.T) {
	t.Parallel()
	begun, ended := new(metav1.NewTime(kindtest.Now)), new(metav1.NewTime(kindtest.Now.Add(time.Minute)))
	running := batchv1.JobStatus{StartTime: begun, Active: 1, Ready: new(int32(1))}
	complete := batchv1.JobStatus{
		StartTime: begun, CompletionTime: ended, Succeeded: 1, Conditions: conditions(batchv1.JobSuccessCriteriaMet, batchv1.JobComplete),
	}
	failed := batchv1.JobStatus{StartTime: begun, Failed: 1, Conditions: conditions(batchv1.JobFailureTarget, batchv1.JobFailed)}
	with := func(s batchv1.JobStatus, change func(*batchv1.JobStatus)) batchv1.JobStatus {
		s = *s.DeepCopy()
		change(&s)
		return s
	}
	byIndex := indexed(5, func(s *batchv1.JobSpec) { s.BackoffLimitPerIndex = new(int32(1)) })
	const invalid = "status.conditions: Invalid value: "
	for _, tt := range []struct {
		name      string
		job       func(*batchv1.Job)
		was, next batchv1.JobStatus
		want      []string
	}{
		{"it runs", nil, batchv1.JobStatus{}, running, nil},
		{"it is complete", nil, running, complete, nil},
		{"it fails", nil, running, failed, nil},
		{"negative numbers", nil, running, with(running, func(s *batchv1.JobStatus) {
			s.Active, s.Succeeded, s.Failed, s.Ready, s.Terminating = -1, -2, -3, new(int32(-4)), new(int32(-5))
		}), []string{
			"status.active: Invalid value: -1: must be greater than or equal to 0",
			"status.succeeded: Invalid value: -2: must be greater than or equal to 0",
			"status.failed: Invalid value: -3: must be greater than or equal to 0",
			"status.ready: Invalid value: -4: must be greater than or equal to 0",
			"status.terminating: Invalid value: -5: must be greater than or equal to 0",
			"status.failed: Invalid value: -3: cannot decrease the failed counter",
			"status.succeeded: Invalid value: -2: cannot decrease the succeeded counter",
		}},
		{"uncounted Pods", nil, running, with(running, func(s *batchv1.JobStatus) {
			s.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{Succeeded: []types.UID{"a", ""}, Failed: []types.UID{"b", "a"}}
		}), []string{
			`status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty`,
			`status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"`,
		}},
		{"more ready than active", nil, running, with(running, func(s *batchv1.JobStatus) { s.Ready = new(int32(2)) }), []string{
			"status.ready: Invalid value: 2: cannot set more ready pods than active",
		}},
		{"complete and failed", nil, running, with(complete, func(s *batchv1.JobStatus) {
			s.Conditions = conditions(batchv1.JobComplete, batchv1.JobFailed, batchv1.JobFailureTarget, batchv1.JobSuccessCriteriaMet)
		}), []string{
			invalid + "cannot set Complete=True and Failed=true conditions",
			invalid + "cannot set Complete=True and FailureTarget=true conditions",
			invalid + "cannot set SuccessCriteriaMet=True and Failed=true conditions",
			invalid + "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
		}},
		{"complete at no time", nil, running, with(complete, func(s *batchv1.JobStatus) { s.CompletionTime = nil }), []string{
			"status.completionTime: Required value: completionTime is required for Complete jobs",
		}},
		{"a time without being complete", nil, running, with(running, func(s *batchv1.JobStatus) { s.CompletionTime = ended }), []string{
			`status.completionTime: Invalid value: "2026-01-02T03:05:05Z": cannot set completionTime when there is no Complete=True condition`,
		}},
		{"complete before it began", nil, running, with(complete, func(s *batchv1.JobStatus) { s.CompletionTime = new(metav1.NewTime(kindtest.Now.Add(-time.Hour))) }), []string{
			"status.completionTime: Invalid value: \"2026-01-02T02:04:05Z\": must be equal to or after `startTime`",
		}},
		{"conditions that come first", nil, running, with(failed, func(s *batchv1.JobStatus) { s.Conditions = conditions(batchv1.JobFailed) }), []string{
			invalid + "cannot set Failed=True condition without the FailureTarget=true condition",
		}},
		{"and for success", nil, running, with(complete, func(s *batchv1.JobStatus) { s.Conditions = conditions(batchv1.JobComplete) }), []string{
			invalid + "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
		}},
		{"it has ended, and still has Pods", nil, running, with(complete, func(s *batchv1.JobStatus) {
			s.Active, s.Terminating, s.StartTime, s.CompletionTime = 1, new(int32(1)), nil, ended
			s.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{Succeeded: []types.UID{"a"}}
		}), []string{
			"status.active: Invalid value: 1: active>0 is invalid for finished job",
			"status.startTime: Required value: startTime is required for finished job",
			`status.uncountedTerminatedPods: Invalid value: {"Succeeded":["a"],"Failed":null}: must be empty for finished job`,
			"status.terminating: Invalid value: 1: terminating>0 is invalid for finished job",
			"status.startTime: Invalid value: null: field is immutable for unsuspended job once set",
		}},
		{"what has ended stays so", nil, complete, running, []string{
			invalid + "cannot disable the terminal Complete=True condition",
			"status.succeeded: Invalid value: 0: cannot decrease the succeeded counter",
			invalid + "cannot disable the SuccessCriteriaMet=True condition",
		}},
		{"when it ended stays so", nil, complete, with(complete, func(s *batchv1.JobStatus) { s.CompletionTime = new(metav1.NewTime(kindtest.Now.Add(time.Hour))) }), []string{
			`status.completionTime: Invalid value: "2026-01-02T04:04:05Z": field is immutable`,
		}},
		{"when it began stays so", nil, running, with(running, func(s *batchv1.JobStatus) { s.StartTime = ended }), []string{
			`status.startTime: Invalid value: "2026-01-02T03:05:05Z": field is immutable for unsuspended job once set`,
		}},
		{"JOB-056 but not when it is resumed", nil, with(running, func(s *batchv1.JobStatus) { s.Conditions = conditions(batchv1.JobSuspended) }),
			with(running, func(s *batchv1.JobStatus) {
				s.StartTime = ended
				s.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionFalse}}
			}), nil},
		{"indexes", byIndex, running, with(running, func(s *batchv1.JobStatus) { s.CompletedIndexes, s.FailedIndexes = "0,2-3", new("1,4") }), nil},
		{"indexes that overlap", byIndex, running, with(running, func(s *batchv1.JobStatus) { s.CompletedIndexes, s.FailedIndexes = "0,2-3", new("1,3-4") }), []string{
			`status.failedIndexes: Invalid value: "1,3-4": failedIndexes and completedIndexes overlap at index: 3`,
		}},
		{"malformed indexes", byIndex, running, with(running, func(s *batchv1.JobStatus) { s.CompletedIndexes, s.FailedIndexes = "0-", new("9") }), []string{
			`status.completedIndexes: Invalid value: "0-": error parsing completedIndexes: cannot convert string to integer for index: ""`,
			`status.failedIndexes: Invalid value: "9": error parsing failedIndexes: too large index: "9"`,
		}},
		{"indexes of a Job without", nil, running, with(running, func(s *batchv1.JobStatus) { s.CompletedIndexes, s.FailedIndexes = "0", new("") }), []string{
			`status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode`,
			`status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null`,
		}},
		{"JOB-063 fewer have succeeded of fewer", indexed(1, func(s *batchv1.JobSpec) { s.Parallelism = new(int32(1)) }),
			batchv1.JobStatus{StartTime: begun, Succeeded: 2, CompletedIndexes: "0-1"}, batchv1.JobStatus{StartTime: begun, Succeeded: 1, CompletedIndexes: "0"}, nil},
		{"success that comes too late", nil, batchv1.JobStatus{StartTime: begun, CompletionTime: ended, Conditions: conditions(batchv1.JobComplete)}, complete, []string{
			invalid + "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := job(tt.job)
			old.Status = tt.was
			next := old.DeepCopy()
			next.Status = tt.next
			kindtest.Diff(t, tt.want, kindtest.Texts(batch.Job.Status.Validate(next, old)))
		})
	}
}
