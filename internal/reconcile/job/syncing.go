package job

import (
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

const (
	// maxUncounted is how many Pods one sync adds at most to status.uncountedTerminatedPods.
	//
	// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, MaxUncountedPods
	maxUncounted = 500
	// maxBurst is the maximum number of Pods that one plan creates, or deletes because there are
	// too many.
	//
	// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, MaxPodCreateDeletePerSync
	maxBurst = 500
)

// component is the controller's name in events.
const component = "job-controller"

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	Job *batchv1.Job

	// Pods are, in any order, the Pods of the Job's namespace that it controls, and those without a
	// controller whose labels match its selector. Others are ignored.
	Pods []*corev1.Pod

	// Memory is what the last sync stored, see Plan.Memory; nil if nothing.
	Memory []byte

	// BackoffCap is the longest pause before Pods are created again after failures; zero means
	// DefaultBackoffCap.
	BackoffCap time.Duration

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}

// syncing is the state of one sync of an unfinished Job: what is derived from the snapshot, and the
// plan so far.
type syncing struct {
	Snapshot
	plan   plan.Plan
	status batchv1.JobStatus // with its changes
	again  bool              // something is left for another sync, at once

	// The Pods that the Job holds. adopted are those that this plan adopts. deleted maps those that
	// it deletes to 1 + their index in Plan.Deletes. A plan changes an object at most once.
	by      claim.Claimant
	pods    []*corev1.Pod
	active  []*corev1.Pod
	adopted map[types.UID]bool
	deleted map[types.UID]int

	// Counts that include Pods which are not yet in the status.
	succeeded, failed                int32
	succeededBefore, succeededNow    intervals // indexes, before and with the Pods of this snapshot
	failedNow                        intervals
	replaceable                      map[int]*corev1.Pod // by index, the failed Pod that a new one will replace
	uncountedSuccess, uncountedFails map[types.UID]bool  // from the original status
	ignored                          map[types.UID]bool  // failed Pods that only have to lose their finalizer
	backoff                          backoff
	kept                             backoff // the backoff to store

	// The outcome. verdict is the condition that ends the Job; nil while the Job continues.
	verdict                     *batchv1.JobCondition
	running, terminating, ready int32 // for the status: active, terminating and ready Pods after this plan
	freed                       int   // Pods that lose their finalizer because they are counted
	more                        bool  // not all ended Pods are in the status yet
}

func (s *syncing) indexed() bool { return indexed(s.Job) }

func indexed(j *batchv1.Job) bool {
	return j.Spec.CompletionMode != nil && *j.Spec.CompletionMode == batchv1.IndexedCompletion
}

func (s *syncing) suspended() bool { return s.Job.Spec.Suspend != nil && *s.Job.Spec.Suspend }

func (s *syncing) perIndex() bool { return s.Job.Spec.BackoffLimitPerIndex != nil }

// completions is spec.completions; 0 for a work queue, which does not set it.
func (s *syncing) completions() int {
	if s.Job.Spec.Completions == nil {
		return 0
	}
	return int(*s.Job.Spec.Completions)
}

// hasPlace reports whether the Pod can count: in an indexed Job it must have one of the Job's
// indexes.
func (s *syncing) hasPlace(p *corev1.Pod) bool {
	if !s.indexed() {
		return true
	}
	i := indexOf(p)
	return i != noIndex && i < s.completions()
}

// isFailed reports whether the Pod counts as failed. A Pod that is being deleted does, unless Pods
// are replaced only after they have ended.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, isPodFailed
func (s *syncing) isFailed(p *corev1.Pod) bool {
	if p.Status.Phase == corev1.PodFailed {
		return true
	}
	return !s.replacesFailedOnly() && p.DeletionTimestamp != nil && p.Status.Phase != corev1.PodSucceeded
}

// replacesFailedOnly reports whether a Pod that is being deleted is replaced only after it has
// ended.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, onlyReplaceFailedPods
func (s *syncing) replacesFailedOnly() bool {
	policy := s.Job.Spec.PodReplacementPolicy
	return policy != nil && *policy == batchv1.Failed || s.Job.Spec.PodFailurePolicy != nil
}

// wakeAt schedules a sync at that time, unless an earlier one is already scheduled.
func (s *syncing) wakeAt(at time.Time) {
	if s.plan.WakeAt.IsZero() || at.Before(s.plan.WakeAt) {
		s.plan.WakeAt = at
	}
}

func (s *syncing) event(eventType, reason, message string) {
	s.plan.Events = append(s.plan.Events, plan.Event{Regarding: s.Job, Type: eventType, Reason: reason, Message: message, Component: component})
}

// tracked reports whether the Pod has not been counted yet.
func tracked(p *corev1.Pod) bool { return slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) }
