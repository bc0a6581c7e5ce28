// Package job is the whole judgement of the Job controller: it runs Pods until as many of them have succeeded as the
// Job wants, or the Job has failed, and counts every Pod exactly once.
//
// Each Pod of a Job carries the finalizer batch.kubernetes.io/job-tracking until it has been counted, so that none can
// vanish uncounted. Counting takes two looks. The first writes the Pod's uid to status.uncountedTerminatedPods and takes the
// finalizer off, in one plan. A later one, that finds the finalizer gone, moves the uid to the counters. As the applier
// may leave single changes of a plan out, either change may be made without the other: a uid whose Pod kept its
// finalizer stays where it is and is not noted again, and a Pod that is not noted keeps its finalizer, because the status
// is the one change that is never left out: the Job's row is locked. A Pod that is deleted because it is not wanted any
// more loses its finalizer with the same change.
//
// Reconcile sees every Pod that can matter in one snapshot and its plan is applied in one transaction under the Job's
// row lock, so none of upstream's expectations are needed.
//
// Differs: upstream creates Pods in batches of 1, 2, 4, … so that a quota is met gently. Here all creates of a plan are one
// transaction, in which the applier says how many are admitted; see plan.Refusal.
package job

import (
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	// maxUncounted is how many Pods one look notes at most in status.uncountedTerminatedPods.
	//
	// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, MaxUncountedPods
	maxUncounted = 500
	// maxBurst is the most Pods that one plan creates, or deletes as too many.
	//
	// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, MaxPodCreateDeletePerSync
	maxBurst = 500
)

// component is how events name the controller.
const component = "job-controller"

// Snapshot is what Reconcile looks at. All of it is shared and stays unchanged.
type Snapshot struct {
	Job *batchv1.Job

	// Pods are, in any order, the Pods of the Job's namespace that it controls, and those without a controller whose
	// labels match its selector. Others do no harm.
	Pods []*corev1.Pod

	// Memory is what the last look left to be remembered, see Plan.Memory; nil for nothing.
	Memory []byte

	// BackoffCap is the longest pause before Pods are created again after failures; zero means DefaultBackoffCap.
	BackoffCap time.Duration

	// Refused says, when not nil, that the plan made from this snapshot could not be applied whole.
	Refused *plan.Refusal

	Now time.Time
}

// Reconcile says what has to change for the Job to go on. It is pure, and safe to call from many goroutines.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, syncJob
func Reconcile(s Snapshot) plan.Plan {
	if managedElsewhere(s.Job) {
		return plan.Plan{}
	}
	if Finished(s.Job) {
		return s.letGo()
	}
	l := newLook(s)
	if !l.claim() {
		return plan.Plan{}
	}
	l.takeStock()
	if l.status.StartTime == nil && !l.suspended() {
		l.status.StartTime = l.nowP()
	}
	l.judge()
	if l.verdict != nil {
		l.deleteActive()
	} else {
		l.proceed()
	}
	l.track()
	return l.finish()
}

func newLook(s Snapshot) *look {
	l := &look{Snapshot: s, status: *s.Job.Status.DeepCopy()}
	if l.status.UncountedTerminatedPods == nil {
		l.status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{}
	}
	return l
}

// Finished says whether the Job has its terminal condition.
//
// Source: kubernetes v1.36 pkg/controller/job/util/utils.go, IsJobFinished
func Finished(j *batchv1.Job) bool {
	return isTrue(j.Status.Conditions, batchv1.JobComplete) || isTrue(j.Status.Conditions, batchv1.JobFailed)
}

// managedElsewhere says whether another controller looks after the Job.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, managedByExternalController
func managedElsewhere(j *batchv1.Job) bool {
	return j.Spec.ManagedBy != nil && *j.Spec.ManagedBy != batchv1.JobControllerName
}

// look is one look at one unfinished Job: what the snapshot comes to, and the plan that grows from it.
type look struct {
	Snapshot
	plan   plan.Plan
	status batchv1.JobStatus // as it will be
	again  bool              // something was left for the next look, which is wanted at once

	// The Pods that the Job holds. adopted are those that this plan adopts; deleted has for those that it deletes 1 + the index
	// in plan.Deletes. A plan changes an object once.
	by      claim.Claimant
	pods    []*corev1.Pod
	active  []*corev1.Pod
	adopted map[types.UID]bool
	deleted map[types.UID]int

	// What they come to: counters with all that is not counted yet.
	succeeded, failed                int32
	succeededBefore, succeededNow    intervals // indexes, before and with the Pods of this snapshot
	failedNow                        intervals
	replaceable                      map[int]*corev1.Pod // the failed Pod of each index that a new one will stand in for
	uncountedSuccess, uncountedFails map[types.UID]bool  // those of the status, as it was
	ignored                          map[types.UID]bool  // failed Pods of which nothing but the finalizer is left to do
	backoff                          backoff
	kept                             backoff // what will be remembered of it

	// How it goes on. verdict is the condition that ends the Job, nil while it shall run.
	verdict                     *batchv1.JobCondition
	running, terminating, ready int32 // for the status: active, terminating and ready Pods after this plan
	freed                       int   // Pods that lose their finalizer because they have been counted
	more                        bool  // not all Pods that have ended are noted yet
}

