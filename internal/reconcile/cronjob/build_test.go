package cronjob_test

import (
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/cronjob"
)

// created is when the CronJob of every test was created: at a minute.
var created = time.Date(2026, 1, 2, 8, 0, 0, 0, time.UTC)

// at is a moment of that day, as in "10:21" or "10:21:30".
func at(clock string) time.Time {
	t, err := time.Parse("15:04:05", (clock + ":00")[:8])
	if err != nil {
		panic(err)
	}
	return created.Truncate(24 * time.Hour).Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second)
}

func meta(t time.Time) *metav1.Time { return &metav1.Time{Time: t} }

// cronJob is default/hello, due every minute, with edits.
func cronJob(edits ...func(*batchv1.CronJob)) *batchv1.CronJob {
	cj := &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "hello", UID: "hello-uid", ResourceVersion: "5", Generation: 1, CreationTimestamp: *meta(created),
		},
		Spec: batchv1.CronJobSpec{
			Schedule: "* * * * *", ConcurrencyPolicy: batchv1.AllowConcurrent,
			SuccessfulJobsHistoryLimit: new(int32(3)), FailedJobsHistoryLimit: new(int32(1)),
			JobTemplate: batchv1.JobTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "hello"}, Annotations: map[string]string{"note": "x"}},
				Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyOnFailure, Containers: []corev1.Container{{Name: "hello", Image: "busybox:1.28"}},
				}}},
			},
		},
	}
	for _, edit := range edits {
		edit(cj)
	}
	return cj
}

func spec(edit func(*batchv1.CronJobSpec)) func(*batchv1.CronJob) {
	return func(cj *batchv1.CronJob) { edit(&cj.Spec) }
}

func scheduled(text string) func(*batchv1.CronJob) {
	return spec(func(s *batchv1.CronJobSpec) { s.Schedule = text })
}

func policy(p batchv1.ConcurrencyPolicy) func(*batchv1.CronJob) {
	return spec(func(s *batchv1.CronJobSpec) { s.ConcurrencyPolicy = p })
}

func deadline(seconds int64) func(*batchv1.CronJob) {
	return spec(func(s *batchv1.CronJobSpec) { s.StartingDeadlineSeconds = &seconds })
}

func suspended(cj *batchv1.CronJob) { cj.Spec.Suspend = new(true) }

// last sets when the last run was due.
func last(clock string) func(*batchv1.CronJob) {
	return func(cj *batchv1.CronJob) { cj.Status.LastScheduleTime = meta(at(clock)) }
}

// active notes the Jobs of these minutes as running.
func active(clocks ...string) func(*batchv1.CronJob) {
	return func(cj *batchv1.CronJob) {
		for _, clock := range clocks {
			j := job(clock)
			cj.Status.Active = append(cj.Status.Active, corev1.ObjectReference{
				APIVersion: "batch/v1", Kind: "Job", Namespace: j.Namespace, Name: j.Name, UID: j.UID,
			})
		}
	}
}

func nameAt(clock string) string { return fmt.Sprintf("hello-%d", at(clock).Unix()/60) }

// job is the CronJob's Job of a minute, which runs, with edits.
func job(clock string, edits ...func(*batchv1.Job)) *batchv1.Job {
	j := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: nameAt(clock), UID: types.UID(clock), ResourceVersion: "6", CreationTimestamp: *meta(at(clock)),
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "batch/v1", Kind: "CronJob", Name: "hello", UID: "hello-uid", Controller: new(true), BlockOwnerDeletion: new(true),
			}},
		},
		Status: batchv1.JobStatus{StartTime: meta(at(clock)), Active: 1},
	}
	for _, edit := range edits {
		edit(j)
	}
	return j
}

func complete(clock string) func(*batchv1.Job) {
	return func(j *batchv1.Job) {
		j.Status.Active, j.Status.Succeeded, j.Status.CompletionTime = 0, 1, meta(at(clock))
		j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue, LastTransitionTime: *meta(at(clock))}}
	}
}

func failed(j *batchv1.Job) {
	j.Status.Active, j.Status.Failed = 0, 1
	j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}}
}

// look is the snapshot of a CronJob at a moment, with a memory that says that its schedule never
// changed.
func look(clock string, cj *batchv1.CronJob, jobs ...*batchv1.Job) cronjob.Snapshot {
	first := cronjob.Reconcile(cronjob.Snapshot{CronJob: cj, Now: created})
	return cronjob.Snapshot{CronJob: cj, Jobs: jobs, Memory: first.Memory, Now: at(clock)}
}

func refused(s cronjob.Snapshot, r plan.Refusal) cronjob.Snapshot {
	s.Refused = &r
	return s
}
