package batch_test

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// cronJob returns the minimal CronJob "hello", with a change applied, as stored at creation.
func cronJob(change func(*batchv1.CronJob)) *batchv1.CronJob {
	cj := &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: "hello", Namespace: "default", UID: "0b5e", ResourceVersion: "1"},
		Spec: batchv1.CronJobSpec{
			Schedule: "* * * * *",
			JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyOnFailure,
				Containers:    []corev1.Container{{Name: "hello", Image: "busybox:1.28"}},
			}}}},
		},
	}
	if change != nil {
		change(cj)
	}
	batch.CronJob.Default(cj)
	batch.CronJob.PrepareCreate(cj)
	return cj
}

func TestCronJob_Default(t *testing.T) {
	t.Parallel()
	cj := cronJob(nil) // CJ-013
	kindtest.Diff(t, batchv1.AllowConcurrent, cj.Spec.ConcurrencyPolicy)
	kindtest.Diff(t, (*int64)(nil), cj.Spec.StartingDeadlineSeconds)
	kindtest.Diff(t, false, *cj.Spec.Suspend)
	kindtest.Diff(t, []int32{3, 1}, []int32{*cj.Spec.SuccessfulJobsHistoryLimit, *cj.Spec.FailedJobsHistoryLimit}) // CJ-021
	kindtest.Diff(t, corev1.DefaultSchedulerName, cj.Spec.JobTemplate.Spec.Template.Spec.SchedulerName)
	kindtest.Diff(t, (*int32)(nil), cj.Spec.JobTemplate.Spec.Completions)
	kindtest.Diff(t, int64(1), cj.Generation)
	none := cronJob(func(cj *batchv1.CronJob) { cj.Spec.SuccessfulJobsHistoryLimit = new(int32(0)) })
	kindtest.Diff(t, int32(0), *none.Spec.SuccessfulJobsHistoryLimit)
}

