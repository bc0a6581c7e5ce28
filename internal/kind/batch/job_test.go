package batch_test

import (
	"math"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// job returns the minimal Job "pi", with a change applied, as stored at creation.
func job(change func(*batchv1.Job)) *batchv1.Job {
	j := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "pi", Namespace: "default", UID: "0b5e", ResourceVersion: "1"},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "pi", Image: "perl:5.34.0"}},
		}}},
	}
	if change != nil {
		change(j)
	}
	batch.Job.Default(j)
	batch.Job.PrepareCreate(j)
	return j
}

func TestJob_Default(t *testing.T) {
	t.Parallel()
	type counts struct{ completions, parallelism, backoffLimit *int32 }
	of := func(change func(*batchv1.JobSpec)) counts {
		spec := job(func(j *batchv1.Job) { change(&j.Spec) }).Spec
		return counts{spec.Completions, spec.Parallelism, spec.BackoffLimit}
	}
	for name, tt := range map[string]struct {
		change func(*batchv1.JobSpec)
		want   counts
	}{
		"JOB-008 neither":               {func(*batchv1.JobSpec) {}, counts{new(int32(1)), new(int32(1)), new(int32(6))}},
		"JOB-009 completions alone":     {func(s *batchv1.JobSpec) { s.Completions = new(int32(8)) }, counts{new(int32(8)), new(int32(1)), new(int32(6))}},
		"JOB-010 parallelism alone":     {func(s *batchv1.JobSpec) { s.Parallelism = new(int32(3)) }, counts{nil, new(int32(3)), new(int32(6))}},
		"JOB-015 parallelism 0 is kept": {func(s *batchv1.JobSpec) { s.Parallelism = new(int32(0)) }, counts{nil, new(int32(0)), new(int32(6))}},
		"JOB-029 backoffLimit is kept":  {func(s *batchv1.JobSpec) { s.BackoffLimit = new(int32(0)) }, counts{new(int32(1)), new(int32(1)), new(int32(0))}},
		"a limit per index": {
			func(s *batchv1.JobSpec) { s.BackoffLimitPerIndex = new(int32(1)) },
			counts{new(int32(1)), new(int32(1)), new(int32(math.MaxInt32))},
		},
	} {
		got := of(tt.change)
		t.Log(name)
		kindtest.Diff(t, tt.want.completions, got.completions)
		kindtest.Diff(t, tt.want.parallelism, got.parallelism)
		kindtest.Diff(t, tt.want.backoffLimit, got.backoffLimit)
	}

	spec := job(nil).Spec
	kindtest.Diff(t, batchv1.NonIndexedCompletion, *spec.CompletionMode) // JOB-019
	kindtest.Diff(t, batchv1.TerminatingOrFailed, *spec.PodReplacementPolicy)
	kindtest.Diff(t, []bool{false, false}, []bool{*spec.Suspend, *spec.ManualSelector})

	spec = job(func(j *batchv1.Job) {
		j.Spec.PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{
			Action:          batchv1.PodFailurePolicyActionIgnore,
			OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{{Type: corev1.DisruptionTarget}},
		}}}
	}).Spec
	kindtest.Diff(t, batchv1.Failed, *spec.PodReplacementPolicy) // JOB-052
	kindtest.Diff(t, corev1.ConditionTrue, spec.PodFailurePolicy.Rules[0].OnPodConditions[0].Status)
}

func TestJob_GeneratesSelectorAndLabels(t *testing.T) {
	t.Parallel()
	generated := map[string]string{
		"batch.kubernetes.io/controller-uid": "0b5e", "controller-uid": "0b5e",
		"batch.kubernetes.io/job-name": "pi", "job-name": "pi",
	}
	j := job(nil) // JOB-005, JOB-006, JOB-007
	kindtest.Diff(t, &metav1.LabelSelector{MatchLabels: map[string]string{"batch.kubernetes.io/controller-uid": "0b5e"}}, j.Spec.Selector)
	kindtest.Diff(t, generated, j.Spec.Template.Labels)
	kindtest.Diff(t, generated, j.Labels)
	kindtest.Diff(t, int64(1), j.Generation)

	j = job(func(j *batchv1.Job) { j.Labels = map[string]string{"app": "pi"} })
	kindtest.Diff(t, map[string]string{"app": "pi"}, j.Labels)

	j = job(func(j *batchv1.Job) { j.Spec.Template.Labels = map[string]string{"app": "pi"} })
	generated["app"] = "pi"
	kindtest.Diff(t, generated, j.Spec.Template.Labels)
	kindtest.Diff(t, generated, j.Labels)

	manual := &metav1.LabelSelector{MatchLabels: map[string]string{"job-uid": "a8f3"}} // JOB-064, JOB-065
	j = job(func(j *batchv1.Job) {
		j.Spec.ManualSelector, j.Spec.Selector = new(true), manual
		j.Spec.Template.Labels = map[string]string{"job-uid": "a8f3"}
	})
	kindtest.Diff(t, manual, j.Spec.Selector)
	kindtest.Diff(t, map[string]string{"job-uid": "a8f3"}, j.Spec.Template.Labels)
	kindtest.Diff(t, []string(nil), kindtest.Texts(batch.Job.Validate(j)))
}

