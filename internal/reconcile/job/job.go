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
	sy := newSyncing(s)
	if !sy.claim() {
		return plan.Plan{}
	}
	claimed := len(sy.plan.Updates)
	sy.takeStock()
	if sy.status.StartTime == nil && !sy.suspended() {
		sy.status.StartTime = sy.nowP()
	}
	sy.judge()
	if sy.verdict != nil {
		sy.deleteActive()
	} else {
		sy.proceed()
	}
	sy.track()
	sy.plan.ClaimFirst(claimed)
	return sy.finish()
}

func newSyncing(s Snapshot) *syncing {
	sy := &syncing{Snapshot: s, status: *s.Job.Status.DeepCopy()}
	if sy.status.UncountedTerminatedPods == nil {
		sy.status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{}
	}
	return sy
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
func (s *syncing) takeStock() {
	uncounted := s.status.UncountedTerminatedPods
	s.uncountedSuccess, s.uncountedFails = set(uncounted.Succeeded), set(uncounted.Failed)
	s.kept = decodeBackoff(s.Memory)
	s.ignored = set(s.kept.Ignored)
	for _, p := range s.pods {
		switch {
		case podstate.Active(p):
			s.active = append(s.active, p)
			if podstate.Ready(p) {
				s.ready++
			}
		case podstate.Terminating(p):
			s.terminating++
		}
	}
	s.running = int32(len(s.active))

	if s.indexed() {
		s.succeededBefore = parseIntervals(s.Job.Status.CompletedIndexes, s.completions())
	}
	var succeeded, failed []*corev1.Pod
	counting := int32(0)
	for _, p := range s.pods {
		if !tracked(p) {
			continue
		}
		if s.succeedsNew(p) {
			succeeded = append(succeeded, p)
		}
		if s.failsNew(p) {
			failed = append(failed, p)
			if _, counts := s.match(p); counts {
				counting++
			}
		}
	}
	s.succeeded = s.status.Succeeded + int32(len(succeeded)+len(uncounted.Succeeded))
	s.failed = s.status.Failed + counting + int32(len(uncounted.Failed))
	if s.indexed() {
		s.takeStockOfIndexes()
	}
	s.backoff = s.kept.with(succeeded, failed)
}

// finish writes the status if it differs from the Job's, and schedules the next sync.
func (s *syncing) finish() plan.Plan {
	s.status.Active, s.status.Ready, s.status.Terminating = s.running, &s.ready, &s.terminating
	s.writeIndexes()
	ended := s.conclude()
	if ended {
		s.plan.WakeAt = time.Time{}
	}
	if s.verdict != nil {
		s.kept = backoff{} // no more Pods will be created
	}
	if !equality.Semantic.DeepEqual(s.status, s.Job.Status) {
		next := s.Job.DeepCopy()
		next.Status = s.status
		// The status comes first, so that the log, too, records a Pod before its finalizer is
		// removed.
		s.plan.Updates = slices.Insert(s.plan.Updates, 0, plan.Update{Object: next, Subresource: "status"})
	}
	uncounted := s.status.UncountedTerminatedPods
	if counting := len(uncounted.Succeeded)+len(uncounted.Failed) > 0 && s.freed > 0; !ended && (s.again || counting) {
		s.wakeAt(s.Now)
	}
	if memory := s.kept.encode(); string(memory) != string(s.Memory) {
		s.plan.Memory = memory
	}
	return s.plan
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
