package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// job makes a Job of the CronJob "cj".
func job(changes ...func(*batchv1.Job)) *batchv1.Job {
	return with(&batchv1.Job{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "hello-1", UID: "job", OwnerReferences: []metav1.OwnerReference{ref("CronJob", "cj", true)},
	}}, changes...)
}

func ended(j *batchv1.Job) {
	j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
}

func running(j *batchv1.Job) { j.Status.Active = 1 }

func stays(seconds int32) func(*batchv1.Job) {
	return func(j *batchv1.Job) { j.Spec.TTLSecondsAfterFinished = &seconds }
}

func TestRoute_CronJobs(t *testing.T) {
	t.Parallel()
	cronJob := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "hello", UID: "cj"}}
	own, owner, ttl := look("job", "job"), look("cronjob", "cj"), look("ttlafterfinished", "job")
	going := []wakeup.Wake{collect("cj"), endingNamespace("default")}
	for _, test := range []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a CronJob is synced when a client changes it", wakeup.Diff{Old: cronJob, New: cronJob}, []wakeup.Wake{look("cronjob", "cj")}},
		{"but not for its own status", wakeup.Diff{Old: cronJob, New: cronJob, Controller: "cronjob"}, nil},
		{"a Job that a CronJob starts", wakeup.Diff{New: job(), Controller: "cronjob"}, []wakeup.Wake{own}},
		{"one that somebody else gives it", wakeup.Diff{New: job()}, []wakeup.Wake{{Controller: names.GarbageCollector, UID: "job"}, own, owner}},
		{"what happens while it runs", wakeup.Diff{Old: job(), New: job(running), Controller: "job"}, nil},
		{"its end", wakeup.Diff{Old: job(running), New: job(ended), Controller: "job"}, []wakeup.Wake{owner}},
		{"nothing after its end", wakeup.Diff{Old: job(ended), New: job(ended, running), Controller: "job"}, nil},
		{"it is deleted before its end", wakeup.Diff{Old: job(running)}, append(going, owner)},
		{"or by the CronJob", wakeup.Diff{Old: job(running), Controller: "cronjob"}, going},
		{"it is deleted after its end", wakeup.Diff{Old: job(ended)}, going},

		{"a time to stay means nothing before the end", wakeup.Diff{Old: job(), New: job(stays(9), running), Controller: "job"}, nil},
		{"but then", wakeup.Diff{Old: job(stays(9)), New: job(stays(9), ended), Controller: "job"}, []wakeup.Wake{ttl, owner}},
		{"and when it is given", wakeup.Diff{Old: job(ended), New: job(stays(9), ended)}, []wakeup.Wake{own, ttl}},
		{"or another", wakeup.Diff{Old: job(stays(8), ended), New: job(stays(9), ended)}, []wakeup.Wake{own, ttl}},
		{"not when it stays", wakeup.Diff{Old: job(stays(9), ended), New: job(stays(9), ended)}, []wakeup.Wake{own}},
		{"nor when it goes", wakeup.Diff{Old: job(stays(9), ended), New: job(ended)}, []wakeup.Wake{own}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(inOrder(test.want), woken(test.change), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("woken (-want +got):\n%s", diff)
			}
		})
	}
}
