package history_test

import (
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/test/history"
)

// job makes a Job j of up to two Pods at a time, with its status as edited.
func job(edits ...func(*batchv1.Job)) *batchv1.Job {
	j := &batchv1.Job{ObjectMeta: meta("j", ""), Spec: batchv1.JobSpec{Parallelism: new(int32(2))}}
	for _, edit := range edits {
		edit(j)
	}
	return j
}

func indexed(j *batchv1.Job)   { j.Spec.CompletionMode = new(batchv1.IndexedCompletion) }
func suspended(j *batchv1.Job) { j.Spec.Suspend = new(true) }

func wants(completions int32) func(*batchv1.Job) {
	return func(j *batchv1.Job) { j.Spec.Completions = &completions }
}

func complete(j *batchv1.Job) {
	j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
}

func counted(succeeded, failed int32) func(*batchv1.Job) {
	return func(j *batchv1.Job) { j.Status.Succeeded, j.Status.Failed = succeeded, failed }
}

// noted sets the Pods in uncountedTerminatedPods, by their names.
func noted(succeeded, failed string) func(*batchv1.Job) {
	list := func(name string) []types.UID {
		if name == "" {
			return nil
		}
		return []types.UID{types.UID("uid-of-" + name)}
	}
	return func(j *batchv1.Job) {
		j.Status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{Succeeded: list(succeeded), Failed: list(failed)}
	}
}

// worker makes a Pod of the Job with the tracking finalizer and an index.
func worker(name, state, index string) *corev1.Pod {
	p := pod(name, "j", state)
	p.Finalizers = []string{batchv1.JobTrackingFinalizer}
	p.Annotations = map[string]string{batchv1.JobCompletionIndexAnnotation: index}
	if state == "succeeded" {
		p.Status.Phase = corev1.PodSucceeded
	}
	return p
}

func free(p *corev1.Pod) *corev1.Pod {
	p.Finalizers = nil
	return p
}

func dismissed(p *corev1.Pod) *corev1.Pod {
	p.DeletionTimestamp = &metav1.Time{Time: start}
	return free(p)
}

func TestJobs(t *testing.T) {
	t.Parallel()
	run(t, history.Jobs, []row{
		{"a Job's life", log(created(job()), created(worker("a", "pending", "")), created(worker("b", "pending", "")), updated(worker("a", "succeeded", "")),
			updated(job(noted("a", ""))), updated(free(worker("a", "succeeded", ""))), updated(job(noted("", ""), counted(1, 0))), created(worker("c", "pending", "")),
			updated(job(noted("", "b"), counted(1, 0))), updated(free(worker("b", "failed", ""))), updated(job(noted("", ""), counted(1, 1), suspended)),
			updated(dismissed(worker("c", "ready", ""))), deleted(worker("c", "ready", "")), updated(job(counted(1, 1), complete)), deleted(worker("a", "", ""))), nil},
		{"an Indexed Job's life", log(created(job(indexed)), created(worker("a", "pending", "0")), updated(worker("a", "succeeded", "0")),
			updated(job(indexed, counted(1, 0))), updated(free(worker("a", "succeeded", "0"))), created(worker("b", "pending", "1"))), nil},
		{"too many Pods", log(created(job()), created(worker("a", "", "")), created(worker("b", "", "")), created(worker("c", "", ""))),
			[]string{"revision 4, pods/default/c: is Pod 3 of Job j, which may have 2"}},
		{"two Pods of an index", log(created(job(indexed)), created(worker("a", "", "0")), created(worker("b", "", "0"))),
			[]string{"revision 3, pods/default/b: is the second Pod of index 0"}},
		{"a Pod of a suspended Job", log(created(job(suspended)), created(worker("a", "", ""))), []string{"revision 2, pods/default/a: created for Job j, which does not run"}},
		{"a Pod of a finished Job", log(created(job(complete)), created(worker("a", "", ""))), []string{"revision 2, pods/default/a: created for Job j, which does not run"}},
		{"a Pod is counted that was never noted", log(created(job()), updated(job(counted(1, 1)))), []string{
			"revision 2, jobs.batch/default/j: failed is 1, and 0 Pods have been noted and counted",
			"revision 2, jobs.batch/default/j: succeeded is 1, and 0 Pods have been noted and counted"}},
		{"a Pod is noted twice", log(created(job(noted("a", ""))), updated(job(counted(1, 0))), updated(job(noted("a", ""), counted(1, 0)))),
			[]string{"revision 3, jobs.batch/default/j: Pod uid-of-a is noted again"}},
		{"a Pod is lost", log(created(job()), created(worker("a", "", "")), updated(free(worker("a", "failed", "")))),
			[]string{"revision 3, pods/default/a: lost its finalizer before it was counted"}},
		{"a Job is complete too early", log(created(job(wants(2))), updated(job(wants(2), complete))),
			[]string{"revision 2, jobs.batch/default/j: is complete, and 0 of 2 have succeeded"}},
		{"an index is lost", log(created(job(indexed, counted(2, 0))), updated(job(indexed, counted(1, 0)))), []string{`revision 2, jobs.batch/default/j: completedIndexes is "" after ""`}},
	})
}
