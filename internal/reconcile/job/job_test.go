package job_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
)

// oneFailure is remembered of one Pod that failed a second ago.
const oneFailure = `{"failures":1,"last":"2026-01-02T03:04:04Z"}`

func TestReconcile_Life(t *testing.T) {
	t.Parallel()
	uncounted := func(succeeded, failed []types.UID) jobEdit {
		return status(func(s *batchv1.JobStatus) {
			s.UncountedTerminatedPods.Succeeded, s.UncountedTerminatedPods.Failed = succeeded, failed
		})
	}
	check(t, []row{
		{"JOB-001 the first sync makes a Pod", snapshot(theJob(fresh)), `
			update Job default/pi status
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=1 ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
			pi- tracked
		`},
		{"all is well", snapshot(theJob(active(1)), pod("a")), ""},
		{"the Pod is ready", snapshot(theJob(active(1)), pod("a", isReady)), `
			update Job default/pi status
			status ready=1
		`},
		{"JOB-067 a Pod that has succeeded is noted, and loses its finalizer", snapshot(theJob(active(1)), pod("a", succeeded)), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"succeeded":["a-uid"]} SuccessCriteriaMet=True(CompletionsReached: Reached expected number of succeeded pods)
			a
		`},
		{"JOB-067 a Pod is counted when its finalizer is off", snapshot(theJob(uncounted([]types.UID{"a-uid"}, nil),
			condition(batchv1.JobSuccessCriteriaMet, "CompletionsReached", "Reached")), pod("a", succeeded, untracked)), `
			update Job default/pi status
			event Job default/pi Normal Completed "Job completed"
			status succeeded=1 completionTime="now" uncountedTerminatedPods={} SuccessCriteriaMet=True(CompletionsReached: Reached) Complete=True(CompletionsReached: Reached)
		`},
		{"JOB-068 a Pod that is gone is counted", snapshot(theJob(uncounted([]types.UID{"a-uid"}, []types.UID{"b-uid"}), completions(2))), `
			update Job default/pi status
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=1 succeeded=1 failed=1 uncountedTerminatedPods={}
			pi- tracked
		`},
		{"a finalizer that was left is taken off", snapshot(theJob(uncounted([]types.UID{"a-uid"}, nil), completions(2)), pod("a", succeeded), pod("b")), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=1
			a
		`},
		{"JOB-027 a Pod that has failed is noted; the next waits", snapshot(theJob(active(1)), pod("a", failed)), `
			update Job default/pi status
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]}
			a
			memory {"failures":1,"last":"2026-01-02T03:04:05Z"}
		`},
		{"a finished Job lets go of what it holds", snapshot(theJob(condition(batchv1.JobComplete, "", "")), pod("a", succeeded), pod("b", succeeded, untracked)), `
			update Pod default/a
			a
		`},
		{"JOB-039 a failed Job is left alone", snapshot(theJob(condition(batchv1.JobFailed, "", ""))), ""},
		{"a Job that another controller manages is left alone", snapshot(theJob(fresh, func(j *batchv1.Job) { j.Spec.ManagedBy = new("example.com/other") })), ""},
		{"a Job that names this controller is not", snapshot(theJob(fresh, func(j *batchv1.Job) { j.Spec.ManagedBy = new(batchv1.JobControllerName) })), `
			update Job default/pi status
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=1 ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
			pi- tracked
		`},
		{"a Job that is being deleted makes no Pods", snapshot(theJob(fresh, beingDeleted)), `
			update Job default/pi status
			status ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
		`},
		{"a Job that is being deleted lets go of its Pods", snapshot(theJob(active(1), beingDeleted), pod("a"), pod("b", failed)), `
			update Job default/pi status
			update Pod default/a
			update Pod default/b
			remember
			wake at 2026-01-02T03:04:05Z
			status uncountedTerminatedPods={"failed":["b-uid"]}
			a
			b
			memory {"failures":1,"last":"2026-01-02T03:04:05Z"}
		`},
	})
}

