package job

import (
	"cmp"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// track counts Pods. Recorded Pods whose finalizer is gone are added to the counters. Pods that
// have ended since are recorded and lose theirs, in the order of their indexes. At most
// maxUncounted are recorded at a time.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, trackJobStatusAndRemoveFinalizers
func (s *syncing) track() {
	s.count()
	pods := s.pods
	if s.indexed() {
		pods = slices.Clone(pods)
		slices.SortStableFunc(pods, func(a, b *corev1.Pod) int { return cmp.Compare(indexOf(a), indexOf(b)) })
	}
	uncounted := s.status.UncountedTerminatedPods
	newIndexes := 0
	var succeeded, failed []*corev1.Pod
	var ignored []types.UID
	for _, p := range pods {
		if !tracked(p) || s.dismissed(p) || !s.mayLetGo(p) {
			continue
		}
		if s.adopted[p.UID] {
			s.more, s.again = true, true // the next sync counts it
			continue
		}
		switch {
		case s.succeedsNew(p):
			succeeded = append(succeeded, p)
			if s.indexed() {
				newIndexes++ // what counts is that the index has succeeded
			} else {
				uncounted.Succeeded = append(uncounted.Succeeded, p.UID)
			}
		case s.failsNew(p):
			failed = append(failed, p)
			if _, counts := s.match(p); counts {
				uncounted.Failed = append(uncounted.Failed, p.UID)
			} else {
				ignored = append(ignored, p.UID)
			}
		}
		s.free(p)
		if newIndexes+len(uncounted.Succeeded)+len(uncounted.Failed) >= maxUncounted {
			s.more, s.again = true, true
			break
		}
	}
	if !s.perIndex() { // with a limit per index, the Pods themselves carry the count
		s.kept = s.kept.with(succeeded, failed)
		s.kept.Ignored = append(ignored, s.stillIgnored()...)
	}
}

// stillIgnored are the Pods that an earlier sync ignored and that still have their finalizer.
func (s *syncing) stillIgnored() (uids []types.UID) {
	if len(s.ignored) == 0 {
		return nil
	}
	for _, p := range s.pods {
		if s.ignored[p.UID] && tracked(p) {
			uids = append(uids, p.UID)
		}
	}
	return uids
}

// count adds the Pods whose finalizer is gone to the counters.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, cleanUncountedPodsWithoutFinalizers
func (s *syncing) count() {
	uncounted := s.status.UncountedTerminatedPods
	if len(uncounted.Succeeded)+len(uncounted.Failed) == 0 {
		return
	}
	held := make(map[types.UID]bool, len(s.pods))
	for _, p := range s.pods {
		if tracked(p) {
			held[p.UID] = true
		}
	}
	move := func(uids []types.UID, counter *int32) []types.UID {
		left := slices.DeleteFunc(uids, func(uid types.UID) bool { return !held[uid] })
		*counter += int32(len(uids) - len(left))
		if len(left) == 0 {
			return nil
		}
		return left
	}
	uncounted.Succeeded = move(uncounted.Succeeded, &s.status.Succeeded)
	uncounted.Failed = move(uncounted.Failed, &s.status.Failed)
}

// dismissed reports whether this plan deletes the Pod without counting it.
func (s *syncing) dismissed(p *corev1.Pod) bool {
	i := s.deleted[p.UID]
	return i > 0 && s.plan.Deletes[i-1].Without != ""
}

// mayLetGo reports whether the Pod may lose its finalizer: the Job ends or is being deleted, the
// Pod has succeeded, or it has failed and no new Pod must still take over its failure count.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, canRemoveFinalizer
func (s *syncing) mayLetGo(p *corev1.Pod) bool {
	if s.Job.DeletionTimestamp != nil || s.verdict != nil || p.Status.Phase == corev1.PodSucceeded {
		return true
	}
	return s.isFailed(p) && s.replaceable[indexOf(p)] != p
}

// succeedsNew reports whether the Pod has succeeded and is not yet recorded.
func (s *syncing) succeedsNew(p *corev1.Pod) bool {
	if p.Status.Phase != corev1.PodSucceeded || s.uncountedFails[p.UID] || !s.hasPlace(p) {
		return false
	}
	if s.indexed() {
		return !s.succeededBefore.has(indexOf(p))
	}
	return !s.uncountedSuccess[p.UID]
}

// failsNew reports whether the Pod counts as failed and is not yet recorded. When the Job fails,
// this includes all Pods that have not ended.
func (s *syncing) failsNew(p *corev1.Pod) bool {
	if p.Status.Phase == corev1.PodSucceeded || s.uncountedFails[p.UID] || s.ignored[p.UID] || !s.hasPlace(p) {
		return false
	}
	return s.isFailed(p) || s.verdict != nil && s.verdict.Type != batchv1.JobSuccessCriteriaMet
}

// free removes the finalizer from the Pod, as part of its deletion if this plan deletes it.
func (s *syncing) free(p *corev1.Pod) {
	s.freed++
	if i := s.deleted[p.UID]; i > 0 {
		s.plan.Deletes[i-1].Without = batchv1.JobTrackingFinalizer
		return
	}
	s.update(withoutFinalizer(p))
}

// conclude adds the conditions that end the Job: first the one that announces the end and then,
// when all its Pods have been counted and none is terminating, the final one. It reports whether
// the Job has ended.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, enactJobFinished
func (s *syncing) conclude() bool {
	if s.verdict == nil {
		return false
	}
	end := s.condition(batchv1.JobFailed, s.verdict.Reason, s.verdict.Message)
	switch s.verdict.Type {
	case batchv1.JobFailureTarget:
		s.status.Conditions = append(s.status.Conditions, *s.verdict)
	case batchv1.JobSuccessCriteriaMet:
		if !isTrue(s.status.Conditions, batchv1.JobSuccessCriteriaMet) {
			s.status.Conditions = append(s.status.Conditions, *s.verdict)
		}
		end.Type = batchv1.JobComplete
	}
	uncounted := s.status.UncountedTerminatedPods
	if s.more || len(uncounted.Succeeded)+len(uncounted.Failed) > 0 || s.terminating > 0 {
		return false
	}
	s.status.Conditions = append(s.status.Conditions, *end)
	if end.Type == batchv1.JobComplete {
		s.status.CompletionTime = &end.LastTransitionTime
	}
	s.tellEnd(end)
	return true
}

// tellEnd emits the events of a Job that has ended.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, recordJobFinished
func (s *syncing) tellEnd(end *batchv1.JobCondition) {
	if end.Type == batchv1.JobFailed {
		s.event(corev1.EventTypeWarning, end.Reason, end.Message)
		return
	}
	if wanted := s.Job.Spec.Completions; wanted != nil && s.status.Succeeded > *wanted {
		s.event(corev1.EventTypeWarning, "TooManySucceededPods", "Too many succeeded pods running after completion count reached")
	}
	s.event(corev1.EventTypeNormal, "Completed", "Job completed")
}