func TestCronJob_Validate(t *testing.T) {
	t.Parallel()
	spec := func(change func(*batchv1.CronJobSpec)) func(*batchv1.CronJob) {
		return func(cj *batchv1.CronJob) { change(&cj.Spec) }
	}
	for _, tt := range []struct {
		name   string
		change func(*batchv1.CronJob)
		want   []string
	}{
		{"CJ-023 hello", nil, nil},
		{"CJ-002 52 characters", func(cj *batchv1.CronJob) { cj.Name = strings.Repeat("a", 52) }, nil},
		{"CJ-002 53 characters", func(cj *batchv1.CronJob) { cj.Name = strings.Repeat("a", 53) }, []string{
			`metadata.name: Invalid value: "` + strings.Repeat("a", 53) + `": must be no more than 52 characters`,
		}},
		{"no schedule", spec(func(s *batchv1.CronJobSpec) { s.Schedule = "" }), []string{"spec.schedule: Required value"}},
		{"CJ-003 no schedule at all", spec(func(s *batchv1.CronJobSpec) { s.Schedule = "error" }), []string{
			`spec.schedule: Invalid value: "error": expected exactly 5 fields, found 1: [error]`,
		}},
		{"CJ-003 Sunday is 0", spec(func(s *batchv1.CronJobSpec) { s.Schedule = "0 0 * * 7" }), []string{
			`spec.schedule: Invalid value: "0 0 * * 7": end of range (7) above maximum (6): 7`,
		}},
		{"a zone in the schedule", spec(func(s *batchv1.CronJobSpec) { s.Schedule = "TZ=UTC 0 * * * *" }), []string{
			`spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
		}},
		{"what the parser panics on", spec(func(s *batchv1.CronJobSpec) { s.Schedule = "TZ=0" }), []string{
			`spec.schedule: Invalid value: "TZ=0": invalid schedule format: runtime error: slice bounds out of range [:-1]`,
			`spec.schedule: Invalid value: "TZ=0": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
		}},
		{"a time zone", spec(func(s *batchv1.CronJobSpec) { s.TimeZone = new("Europe/Lisbon") }), nil},
		{"an empty time zone", spec(func(s *batchv1.CronJobSpec) { s.TimeZone = new("") }), []string{
			`spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string`,
		}},
		{"an unknown time zone", spec(func(s *batchv1.CronJobSpec) { s.TimeZone = new("Mars/Olympus") }), []string{
			`spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus`,
		}},
		{"a path", spec(func(s *batchv1.CronJobSpec) { s.TimeZone = new("../../etc/passwd") }), []string{
			`spec.timeZone: Invalid value: "../../etc/passwd": unknown time zone ../../etc/passwd`,
		}},
		{"the machine's time zone", spec(func(s *batchv1.CronJobSpec) { s.TimeZone = new("Local") }), []string{
			`spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones`,
		}},
		{"CJ-020 no such policy", spec(func(s *batchv1.CronJobSpec) { s.ConcurrencyPolicy = "Queue" }), []string{
			`spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"`,
		}},
		{"negative numbers", spec(func(s *batchv1.CronJobSpec) {
			s.StartingDeadlineSeconds, s.SuccessfulJobsHistoryLimit, s.FailedJobsHistoryLimit = new(int64(-1)), new(int32(-2)), new(int32(-3))
		}), []string{
			"spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
			"spec.successfulJobsHistoryLimit: Invalid value: -2: must be greater than or equal to 0",
			"spec.failedJobsHistoryLimit: Invalid value: -3: must be greater than or equal to 0",
		}},
		{"the template of Jobs", spec(func(s *batchv1.CronJobSpec) {
			s.JobTemplate.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
			s.JobTemplate.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
			s.JobTemplate.Spec.ManualSelector = new(true)
		}), []string{
			`spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`,
			"spec.jobTemplate.spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\"}}: `selector` will be auto-generated",
			`spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(batch.CronJob.Validate(cronJob(tt.change))))
		})
	}
}

func TestCronJob_Update(t *testing.T) {
	t.Parallel()
	old := cronJob(func(cj *batchv1.CronJob) { cj.Spec.TimeZone = new("Gone/Zone") }) // from an older time zone database
	old.Name = strings.Repeat("a", 60)
	old.Status.Active = []corev1.ObjectReference{{Name: "hello-1"}}
	next := old.DeepCopy()
	next.Spec.Schedule, next.Status = "@hourly", batchv1.CronJobStatus{}
	batch.CronJob.PrepareUpdate(next, old)
	kindtest.Diff(t, old.Status, next.Status)
	kindtest.Diff(t, int64(2), next.Generation)
	kindtest.Diff(t, []string(nil), kindtest.Texts(batch.CronJob.ValidateUpdate(next, old)))
	kindtest.Diff(t, []string(nil), batch.CronJob.Warnings(next, old))

	next.Spec.Schedule = "CRON_TZ=UTC 0 * * * *"
	kindtest.Diff(t, []string{
		`spec.schedule: Invalid value: "CRON_TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
	}, kindtest.Texts(batch.CronJob.ValidateUpdate(next, old)))

	next = old.DeepCopy()
	next.Spec.Schedule, next.Status.Active = "@hourly", nil
	batch.CronJob.Status.Prepare(next, old)
	kindtest.Diff(t, old.Spec, next.Spec)
	kindtest.Diff(t, 0, len(next.Status.Active))
}

func TestCronJob_Row(t *testing.T) {
	t.Parallel()
	cj := cronJob(nil)
	cj.CreationTimestamp = metav1.NewTime(kindtest.Now.Add(-time.Hour))
	kindtest.Diff(t, []any{"hello", "* * * * *", "<none>", "False", int64(0), "<none>", "60m", "hello", "busybox:1.28", "<none>"}, batch.CronJob.Row(cj, kindtest.Now))
	cj.Spec.TimeZone, cj.Spec.Suspend = new("Asia/Tokyo"), new(true)
	cj.Status.LastScheduleTime = new(metav1.NewTime(kindtest.Now.Add(-50 * time.Second)))
	cj.Status.Active = make([]corev1.ObjectReference, 2)
	kindtest.Diff(t, []any{"hello", "* * * * *", "Asia/Tokyo", "True", int64(2), "50s", "60m", "hello", "busybox:1.28", "<none>"}, batch.CronJob.Row(cj, kindtest.Now))
}
