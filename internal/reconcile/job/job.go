// Package job holds the decisions of the Job controller: it runs Pods until as many have succeeded
// as the Job requires, or the Job has failed, and counts every Pod exactly once.
//
// Each Pod of a Job carries the finalizer batch.kubernetes.io/job-tracking until it has been
// counted, so that no Pod vanishes uncounted. Counting takes two syncs. The first writes the Pod's
// uid to status.uncountedTerminatedPods and removes the finalizer, in one plan. A later one that
// finds the finalizer gone moves the uid to the counters. The applier may leave out single changes
// of a plan, so either change may be made without the other. If a Pod keeps its finalizer, its uid
// stays in the list and is not added again. A Pod whose uid is not in the list keeps its finalizer,
// because the status is never left out: the Job's row is locked. A Pod that is deleted because it
// is no longer needed loses its finalizer in the same change.
//
// Reconcile sees every relevant Pod in one snapshot, and its plan is applied in one transaction
// under the Job's row lock. So upstream's expectations are not needed.
//
// Differs: upstream creates Pods in batches of 1, 2, 4, … so that few requests hit an exhausted
// quota. Here all creates of a plan are one transaction, and the applier counts how many are
// admitted; see plan.Refusal.
package job

import (
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Reconcile returns the changes that advance the Job. It is pure and safe for concurrent use.
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
	claimed := len(l.plan.Updates)
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
	l.plan.ClaimFirst(claimed)
	return l.finish()
}

func newLook(s Snapshot) *look {
	l := &look{Snapshot: s, status: *s.Job.Status.DeepCopy()}
	if l.status.UncountedTerminatedPods == nil {
		l.status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{}
	}
	return l
}

// Finished reports whether the Job has its terminal condition.
//
// Source: kubernetes v1.36 pkg/controller/job/util/utils.go, IsJobFinished
func Finished(j *batchv1.Job) bool {
	return isTrue(j.Status.Conditions, batchv1.JobComplete) || isTrue(j.Status.Conditions, batchv1.JobFailed)
}

// managedElsewhere reports whether another controller manages the Job.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, managedByExternalController
func managedElsewhere(j *batchv1.Job) bool {
	return j.Spec.ManagedBy != nil && *j.Spec.ManagedBy != batchv1.JobControllerName
}

// takeStock counts the Pods of the snapshot.
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

// finish writes the status if it differs from the Job's, and schedules the next sync.
func (l *look) finish() plan.Plan {
	l.status.Active, l.status.Ready, l.status.Terminating = l.running, &l.ready, &l.terminating
	l.writeIndexes()
	ended := l.conclude()
	if ended {
		l.plan.WakeAt = time.Time{}
	}
	if l.verdict != nil {
		l.kept = backoff{} // no more Pods will be created
	}
	if !equality.Semantic.DeepEqual(l.status, l.Job.Status) {
		next := l.Job.DeepCopy()
		next.Status = l.status
		// The status comes first, so that the log, too, records a Pod before its finalizer is
		// removed.
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