func TestJob_StatusIsTheControllers(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, batchv1.JobStatus{}, job(func(j *batchv1.Job) { j.Status.Succeeded = 3 }).Status)

	old := job(nil)
	old.Status.Active = 1
	next := old.DeepCopy()
	next.Status.Active, next.Spec.Parallelism = 7, new(int32(2)) // JOB-062
	batch.Job.PrepareUpdate(next, old)
	kindtest.Diff(t, int32(1), next.Status.Active)
	kindtest.Diff(t, int64(2), next.Generation)
	kindtest.Diff(t, []string(nil), kindtest.Texts(batch.Job.ValidateUpdate(next, old)))

	next = old.DeepCopy()
	next.Spec.Parallelism = new(int32(2))
	batch.Job.Status.Prepare(next, old)
	kindtest.Diff(t, old.Spec, next.Spec)
}

func TestJob_Row(t *testing.T) {
	t.Parallel()
	at := func(ago time.Duration) *metav1.Time { return new(metav1.NewTime(kindtest.Now.Add(-ago))) }
	is := func(types ...batchv1.JobConditionType) (list []batchv1.JobCondition) {
		for _, t := range types {
			list = append(list, batchv1.JobCondition{Type: t, Status: corev1.ConditionTrue})
		}
		return list
	}
	for name, tt := range map[string]struct {
		change func(*batchv1.Job)
		want   []any
	}{
		"new": {func(*batchv1.Job) {}, []any{"pi", "Running", "0/1", ""}},
		"running": {func(j *batchv1.Job) {
			j.Spec.Completions, j.Status.Succeeded, j.Status.StartTime = new(int32(3)), 2, at(9*time.Second)
		}, []any{"pi", "Running", "2/3", "9s"}},
		"complete": {func(j *batchv1.Job) {
			j.Status.StartTime, j.Status.CompletionTime, j.Status.Succeeded = at(10*time.Minute), at(9*time.Minute), 1
			j.Status.Conditions = is(batchv1.JobSuccessCriteriaMet, batchv1.JobComplete)
		}, []any{"pi", "Complete", "1/1", "60s"}},
		"failed": {func(j *batchv1.Job) { j.Status.Conditions = is(batchv1.JobFailureTarget, batchv1.JobFailed) }, []any{"pi", "Failed", "0/1", ""}},
		"a work queue": {func(j *batchv1.Job) {
			j.Spec.Completions, j.Spec.Parallelism = nil, new(int32(4))
		}, []any{"pi", "Running", "0/1 of 4", ""}},
		"one worker": {func(j *batchv1.Job) { j.Spec.Completions = nil }, []any{"pi", "Running", "0/1", ""}},
		"suspended":  {func(j *batchv1.Job) { j.Status.Conditions = is(batchv1.JobSuspended) }, []any{"pi", "Suspended", "0/1", ""}},
		"going":      {func(j *batchv1.Job) { j.DeletionTimestamp = at(0) }, []any{"pi", "Terminating", "0/1", ""}},
		"failing":    {func(j *batchv1.Job) { j.Status.Conditions = is(batchv1.JobFailureTarget) }, []any{"pi", "FailureTarget", "0/1", ""}},
		"succeeding": {func(j *batchv1.Job) { j.Status.Conditions = is(batchv1.JobSuccessCriteriaMet) }, []any{"pi", "SuccessCriteriaMet", "0/1", ""}},
	} {
		j := job(nil)
		j.CreationTimestamp = *at(time.Hour)
		tt.change(j)
		t.Log(name)
		kindtest.Diff(t, append(tt.want, "60m", "pi", "perl:5.34.0", "batch.kubernetes.io/controller-uid=0b5e"), batch.Job.Row(j, kindtest.Now))
	}
}