func (l *look) indexed() bool { return indexed(l.Job) }

func indexed(j *batchv1.Job) bool {
	return j.Spec.CompletionMode != nil && *j.Spec.CompletionMode == batchv1.IndexedCompletion
}

func (l *look) suspended() bool { return l.Job.Spec.Suspend != nil && *l.Job.Spec.Suspend }

func (l *look) perIndex() bool { return l.Job.Spec.BackoffLimitPerIndex != nil }

// completions is spec.completions; 0 for a work queue, which has none.
func (l *look) completions() int {
	if l.Job.Spec.Completions == nil {
		return 0
	}
	return int(*l.Job.Spec.Completions)
}

// takeStock counts what the Pods of the snapshot come to.
func (l *look) takeStock() {
	uncounted := l.status.UncountedTerminatedPods
	l.uncountedSuccess, l.uncountedFails = set(uncounted.Succeeded), set(uncounted.Failed)
	l.kept = decodeBackoff(l.Memory)
	l.ignored = set(l.kept.Ignored)
	for _, p := range l.pods {
		switch {
		case podstate.Active(p):
			l.active = append(l.active, p)
			if podstate.Ready(p) {
				l.ready++
			}
		case podstate.Terminating(p):
			l.terminating++
		}
	}
	l.running = int32(len(l.active))

	if l.indexed() {
		l.succeededBefore = parseIntervals(l.Job.Status.CompletedIndexes, l.completions())
	}
	var succeeded, failed []*corev1.Pod
	counting := int32(0)
	for _, p := range l.pods {
		if !tracked(p) {
			continue
		}
		if l.succeedsNew(p) {
			succeeded = append(succeeded, p)
		}
		if l.failsNew(p) {
			failed = append(failed, p)
			if _, counts := l.match(p); counts {
				counting++
			}
		}
	}
	l.succeeded = l.status.Succeeded + int32(len(succeeded)+len(uncounted.Succeeded))
	l.failed = l.status.Failed + counting + int32(len(uncounted.Failed))
	if l.indexed() {
		l.takeStockOfIndexes()
	}
	l.backoff = l.kept.with(succeeded, failed)
}

// hasPlace says whether the Pod may count: in an indexed Job it must have one of the Job's indexes.
func (l *look) hasPlace(p *corev1.Pod) bool {
	if !l.indexed() {
		return true
	}
	i := indexOf(p)
	return i != noIndex && i < l.completions()
}

// isFailed says whether the Pod counts as failed. One that is being deleted does, unless only Pods that have come
// to their end are replaced.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, isPodFailed
func (l *look) isFailed(p *corev1.Pod) bool {
	if p.Status.Phase == corev1.PodFailed {
		return true
	}
	return !l.replacesFailedOnly() && p.DeletionTimestamp != nil && p.Status.Phase != corev1.PodSucceeded
}

// replacesFailedOnly says whether a Pod that is being deleted is replaced when it has ended, not before.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, onlyReplaceFailedPods
func (l *look) replacesFailedOnly() bool {
	policy := l.Job.Spec.PodReplacementPolicy
	return policy != nil && *policy == batchv1.Failed || l.Job.Spec.PodFailurePolicy != nil
}

// finish writes the status if it differs from the Job's, and says when to look again.
func (l *look) finish() plan.Plan {
	l.status.Active, l.status.Ready, l.status.Terminating = l.running, &l.ready, &l.terminating
	l.writeIndexes()
	ended := l.conclude()
	if ended {
		l.plan.WakeAt = time.Time{}
	}
	if l.verdict != nil {
		l.kept = backoff{} // no Pod will be made any more
	}
	if !equality.Semantic.DeepEqual(l.status, l.Job.Status) {
		next := l.Job.DeepCopy()
		next.Status = l.status
		// First, so that in the log, too, a Pod is noted before its finalizer goes.
		l.plan.Updates = slices.Insert(l.plan.Updates, 0, plan.Update{Object: next, Subresource: "status"})
	}
	uncounted := l.status.UncountedTerminatedPods
	if counting := len(uncounted.Succeeded)+len(uncounted.Failed) > 0 && l.freed > 0; !ended && (l.again || counting) {
		l.wakeAt(l.Now)
	}
	if memory := l.kept.encode(); string(memory) != string(l.Memory) {
		l.plan.Memory = memory
	}
	return l.plan
}

// wakeAt asks for another look at that time, unless an earlier one is asked for already.
func (l *look) wakeAt(at time.Time) {
	if l.plan.WakeAt.IsZero() || at.Before(l.plan.WakeAt) {
		l.plan.WakeAt = at
	}
}

func (l *look) event(eventType, reason, message string) {
	l.plan.Events = append(l.plan.Events, plan.Event{Regarding: l.Job, Type: eventType, Reason: reason, Message: message, Component: component})
}

func set(uids []types.UID) map[types.UID]bool {
	if len(uids) == 0 {
		return nil
	}
	m := make(map[types.UID]bool, len(uids))
	for _, uid := range uids {
		m[uid] = true
	}
	return m
}

// tracked says whether the Pod has yet to be counted.
func tracked(p *corev1.Pod) bool { return slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) }