func TestReconcile_Refused(t *testing.T) {
	t.Parallel()
	refused := func(r plan.Refusal) job.Snapshot {
		s := snapshot(theJob(fresh, parallelism(3), completions(3)))
		s.Refused = &r
		return s
	}
	check(t, []row{
		{"JOB-018 some Pods are admitted", refused(plan.Refusal{Admitted: 2, Reason: metav1.StatusReasonForbidden, Message: "exceeded quota"}), `
			update Job default/pi status
			create Pod default/pi-*
			create Pod default/pi-*
			event Job default/pi Warning FailedCreate "Error creating: exceeded quota"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			wake at 2026-01-02T03:04:15Z
			status active=2 ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
			pi- tracked
			pi- tracked
		`},
		{"a namespace that ends is not a failure", refused(plan.Refusal{NamespaceTerminating: true, Message: "being terminated"}), `
			update Job default/pi status
			status ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
		`},
	})
}

func TestReconcile_Patterns(t *testing.T) {
	t.Parallel()
	done := func(n int32) jobEdit { return status(func(s *batchv1.JobStatus) { s.Succeeded = n }) }
	check(t, []row{
		{"JOB-017 no more Pods than are still wanted", snapshot(theJob(parallelism(10), completions(5), done(3))), `
			update Job default/pi status
			create Pod default/pi-*
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=2
			pi- tracked
			pi- tracked
		`},
		{"JOB-012 the last of five", snapshot(theJob(completions(5), done(4), active(1)), pod("a", succeeded)), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"succeeded":["a-uid"]} SuccessCriteriaMet=True(CompletionsReached: Reached expected number of succeeded pods)
			a
		`},
		{"JOB-015 parallelism 0 pauses", snapshot(theJob(fresh, parallelism(0))), `
			update Job default/pi status
			status ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
		`},
		{"JOB-062 fewer at a time: the least advanced goes", snapshot(theJob(parallelism(1), completions(5), active(2)), pod("a"), pod("b", pending)), `
			update Job default/pi status
			delete Pod default/b without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			status active=1 terminating=1
		`},
		{"JOB-010 a work queue begins with all its Pods", snapshot(theJob(fresh, workQueue, parallelism(2))), `
			update Job default/pi status
			create Pod default/pi-*
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=2 ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
			pi- tracked
			pi- tracked
		`},
		{"JOB-013 after a success none is made", snapshot(theJob(workQueue, parallelism(3), active(3)), pod("a", succeeded), pod("b", failed), pod("c")), `
			update Job default/pi status
			update Pod default/a
			update Pod default/b
			wake at 2026-01-02T03:04:05Z
			status active=1 uncountedTerminatedPods={"failed":["b-uid"],"succeeded":["a-uid"]}
			a
			b
		`},
		{"JOB-014 a work queue is done when all have ended", snapshot(theJob(workQueue, parallelism(3), done(1), active(1)), pod("c", failed)), `
			update Job default/pi status
			update Pod default/c
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["c-uid"]} SuccessCriteriaMet=True(CompletionsReached: Reached expected number of succeeded pods)
			c
		`},
		{"too many have succeeded", snapshot(theJob(completions(1), done(2), condition(batchv1.JobSuccessCriteriaMet, "CompletionsReached", "Reached"))), `
			update Job default/pi status
			event Job default/pi Warning TooManySucceededPods "Too many succeeded pods running after completion count reached"
			event Job default/pi Normal Completed "Job completed"
			status completionTime="now" SuccessCriteriaMet=True(CompletionsReached: Reached) Complete=True(CompletionsReached: Reached)
		`},
	})
}

func TestReconcile_Suspended(t *testing.T) {
	t.Parallel()
	wasSuspended := func(j *batchv1.Job) {
		condition(batchv1.JobSuspended, "JobSuspended", "Job suspended")(j)
		j.Status.StartTime = nil
	}
	check(t, []row{
		{"JOB-059 a Job that is created suspended does not start", snapshot(theJob(fresh, suspend)), `
			update Job default/pi status
			event Job default/pi Normal Suspended "Job suspended"
			status ready=0 terminating=0 uncountedTerminatedPods={} Suspended=True(JobSuspended: Job suspended)
		`},
		{"JOB-054 JOB-055 its Pods go and do not count", snapshot(theJob(suspend, active(2), parallelism(2), completions(2)), pod("a", isReady), pod("b")), `
			update Job default/pi status
			delete Pod default/a without batch.kubernetes.io/job-tracking
			delete Pod default/b without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: a"
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			event Job default/pi Normal Suspended "Job suspended"
			status active=null terminating=2 startTime=null Suspended=True(JobSuspended: Job suspended)
		`},
		{"JOB-057 nothing more happens", snapshot(theJob(suspend, wasSuspended, deadline(5))), ""},
		{"JOB-055 what ended by itself counts", snapshot(theJob(suspend, wasSuspended, active(1), completions(2)), pod("a", succeeded)), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"succeeded":["a-uid"]}
			a
		`},
		{"JOB-056 it begins again", snapshot(theJob(wasSuspended, deadline(100))), `
			update Job default/pi status
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal Resumed "Job resumed"
			wake at 2026-01-02T03:05:45Z
			status active=1 startTime="now" Suspended=False(JobResumed: Job resumed)
			pi- tracked
		`},
	})
}

