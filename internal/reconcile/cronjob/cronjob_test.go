package cronjob_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/cronjob"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// starts is the plan that starts the Job of a minute and syncs again at another.
func starts(clock, next string) string {
	return "update CronJob default/hello status\ncreate Job default/" + nameAt(clock) +
		"\nevent CronJob default/hello Normal SuccessfulCreate \"Created job " + nameAt(clock) + "\"\n" + again(next)
}

// again is the plan that syncs again at a moment.
func again(next string) string { return "wake at " + at(next).Format(time.RFC3339) + "\n" }

const (
	tooMany = `event CronJob default/hello Warning TooManyMissedTimes "Cannot determine if job needs to be started. ` +
		`Too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew."` + "\n"
	forbids = `event CronJob default/hello Normal JobAlreadyActive "Not starting job because prior execution is running and concurrency policy is Forbid"` + "\n"
)

func TestReconcile_Starts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		look cronjob.Snapshot
		want string
	}{
		{"nothing is due yet", look("08:00:20", cronJob()), again("08:01")},
		{"CJ-001 the first minute", look("08:01", cronJob()), starts("08:01", "08:02")},
		{"a bit late", look("08:01:07", cronJob()), starts("08:01", "08:02")},
		{"it was started already", look("08:01:07", cronJob(last("08:01"), active("08:01")), job("08:01")), again("08:02")},
		{"CJ-012 one for all that were missed", look("09:30", cronJob(last("08:29"))), starts("09:30", "09:31")},
		{"a hundred", look("10:09", cronJob(last("08:29"))), starts("10:09", "10:10")},
		{"CJ-014 CJ-017 more than a hundred", look("10:21", cronJob(last("08:29"))), tooMany + again("10:22")},
		{"CJ-017 and there it stays", look("10:22", cronJob(last("08:29"))), tooMany + again("10:23")},
		{"CJ-016 CJ-018 200 seconds", look("10:21:30", cronJob(last("08:29"), deadline(200))), starts("10:21", "10:22")},
		{"CJ-018 and the minute after", look("10:22", cronJob(last("10:21"), deadline(200))), starts("10:22", "10:23")},
		{"all is too late", look("10:21:30", cronJob(last("10:20"), deadline(20))), again("10:22")},
		{"an invalid deadline", look("08:01:07", cronJob(deadline(1<<62))), starts("08:01", "08:02")},
		{"no deadline at all", look("08:01", cronJob(deadline(0))), again("08:02")},
		{"less than ten seconds are enough", look("08:01:04", cronJob(deadline(5))), starts("08:01", "08:02")},
		{"every so often", look("09:40", cronJob(last("09:10"), scheduled("@every 20m"))), starts("09:30", "09:50")},
		{"a time zone", look("08:30", cronJob(scheduled("30 17 * * *"), func(cj *batchv1.CronJob) { cj.Spec.TimeZone = new("Asia/Tokyo") })),
			strings.TrimSuffix(starts("08:30", "08:30"), again("08:30")) + "wake at 2026-01-03T08:30:00Z\n"},
		{"suspended", look("08:01", cronJob(suspended)), ""},
		{"being deleted", look("08:01", cronJob(func(cj *batchv1.CronJob) { cj.DeletionTimestamp = meta(at("08:00")) })), ""},
		{"a day that never comes", look("08:01", cronJob(scheduled("0 0 30 2 *"))),
			"event CronJob default/hello Warning InvalidSchedule \"invalid schedule: 0 0 30 2 * : time difference between two schedules is less than 1 second\"\n"},
		{"no schedule", look("08:01", cronJob(scheduled("TZ=0"))),
			"event CronJob default/hello Warning UnparseableSchedule \"unparseable schedule: \\\"TZ=0\\\" : invalid schedule format: runtime error: slice bounds out of range [:-1]\"\n"},
		{"no time zone", look("08:01", cronJob(func(cj *batchv1.CronJob) { cj.Spec.TimeZone = new("Mars/Olympus") })),
			"event CronJob default/hello Warning UnknownTimeZone \"invalid timeZone: \\\"Mars/Olympus\\\": unknown time zone Mars/Olympus\"\n"},

		{"Allow", look("08:02", cronJob(last("08:01"), active("08:01")), job("08:01")), starts("08:02", "08:03")},
		{"CJ-019 Forbid", look("08:02", cronJob(policy(batchv1.ForbidConcurrent), last("08:01"), active("08:01")), job("08:01")), forbids + again("08:03")},
		{"CJ-019 Forbid, once the other has ended", look("08:02:10", cronJob(policy(batchv1.ForbidConcurrent), last("08:01"), active("08:01")), job("08:01", complete("08:02:10"))),
			strings.Replace(starts("08:02", "08:03"), "event", "event CronJob default/hello Normal SawCompletedJob \"Saw completed job: "+nameAt("08:01")+", condition: Complete\"\nevent", 1)},
		{"Replace", look("08:02", cronJob(policy(batchv1.ReplaceConcurrent), last("08:01"), active("08:01")), job("08:01")),
			"update CronJob default/hello status\ncreate Job default/" + nameAt("08:02") + "\ndelete Job default/" + nameAt("08:01") + " Background\n" +
				"event CronJob default/hello Normal SuccessfulDelete \"Deleted job " + nameAt("08:01") + "\"\n" +
				"event CronJob default/hello Normal SuccessfulCreate \"Created job " + nameAt("08:02") + "\"\n" + again("08:03")},

		{"the name is taken", refused(look("08:01", cronJob()), plan.Refusal{Reason: metav1.StatusReasonAlreadyExists, Message: "taken"}), again("08:02")},
		{"the namespace goes", refused(look("08:01", cronJob()), plan.Refusal{Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true}), again("08:02")},
		{"the Job is refused", refused(look("08:01", cronJob()), plan.Refusal{Reason: metav1.StatusReasonInvalid, Message: "no good"}),
			"event CronJob default/hello Warning FailedCreate \"Error creating job: no good\"\n" + again("08:02")},
		{"the status has forgotten its Job", look("08:01", cronJob(), job("08:01")),
			"update CronJob default/hello status\nevent CronJob default/hello Warning UnexpectedJob \"Saw a job that the controller did not create or forgot: " + nameAt("08:01") + "\"\n" + again("08:02")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, laws.Check(t, cronjob.Reconcile, tt.look).String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReconcile_StartsLate(t *testing.T) {
	t.Parallel()
	late := look("10:21", cronJob(last("08:29"))) // CJ-015
	late.StartLate = true
	want := strings.Replace(starts("10:21", "10:22"), "event",
		`event CronJob default/hello Warning TooManyMissedTimes "too many missed start times. `+
			`Set or decrease .spec.startingDeadlineSeconds or check clock skew"`+"\nevent", 1)
	if diff := cmp.Diff(want, cronjob.Reconcile(late).String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is created is the template, under a name, an annotation and an owner; the status says so.
func TestReconcile_Job(t *testing.T) {
	t.Parallel()
	cj := cronJob(func(cj *batchv1.CronJob) { cj.Spec.TimeZone = new("Asia/Tokyo") })
	p := cronjob.Reconcile(look("08:01:07", cj))
	got := p.Creates[0].Object.(*batchv1.Job)
	want := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "hello-29455681", UID: got.UID, Labels: map[string]string{"app": "hello"},
			Annotations: map[string]string{"note": "x", "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-02T17:01:00+09:00"},
			OwnerReferences: []metav1.OwnerReference{{ // CJ-010
				APIVersion: "batch/v1", Kind: "CronJob", Name: "hello", UID: "hello-uid", Controller: new(true), BlockOwnerDeletion: new(true),
			}},
		},
		Spec: cj.Spec.JobTemplate.Spec,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the Job (-want +got):\n%s", diff)
	}
	status := batchv1.CronJobStatus{
		Active:           []corev1.ObjectReference{{APIVersion: "batch/v1", Kind: "Job", Namespace: "default", Name: "hello-29455681", UID: got.UID}},
		LastScheduleTime: meta(at("08:01")),
	}
	if diff := cmp.Diff(status, p.Updates[0].Object.(*batchv1.CronJob).Status); diff != "" {
		t.Errorf("the status (-want +got):\n%s", diff)
	}
	if p.Updates[0].NeedsCreate != 1 || len(got.UID) != 36 {
		t.Errorf("the status does not depend on the Job, or its uid is no UUID: %q", got.UID)
	}
	next := cj.DeepCopy()
	next.ResourceVersion = "6"
	if again := cronjob.Reconcile(look("08:01:07", next)).Creates[0].Object; again.GetUID() == got.UID {
		t.Error("a second Job of the same name has the same uid")
	}
}

func TestReconcile_Replace(t *testing.T) {
	t.Parallel()
	p := cronjob.Reconcile(look("08:03", cronJob(policy(batchv1.ReplaceConcurrent), last("08:02"), active("08:01", "08:02")), job("08:01"), job("08:02")))
	if len(p.Deletes) != 2 || p.Creates[0].NeedsDelete != 2 {
		t.Errorf("the new Job does not depend on the end of the old ones:\n%s", p)
	}
	if got := p.Updates[0].Object.(*batchv1.CronJob).Status.Active; len(got) != 1 || got[0].Name != nameAt("08:03") {
		t.Errorf("active are %v", got)
	}
}

func TestReconcile_ChangedSchedule(t *testing.T) {
	t.Parallel()
	before := look("09:10:30", cronJob(last("09:00"), scheduled("@hourly")))
	if p := laws.Check(t, cronjob.Reconcile, before); p.String() != again("10:00") {
		t.Fatalf("the plan is\n%s", p)
	}
	// Nothing was missed: what the new schedule names begins now.
	changed := before
	changed.CronJob = cronJob(last("09:00"), scheduled("*/5 * * * *"))
	p := laws.Check(t, cronjob.Reconcile, changed)
	if want := "remember\n" + again("09:15"); p.String() != want {
		t.Fatalf("the plan is\n%swant\n%s", p, want)
	}
	then := cronjob.Snapshot{CronJob: changed.CronJob, Memory: p.Memory, Now: at("09:15")}
	if p := cronjob.Reconcile(then); p.String() != starts("09:15", "09:20") {
		t.Fatalf("the plan is\n%s", p)
	}
	// Another time zone is another schedule.
	then.Now = at("09:16:10")
	then.CronJob = cronJob(last("09:15"), scheduled("*/5 * * * *"), func(cj *batchv1.CronJob) { cj.Spec.TimeZone = new("Asia/Kolkata") })
	if p, want := cronjob.Reconcile(then), "remember\n"+again("09:20"); p.String() != want {
		t.Fatalf("the plan is\n%swant\n%s", p, want)
	}
}

// The first sync stores the schedule as of the creation, so that runs missed while the server was
// stopped count.
func TestReconcile_FirstLook(t *testing.T) {
	t.Parallel()
	p := cronjob.Reconcile(cronjob.Snapshot{CronJob: cronJob(), Now: at("08:10:30")})
	if want := strings.Replace(starts("08:10", "08:11"), "wake", "remember\nwake", 1); p.String() != want {
		t.Errorf("the plan is\n%swant\n%s", p, want)
	}
}
