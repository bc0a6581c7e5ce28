package cronjob_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/cronjob"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

func event(reason, message string) string {
	return "event CronJob default/hello " + reason + " \"" + message + "\"\n"
}

func deleted(clock string) string {
	return event("Normal SuccessfulDelete", "Deleted job "+nameAt(clock))
}

func limits(successful, failed int32) func(*batchv1.CronJob) {
	return spec(func(s *batchv1.CronJobSpec) {
		s.SuccessfulJobsHistoryLimit, s.FailedJobsHistoryLimit = &successful, &failed
	})
}

func TestReconcile_Status(t *testing.T) {
	t.Parallel()
	const update = "update CronJob default/hello status\n"
	succeeded := func(cj *batchv1.CronJob) { cj.Status.LastSuccessfulTime = meta(at("09:00")) }
	for _, tt := range []struct {
		name string
		cj   *batchv1.CronJob
		jobs []*batchv1.Job
		want string
	}{
		{"a Job runs", cronJob(active("09:00")), []*batchv1.Job{job("09:00")}, ""},
		{"it is complete", cronJob(active("09:00")), []*batchv1.Job{job("09:00", complete("09:00:08"))},
			update + event("Normal SawCompletedJob", "Saw completed job: "+nameAt("09:00")+", condition: Complete")},
		{"it has failed", cronJob(active("09:00")), []*batchv1.Job{job("09:00", failed)},
			update + event("Normal SawCompletedJob", "Saw completed job: "+nameAt("09:00")+", condition: Failed")},
		{"it has gone", cronJob(active("09:00")), nil, update + event("Normal MissingJob", "Active job went missing: "+nameAt("09:00"))},
		{"a Job that somebody made", cronJob(), []*batchv1.Job{job("09:00")},
			event("Warning UnexpectedJob", "Saw a job that the controller did not create or forgot: "+nameAt("09:00"))},
		{"and that has succeeded", cronJob(), []*batchv1.Job{job("09:00", complete("09:00:08"))}, update},
		{"an older success", cronJob(succeeded), []*batchv1.Job{job("08:59", complete("08:59:08"))}, ""},
		{"another's Job", cronJob(), []*batchv1.Job{job("09:00", func(j *batchv1.Job) { j.OwnerReferences[0].UID = "other" })}, ""},
		{"CJ-021 four successful", cronJob(succeeded), []*batchv1.Job{
			job("08:59", complete("09:00")), job("08:57", complete("09:00")), job("08:58", complete("09:00")), job("08:56", complete("09:00")),
		}, "delete Job default/" + nameAt("08:56") + " Background\n" + deleted("08:56")},
		{"CJ-021 two failed", cronJob(), []*batchv1.Job{job("08:59", failed), job("08:58", failed)},
			"delete Job default/" + nameAt("08:58") + " Background\n" + deleted("08:58")},
		{"one that never started is young", cronJob(), []*batchv1.Job{job("08:57", failed, func(j *batchv1.Job) { j.Status.StartTime = nil }), job("08:58", failed)},
			"delete Job default/" + nameAt("08:58") + " Background\n" + deleted("08:58")},
		{"none is to stay", cronJob(limits(0, 0), active("09:00")), []*batchv1.Job{job("09:00", complete("09:00:08")), job("08:59", failed)},
			update + "delete Job default/" + nameAt("09:00") + " Background\ndelete Job default/" + nameAt("08:59") + " Background\n" + deleted("09:00") + deleted("08:59")},
		{"one of them is going already", cronJob(limits(0, 0), succeeded), []*batchv1.Job{job("09:00", complete("09:00"), func(j *batchv1.Job) { j.DeletionTimestamp = meta(at("09:00")) })}, ""},
		{"no limits", cronJob(succeeded, spec(func(s *batchv1.CronJobSpec) { s.SuccessfulJobsHistoryLimit, s.FailedJobsHistoryLimit = nil, nil })),
			[]*batchv1.Job{job("08:59", failed), job("08:58", failed)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			suspended(tt.cj)
			if diff := cmp.Diff(tt.want, laws.Check(t, cronjob.Reconcile, look("09:00:30", tt.cj, tt.jobs...)).String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReconcile_LastSuccess(t *testing.T) {
	t.Parallel()
	p := cronjob.Reconcile(look("09:00:30", cronJob(suspended, active("09:00", "08:59")), job("09:00", complete("09:00:08")), job("08:59", complete("09:00:20"))))
	want := batchv1.CronJobStatus{LastSuccessfulTime: meta(at("09:00:20"))}
	got := p.Updates[0].Object.(*batchv1.CronJob).Status
	got.Active = got.Active[:len(got.Active):len(got.Active)]
	if len(got.Active) == 0 {
		got.Active = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A forged status and a long history cost one sync no more than necessary.
func TestReconcile_Bounds(t *testing.T) {
	t.Parallel()
	cj := cronJob(suspended, limits(0, 0))
	for i := range 50_000 {
		cj.Status.Active = append(cj.Status.Active, corev1.ObjectReference{Name: "gone", UID: types.UID(strconv.Itoa(i))})
	}
	var jobs []*batchv1.Job
	for i := range 1_200 {
		jobs = append(jobs, job("09:00", complete("09:00"), func(j *batchv1.Job) { j.Name, j.UID = "j-"+strconv.Itoa(i), types.UID("j-"+strconv.Itoa(i)) }))
	}
	s := look("09:00:30", cj, jobs...)
	p := cronjob.Reconcile(s)
	if len(p.Deletes) != 500 || len(p.Events) != 1_000 || !p.WakeAt.Equal(s.Now) || len(p.Updates[0].Object.(*batchv1.CronJob).Status.Active) > 0 {
		t.Errorf("%d deletes, %d events, again at %s", len(p.Deletes), len(p.Events), p.WakeAt)
	}
}