func TestReconcile_Failing(t *testing.T) {
	t.Parallel()
	hasFailed := func(n int32) jobEdit { return status(func(s *batchv1.JobStatus) { s.Failed = n }) }
	check(t, []row{
		{"JOB-032 as many failures as the limit are allowed", remembering(snapshot(theJob(backoffLimit(1), active(1)), pod("a", exited(1, 10*time.Second))), ""), `
			update Job default/pi status
			update Pod default/a
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			remember
			wake at 2026-01-02T03:04:05Z
			status uncountedTerminatedPods={"failed":["a-uid"]}
			a
			pi- tracked
			memory {"failures":1,"last":"2026-01-02T03:03:55Z"}
		`},
		{"JOB-033 JOB-035 one more is too many: running Pods are deleted", snapshot(theJob(backoffLimit(1), hasFailed(1), parallelism(3), completions(3), active(3)),
			pod("a", failed), pod("b", isReady), pod("c", pending)), `
			update Job default/pi status
			update Pod default/a
			delete Pod default/b without batch.kubernetes.io/job-tracking
			delete Pod default/c without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			event Job default/pi Normal SuccessfulDelete "Deleted pod: c"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=2 uncountedTerminatedPods={"failed":["a-uid","b-uid","c-uid"]} FailureTarget=True(BackoffLimitExceeded: Job has reached the specified backoff limit)
			a
		`},
		{"JOB-033 the condition waits for terminating Pods", snapshot(theJob(hasFailed(2), status(func(s *batchv1.JobStatus) { s.Terminating = new(int32(1)) }),
			condition(batchv1.JobFailureTarget, "BackoffLimitExceeded", "why")), pod("b", untracked, ending)), ""},
		{"JOB-033 and is there when they have ended", snapshot(theJob(hasFailed(2), status(func(s *batchv1.JobStatus) { s.Terminating = new(int32(1)) }),
			condition(batchv1.JobFailureTarget, "BackoffLimitExceeded", "why"))), `
			update Job default/pi status
			event Job default/pi Warning BackoffLimitExceeded "why"
			status terminating=0 FailureTarget=True(BackoffLimitExceeded: why) Failed=True(BackoffLimitExceeded: why)
		`},
		{"JOB-032 JOB-034 restarts that reach the limit", snapshot(theJob(onFailure, backoffLimit(2), active(1)), pod("a", restarted(2))), `
			update Job default/pi status
			delete Pod default/a without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: a"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 uncountedTerminatedPods={"failed":["a-uid"]} FailureTarget=True(BackoffLimitExceeded: Job has reached the specified backoff limit)
		`},
		{"JOB-032 restarts below the limit", snapshot(theJob(onFailure, backoffLimit(2), active(1)), pod("a", restarted(1))), ""},
		{"JOB-032 a limit of 0 allows no restart", snapshot(theJob(onFailure, backoffLimit(0), active(1)), pod("a", restarted(1))), `
			update Job default/pi status
			delete Pod default/a without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: a"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 uncountedTerminatedPods={"failed":["a-uid"]} FailureTarget=True(BackoffLimitExceeded: Job has reached the specified backoff limit)
		`},
		{"JOB-032 a limit of 0 allows the first start", snapshot(theJob(onFailure, backoffLimit(0), active(1)), pod("a", restarted(0))), ""},
		{"with Never restarts do not count", snapshot(theJob(backoffLimit(0), active(1)), pod("a", restarted(9))), ""},
		{"JOB-036 the deadline", snapshot(theJob(deadline(60), active(1)), pod("a")), `
			update Job default/pi status
			delete Pod default/a without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: a"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 uncountedTerminatedPods={"failed":["a-uid"]} FailureTarget=True(DeadlineExceeded: Job was active longer than specified deadline)
		`},
		{"JOB-036 a second before it", snapshot(theJob(deadline(61), active(1)), pod("a")), `
			wake at 2026-01-02T03:04:06Z
		`},
		{"JOB-037 the deadline comes before the pause", remembering(snapshot(theJob(deadline(61), hasFailed(1))),
			oneFailure), `
			wake at 2026-01-02T03:04:06Z
		`},
		{"a deadline beyond all times", snapshot(theJob(deadline(1<<62), active(1)), pod("a")), `
			wake at 2225-11-15T03:03:05Z
		`},
	})
}

