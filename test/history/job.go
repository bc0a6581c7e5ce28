package history

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Jobs checks the work of Jobs at every revision:
//
//   - no Pod is created for a Job that has as many active Pods as it may, or that is suspended or
//     has finished;
//   - in an Indexed Job no two active Pods have one index, and no Pod is created for an index that
//     has succeeded;
//   - a Pod enters status.uncountedTerminatedPods once in its life, and the counters show how many
//     have left it: so each is counted once. In an Indexed Job, succeeded is the number of indexes,
//     and these are never lost;
//   - a Job that names its completions is complete only when as many have succeeded, unless a success
//     policy says otherwise;
//   - a Pod keeps its finalizer until it is recorded in the status, its index is, or it is deleted
//     as unwanted, or the Job is.
//
// It is meant for Jobs whose completions do not change, and whose Pods keep their labels, owners
// and finalizers as the controllers leave them.
func Jobs(h History) []Violation {
	var found []Violation
	s := newState()
	jobs, pods := map[types.UID]*jobLife{}, map[types.UID]*corev1.Pod{}
	for _, e := range h {
		s.apply(e)
		var wrong []string
		switch o := e.Object.(type) {
		case *batchv1.Job:
			if jobs[e.UID] == nil {
				jobs[e.UID] = newJobLife()
			}
			wrong = jobs[e.UID].next(o)
		case *corev1.Pod:
			if l := jobs[controller(o)]; l != nil {
				wrong = l.judge(e.Verb, pods[e.UID], o, s.counts[controller(o)].active)
			}
			pods[e.UID] = o
		}
		if e.Verb == object.Deleted {
			delete(jobs, e.UID) // nothing counts any more
		}
		if p := pods[e.UID]; e.Verb == object.Deleted && p != nil {
			if l := jobs[controller(p)]; l != nil {
				delete(l.holders, e.UID)
			}
		}
		for _, message := range wrong {
			found = append(found, Violation{e.Revision, e.Key, message})
		}
	}
	return found
}

// jobLife is the progress of a Job.
type jobLife struct {
	job     *batchv1.Job
	noted   map[types.UID]bool         // Pods that are, or were, in uncountedTerminatedPods
	left    map[types.UID]bool         // those that have left it
	holders map[types.UID]string       // active Pods, with their index
	sums    struct{ done, lost int32 } // how many have left the two lists
}

func newJobLife() *jobLife {
	return &jobLife{job: &batchv1.Job{}, noted: map[types.UID]bool{}, left: map[types.UID]bool{}, holders: map[types.UID]string{}}
}

func uncounted(j *batchv1.Job) batchv1.UncountedTerminatedPods {
	if u := j.Status.UncountedTerminatedPods; u != nil {
		return *u
	}
	return batchv1.UncountedTerminatedPods{}
}

// next takes the Job's next version and returns what is wrong with it.
func (l *jobLife) next(j *batchv1.Job) (wrong []string) {
	before, after := uncounted(l.job), uncounted(j)
	for _, uid := range slices.Concat(after.Succeeded, after.Failed) {
		if l.left[uid] {
			wrong = append(wrong, fmt.Sprintf("Pod %s is noted again", uid))
		}
		l.noted[uid] = true
	}
	leave := func(old, next []types.UID, sum *int32) {
		for _, uid := range old {
			if !slices.Contains(next, uid) {
				l.left[uid] = true
				*sum++
			}
		}
	}
	leave(before.Succeeded, after.Succeeded, &l.sums.done)
	leave(before.Failed, after.Failed, &l.sums.lost)
	if j.Status.Failed != l.sums.lost {
		wrong = append(wrong, fmt.Sprintf("failed is %d, and %d Pods have been noted and counted", j.Status.Failed, l.sums.lost))
	}
	switch {
	case !isIndexed(j):
		if j.Status.Succeeded != l.sums.done {
			wrong = append(wrong, fmt.Sprintf("succeeded is %d, and %d Pods have been noted and counted", j.Status.Succeeded, l.sums.done))
		}
	case j.Status.Succeeded < l.job.Status.Succeeded:
		wrong = append(wrong, fmt.Sprintf("completedIndexes is %q after %q", j.Status.CompletedIndexes, l.job.Status.CompletedIndexes))
	}
	if wanted := j.Spec.Completions; wanted != nil && j.Spec.SuccessPolicy == nil && isComplete(j) && j.Status.Succeeded < *wanted {
		wrong = append(wrong, fmt.Sprintf("is complete, and %d of %d have succeeded", j.Status.Succeeded, *wanted))
	}
	l.job = j
	return wrong
}

// judge takes a Pod's next version, with how many Pods of the Job are then active, and returns what
// is wrong with it.
func (l *jobLife) judge(verb object.Verb, old, p *corev1.Pod, active int) (wrong []string) {
	index, indexed := p.Annotations[batchv1.JobCompletionIndexAnnotation], isIndexed(l.job)
	if verb == object.Created {
		switch most := l.job.Spec.Parallelism; {
		case most != nil && active > int(*most):
			wrong = append(wrong, fmt.Sprintf("is Pod %d of Job %s, which may have %d", active, l.job.Name, *most))
		case l.job.Spec.Suspend != nil && *l.job.Spec.Suspend, finished(l.job):
			wrong = append(wrong, "created for Job "+l.job.Name+", which does not run")
		}
		for _, other := range l.holders {
			if indexed && other == index {
				wrong = append(wrong, "is the second Pod of index "+index)
			}
		}
	}
	if delete(l.holders, p.UID); podstate.Active(p) {
		l.holders[p.UID] = index
	}
	freed := old != nil && tracked(old) && !tracked(p)
	counted := l.noted[p.UID] || indexed && p.Status.Phase == corev1.PodSucceeded
	dismissed := p.DeletionTimestamp != nil && old != nil && old.DeletionTimestamp == nil
	working := !finished(l.job) && l.job.DeletionTimestamp == nil
	if freed && !counted && !dismissed && working {
		wrong = append(wrong, "lost its finalizer before it was counted")
	}
	return wrong
}

func tracked(p *corev1.Pod) bool { return slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) }

func isIndexed(j *batchv1.Job) bool {
	return j.Spec.CompletionMode != nil && *j.Spec.CompletionMode == batchv1.IndexedCompletion
}

func finished(j *batchv1.Job) bool { return isComplete(j) || has(j, batchv1.JobFailed) }

func isComplete(j *batchv1.Job) bool { return has(j, batchv1.JobComplete) }

func has(j *batchv1.Job, condition batchv1.JobConditionType) bool {
	return slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool {
		return c.Type == condition && c.Status == corev1.ConditionTrue
	})
}
