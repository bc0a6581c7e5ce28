package job_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/job"
)

// completed sets the indexes that have succeeded.
func completed(n int32, indexes string) jobEdit {
	return status(func(s *batchv1.JobStatus) { s.Succeeded, s.CompletedIndexes = n, indexes })
}

func lost(indexes string) jobEdit {
	return status(func(s *batchv1.JobStatus) { s.FailedIndexes = &indexes })
}

func TestReconcile_Indexed(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"JOB-020 JOB-021 each Pod has an index", snapshot(theJob(fresh, indexedJob(2))), `
			update Job default/pi status
			create Pod default/pi-0-*
			create Pod default/pi-1-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=2 ready=0 terminating=0 startTime="now" uncountedTerminatedPods={}
			pi-0- tracked {"completion-index":"0"}
			pi-1- tracked {"completion-index":"1"}
		`},
		{"JOB-023 the lowest indexes that are missing", snapshot(theJob(indexedJob(9), parallelism(3), completed(4, "0,2-4"), active(1)), pod("a", index(1))), `
			update Job default/pi status
			create Pod default/pi-5-*
			create Pod default/pi-6-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=3
			pi-5- tracked {"completion-index":"5"}
			pi-6- tracked {"completion-index":"6"}
		`},
		{"JOB-023 an index is done when its Pod has succeeded", snapshot(theJob(indexedJob(5), completed(3, "0-2"), active(2)),
			pod("d", index(3), succeeded), pod("e", index(4))), `
			update Job default/pi status
			update Pod default/d
			status active=1 succeeded=4 completedIndexes="0-3"
			d {"completion-index":"3"}
		`},
		{"JOB-023 and the Job when all are", snapshot(theJob(indexedJob(5), completed(4, "0-2,4"), active(1)), pod("d", index(3), succeeded)), `
			update Job default/pi status
			update Pod default/d
			event Job default/pi Normal Completed "Job completed"
			status active=null succeeded=5 completedIndexes="0-4" completionTime="now" ` +
			`SuccessCriteriaMet=True(CompletionsReached: Reached expected number of succeeded pods) ` +
			`Complete=True(CompletionsReached: Reached expected number of succeeded pods)
			d {"completion-index":"3"}
		`},
		{"JOB-024 of two Pods with an index one is deleted", snapshot(theJob(indexedJob(2), active(3)), pod("a", index(0)), pod("b", index(1)), pod("c", index(1), pending)), `
			update Job default/pi status
			delete Pod default/c without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: c"
			status active=2 terminating=1
		`},
		{"JOB-024 only the first success of an index counts", snapshot(theJob(indexedJob(2), completed(1, "0"), active(2)),
			pod("a", index(0), succeeded), pod("b", index(1))), `
			update Job default/pi status
			update Pod default/a
			status active=1
			a {"completion-index":"0"}
		`},
		{"JOB-024 Pods without an index, or with one too high, go", snapshot(theJob(indexedJob(1), active(3)), pod("a", index(0)), pod("b"), pod("c", index(1))), `
			update Job default/pi status
			delete Pod default/b without batch.kubernetes.io/job-tracking
			delete Pod default/c without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			event Job default/pi Normal SuccessfulDelete "Deleted pod: c"
			status active=1 terminating=2
		`},
		{"Pods without an index do not count", snapshot(theJob(indexedJob(1), active(1)), pod("a", index(0)), pod("b", succeeded), pod("c", index(7), failed)), `
			update Pod default/b
			update Pod default/c
			b
			c {"completion-index":"7"}
		`},
		{"JOB-063 more indexes", snapshot(theJob(indexedJob(3), completed(1, "0"), active(1)), pod("b", index(1))), `
			update Job default/pi status
			create Pod default/pi-2-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=2
			pi-2- tracked {"completion-index":"2"}
		`},
		{"JOB-063 fewer indexes", snapshot(theJob(indexedJob(2), completed(3, "0,3-4"), active(1)), pod("b", index(1))), `
			update Job default/pi status
			status succeeded=1 completedIndexes="0"
		`},
		{"a failed index runs again, after the pause", remembering(snapshot(theJob(indexedJob(2), active(1)), pod("b", index(1))), oneFailure), `
			wake at 2026-01-02T03:04:14Z
		`},
		{"JOB-052 a terminating Pod keeps its index", snapshot(theJob(indexedJob(2), replacing(batchv1.Failed), active(2)), pod("a", index(0), ending), pod("b", index(1))), `
			update Job default/pi status
			status active=1 terminating=1
		`},
	})
}