func TestReconcile_Claims(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"JOB-065 an orphan is adopted and tracked", snapshot(theJob(), pod("a", orphan, untracked)), `
			update Job default/pi status
			update Pod default/a
			status active=1
			a tracked
		`},
		{"an orphan that has succeeded is counted by the next sync", snapshot(theJob(), pod("a", orphan, untracked, succeeded)), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status SuccessCriteriaMet=True(CompletionsReached: Reached expected number of succeeded pods)
			a tracked
		`},
		{"an orphan that is one too many goes with the next sync", snapshot(theJob(active(1)), pod("a"), pod("b", orphan, untracked, pending)), `
			update Job default/pi status
			update Pod default/b
			wake at 2026-01-02T03:04:05Z
			status active=2
			b tracked
		`},
		{"an orphan that is being deleted is left", snapshot(theJob(active(1)), pod("a"), pod("b", orphan, ending)), ""},
		{"a Pod with other labels is released", snapshot(theJob(active(1)), pod("a", unmatched)), `
			update Pod default/a
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			a orphan
			pi- tracked
		`},
		{"JOB-042 a Pod that is being deleted is replaced, after a pause", snapshot(theJob(active(1)), pod("a", ending)), `
			update Job default/pi status
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 uncountedTerminatedPods={"failed":["a-uid"]}
			a
			memory {"failures":1,"last":"2026-01-02T03:04:00Z"}
		`},
		{"JOB-051 with replacement of Failed only when it has ended", snapshot(theJob(active(1), replacing(batchv1.Failed)), pod("a", ending)), `
			update Job default/pi status
			status active=null terminating=1
		`},
		{"JOB-052 then", snapshot(theJob(replacing(batchv1.Failed), status(func(s *batchv1.JobStatus) { s.Terminating = new(int32(1)) })),
			pod("a", ending, exited(1, 10*time.Second))), `
			update Job default/pi status
			update Pod default/a
			create Pod default/pi-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			remember
			wake at 2026-01-02T03:04:05Z
			status active=1 terminating=0 uncountedTerminatedPods={"failed":["a-uid"]}
			a
			pi- tracked
			memory {"failures":1,"last":"2026-01-02T03:03:55Z"}
		`},
	})
}

// TestJob_ReplacedOnlyIfReleased: a client may undo the change of a Pod's labels before the Pod is
// released. The Pod is then not replaced either.
func TestJob_ReplacedOnlyIfReleased(t *testing.T) {
	t.Parallel()
	released := pod("a", unmatched)
	got := job.Reconcile(snapshot(theJob(active(1)), released))
	if len(got.Creates) != 1 || got.Creates[0].NeedsUpdate != released.UID {
		t.Errorf("the creations are %+v, want one that needs the release", got.Creates)
	}
}