func TestReconcile_PerIndex(t *testing.T) {
	t.Parallel()
	per := func(limit int32, edits ...jobEdit) *batchv1.Job {
		return theJob(append([]jobEdit{indexedJob(2), perIndex(limit), lost("")}, edits...)...)
	}
	check(t, []row{
		{"the first Pods have not failed", snapshot(per(1, fresh)), `
			update Job default/pi status
			create Pod default/pi-0-*
			create Pod default/pi-1-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			status active=2 ready=0 terminating=0 failedIndexes="" startTime="now" uncountedTerminatedPods={}
			pi-0- tracked {"completion-index":"0","index-failure-count":"0"}
			pi-1- tracked {"completion-index":"1","index-failure-count":"0"}
		`},
		{"a failed Pod keeps its finalizer while its index waits", snapshot(per(1, active(2)), pod("a", index(0), failures(0), failed), pod("b", index(1), failures(0))), `
			update Job default/pi status
			wake at 2026-01-02T03:04:15Z
			status active=1
		`},
		{"the new Pod carries on the count", snapshot(per(1, active(1)), pod("a", index(0), failures(0), exited(1, 10*time.Second)), pod("b", index(1), failures(0))), `
			update Job default/pi status
			create Pod default/pi-0-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			wake at 2026-01-02T03:04:05Z
			status active=2
			pi-0- tracked {"completion-index":"0","index-failure-count":"1"}
		`},
		{"then the failed one is let go", snapshot(per(1, active(2)), pod("a", index(0), failures(0), exited(1, 10*time.Second)), pod("b", index(1), failures(0)), pod("c", index(0), failures(1))), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status uncountedTerminatedPods={"failed":["a-uid"]}
			a {"completion-index":"0","index-failure-count":"0"}
		`},
		{"the pause doubles for each index alone", snapshot(per(3, active(0)), pod("a", index(0), failures(1), exited(1, 19*time.Second)), pod("b", index(1), failures(0), exited(1, 9*time.Second))), `
			wake at 2026-01-02T03:04:06Z
		`},
		{"one index may begin before the other", snapshot(per(3, active(0)), pod("a", index(0), failures(1), exited(1, 19*time.Second)), pod("b", index(1), failures(0), exited(1, 10*time.Second))), `
			update Job default/pi status
			create Pod default/pi-1-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			wake at 2026-01-02T03:04:05Z
			status active=1
			pi-1- tracked {"completion-index":"1","index-failure-count":"1"}
		`},
		{"an index that has failed too often has failed", snapshot(per(1, active(2)), pod("a", index(0), failures(1), failed), pod("b", index(1), failures(0))), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=1 failedIndexes="0" uncountedTerminatedPods={"failed":["a-uid"]}
			a {"completion-index":"0","index-failure-count":"1"}
		`},
		{"the Job fails when the others have succeeded", snapshot(per(1, lost("0"), active(1)), pod("b", index(1), failures(0), succeeded)), `
			update Job default/pi status
			update Pod default/b
			event Job default/pi Warning FailedIndexes "Job has failed indexes"
			status active=null succeeded=1 completedIndexes="1" FailureTarget=True(FailedIndexes: Job has failed indexes) Failed=True(FailedIndexes: Job has failed indexes)
			b {"completion-index":"1","index-failure-count":"0"}
		`},
		{"the Job fails when too many indexes have", snapshot(per(0, maxFailed(0), active(2)), pod("a", index(0), failures(0), failed), pod("b", index(1), failures(0))), `
			update Job default/pi status
			update Pod default/a
			delete Pod default/b without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 failedIndexes="0" uncountedTerminatedPods={"failed":["a-uid","b-uid"]} ` +
			`FailureTarget=True(MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes)
			a {"completion-index":"0","index-failure-count":"0"}
		`},
		{"FailIndex fails the index at once", snapshot(per(5, failurePolicy(onExit(batchv1.PodFailurePolicyActionFailIndex, batchv1.PodFailurePolicyOnExitCodesOpIn, 42)), active(2)),
			pod("a", index(0), failures(0), exited(42, 0)), pod("b", index(1), failures(0))), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=1 failedIndexes="0" uncountedTerminatedPods={"failed":["a-uid"]}
			a {"completion-index":"0","index-failure-count":"0"}
		`},
		{"what is ignored is counted apart", snapshot(per(1, failurePolicy(onCondition(batchv1.PodFailurePolicyActionIgnore, corev1.DisruptionTarget)), active(1)),
			pod("a", index(0), failures(1), exited(1, time.Minute), disrupted), pod("b", index(1), failures(0))), `
			update Job default/pi status
			create Pod default/pi-0-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			wake at 2026-01-02T03:04:05Z
			status active=2
			pi-0- tracked {"completion-index":"0","index-failure-count":"1","index-ignored-failure-count":"1"}
		`},
		{"invalid counts count as 0", snapshot(per(1, active(1)), pod("a", index(0), annotate(batchv1.JobIndexFailureCountAnnotation, "-7"), exited(1, time.Minute)), pod("b", index(1))), `
			update Job default/pi status
			create Pod default/pi-0-*
			event Job default/pi Normal SuccessfulCreate "Created pod: %s"
			wake at 2026-01-02T03:04:05Z
			status active=2
			pi-0- tracked {"completion-index":"0","index-failure-count":"1"}
		`},
	})
}

func TestReconcile_FailurePolicy(t *testing.T) {
	t.Parallel()
	const in, notIn = batchv1.PodFailurePolicyOnExitCodesOpIn, batchv1.PodFailurePolicyOnExitCodesOpNotIn
	worked := failurePolicy(onExit(batchv1.PodFailurePolicyActionFailJob, in, 42), onCondition(batchv1.PodFailurePolicyActionIgnore, corev1.DisruptionTarget))
	named := func(rule batchv1.PodFailurePolicyRule, container string) batchv1.PodFailurePolicyRule {
		rule.OnExitCodes.ContainerName = &container
		return rule
	}
	check(t, []row{
		{"JOB-047 JOB-050 exit code 42 fails the Job", snapshot(theJob(worked, parallelism(2), completions(2), active(2)), pod("a", exited(42, 0)), pod("b")), `
			update Job default/pi status
			update Pod default/a
			delete Pod default/b without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 uncountedTerminatedPods={"failed":["a-uid","b-uid"]} ` +
			`FailureTarget=True(PodFailurePolicy: Container c for pod default/a failed with exit code 42 matching FailJob rule at index 0)
			a
		`},
		{"JOB-048 JOB-050 a disruption does not count", snapshot(theJob(worked, active(1)), pod("a", exited(143, 0), disrupted)), `
			update Job default/pi status
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:15Z
			status active=null
			a
			memory {"failures":1,"last":"2026-01-02T03:04:05Z","ignored":["a-uid"]}
		`},
		{"JOB-048 its failure is remembered once, though its finalizer was left", remembering(snapshot(theJob(worked), pod("a", exited(143, 0), disrupted)),
			`{"failures":1,"last":"2026-01-02T03:04:05Z","ignored":["a-uid","gone"]}`), `
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:15Z
			a
			memory {"failures":1,"last":"2026-01-02T03:04:05Z","ignored":["a-uid"]}
		`},
		{"JOB-050 any other exit code counts", snapshot(theJob(worked, active(1)), pod("a", exited(1, 0))), `
			update Job default/pi status
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]}
			a
			memory {"failures":1,"last":"2026-01-02T03:04:05Z"}
		`},
		{"JOB-044 the first rule that matches decides", snapshot(theJob(worked, active(1)), pod("a", exited(42, 0), disrupted)), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]} FailureTarget=True(PodFailurePolicy: Container c for pod default/a failed with exit code 42 matching FailJob rule at index 0)
			a
		`},
		{"JOB-049 Count counts", snapshot(theJob(failurePolicy(onExit(batchv1.PodFailurePolicyActionCount, notIn, 5), onExit(batchv1.PodFailurePolicyActionFailJob, in, 7)), active(1)),
			pod("a", exited(7, 0))), `
			update Job default/pi status
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]}
			a
			memory {"failures":1,"last":"2026-01-02T03:04:05Z"}
		`},
		{"JOB-045 a rule for another container", snapshot(theJob(failurePolicy(named(onExit(batchv1.PodFailurePolicyActionFailJob, in, 42), "other")), active(1)),
			pod("a", exited(42, 0))), `
			update Job default/pi status
			update Pod default/a
			remember
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]}
			a
			memory {"failures":1,"last":"2026-01-02T03:04:05Z"}
		`},
		{"JOB-045 a rule for an init container", snapshot(theJob(failurePolicy(named(onExit(batchv1.PodFailurePolicyActionFailJob, in, 42), "init")), active(1)),
			pod("a", failed, func(p *corev1.Pod) {
				p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 42}}}}
			})), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]} FailureTarget=True(PodFailurePolicy: Container init for pod default/a failed with exit code 42 matching FailJob rule at index 0)
			a
		`},
		{"a condition fails the Job", snapshot(theJob(failurePolicy(onCondition(batchv1.PodFailurePolicyActionFailJob, "ConfigIssue")), active(1)),
			pod("a", failed, func(p *corev1.Pod) {
				p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "ConfigIssue", Status: corev1.ConditionTrue})
			})), `
			update Job default/pi status
			update Pod default/a
			wake at 2026-01-02T03:04:05Z
			status active=null uncountedTerminatedPods={"failed":["a-uid"]} FailureTarget=True(PodFailurePolicy: Pod default/a has condition ConfigIssue matching FailJob rule at index 0)
			a
		`},
		{"JOB-051 a Pod that is being deleted is not matched", snapshot(theJob(worked, active(1)), pod("a", ending, disrupted)), `
			update Job default/pi status
			status active=null terminating=1
		`},
	})
}

func TestReconcile_SuccessPolicy(t *testing.T) {
	t.Parallel()
	three := indexedJob(3)
	check(t, []row{
		{"the leader has succeeded: the others go and do not count", snapshot(theJob(three, successPolicy(batchv1.SuccessPolicyRule{SucceededIndexes: new("0")}), active(3)),
			pod("a", index(0), succeeded), pod("b", index(1)), pod("c", index(2))), `
			update Job default/pi status
			update Pod default/a
			delete Pod default/b without batch.kubernetes.io/job-tracking
			delete Pod default/c without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			event Job default/pi Normal SuccessfulDelete "Deleted pod: c"
			status active=null terminating=2 succeeded=1 completedIndexes="0" SuccessCriteriaMet=True(SuccessPolicy: Matched rules at index 0)
			a {"completion-index":"0"}
		`},
		{"it is Complete when they have gone", snapshot(theJob(three, successPolicy(batchv1.SuccessPolicyRule{SucceededIndexes: new("0")}), completed(1, "0"),
			status(func(s *batchv1.JobStatus) { s.Terminating = new(int32(2)) }), condition(batchv1.JobSuccessCriteriaMet, "SuccessPolicy", "Matched rules at index 0"))), `
			update Job default/pi status
			event Job default/pi Normal Completed "Job completed"
			status terminating=0 completionTime="now" SuccessCriteriaMet=True(SuccessPolicy: Matched rules at index 0) Complete=True(SuccessPolicy: Matched rules at index 0)
		`},
		{"two of three, by the second rule", snapshot(theJob(three, successPolicy(batchv1.SuccessPolicyRule{SucceededIndexes: new("0-1")}, batchv1.SuccessPolicyRule{SucceededCount: new(int32(2))}),
			completed(1, "0"), active(2)), pod("b", index(1)), pod("c", index(2), succeeded)), `
			update Job default/pi status
			update Pod default/c
			delete Pod default/b without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			status active=null terminating=1 succeeded=2 completedIndexes="0,2" SuccessCriteriaMet=True(SuccessPolicy: Matched rules at index 1)
			c {"completion-index":"2"}
		`},
		{"two of a range", snapshot(theJob(three, successPolicy(batchv1.SuccessPolicyRule{SucceededIndexes: new("0-2"), SucceededCount: new(int32(2))}),
			completed(1, "0"), active(2)), pod("b", index(1)), pod("c", index(2), succeeded)), `
			update Job default/pi status
			update Pod default/c
			delete Pod default/b without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: b"
			status active=null terminating=1 succeeded=2 completedIndexes="0,2" SuccessCriteriaMet=True(SuccessPolicy: Matched rules at index 0)
			c {"completion-index":"2"}
		`},
		{"not yet", snapshot(theJob(three, successPolicy(batchv1.SuccessPolicyRule{SucceededIndexes: new("1-2")}), completed(1, "0"), active(2)),
			pod("b", index(1)), pod("c", index(2))), ""},
		{"failure goes first", snapshot(theJob(three, backoffLimit(0), successPolicy(batchv1.SuccessPolicyRule{SucceededIndexes: new("0")}), active(3)),
			pod("a", index(0), succeeded), pod("b", index(1), failed), pod("c", index(2))), `
			update Job default/pi status
			update Pod default/a
			update Pod default/b
			delete Pod default/c without batch.kubernetes.io/job-tracking
			event Job default/pi Normal SuccessfulDelete "Deleted pod: c"
			wake at 2026-01-02T03:04:05Z
			status active=null terminating=1 succeeded=1 completedIndexes="0" uncountedTerminatedPods={"failed":["b-uid","c-uid"]} ` +
			`FailureTarget=True(BackoffLimitExceeded: Job has reached the specified backoff limit)
			a {"completion-index":"0"}
			b {"completion-index":"1"}
		`},
	})
}

func TestReconcileOrphan(t *testing.T) {
	t.Parallel()
	running, finished := theJob(), theJob(condition(batchv1.JobComplete, "", ""))
	elsewhere := theJob(condition(batchv1.JobComplete, "", ""), func(j *batchv1.Job) { j.Spec.ManagedBy = new("example.com/other") })
	other := func(p *corev1.Pod) { p.OwnerReferences[0].Kind = "ReplicaSet" }
	for _, r := range []struct {
		name string
		o    job.Orphan
		want string
	}{
		{"a Pod without a controller", job.Orphan{Pod: pod("a", orphan)}, "update Pod default/a\n"},
		{"a Pod whose Job is gone", job.Orphan{Pod: pod("a")}, "update Pod default/a\n"},
		{"a Pod whose Job has finished", job.Orphan{Pod: pod("a"), Job: finished}, "update Pod default/a\n"},
		{"a Pod whose Job runs", job.Orphan{Pod: pod("a"), Job: running}, ""},
		{"a Pod whose Job another controller manages", job.Orphan{Pod: pod("a"), Job: elsewhere}, ""},
		{"a Pod of something else", job.Orphan{Pod: pod("a", other)}, ""},
		{"a Pod that has been counted", job.Orphan{Pod: pod("a", untracked)}, ""},
		{"a Pod that never had a node is deleted", job.Orphan{Pod: pod("a", pending, ending), Job: running}, "update Pod default/a status\n"},
		{"a Pod with a node is left to the kubelet", job.Orphan{Pod: pod("a", ending), Job: running}, ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			if got := job.ReconcileOrphan(r.o).String(); got != r.want {
				t.Errorf("plan is %q, want %q", got, r.want)
			}
		})
	}
}
