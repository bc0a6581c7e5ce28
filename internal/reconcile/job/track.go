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
func (l *look) track() {
	l.count()
	pods := l.pods
	if l.indexed() {
		pods = slices.Clone(pods)
		slices.SortStableFunc(pods, func(a, b *corev1.Pod) int { return cmp.Compare(indexOf(a), indexOf(b)) })
	}
	uncounted := l.status.UncountedTerminatedPods
	newIndexes := 0
	var succeeded, failed []*corev1.Pod
	var ignored []types.UID
	for _, p := range pods {
		if !tracked(p) || l.dismissed(p) || !l.mayLetGo(p) {
			continue
		}
		if l.adopted[p.UID] {
			l.more, l.again = true, true // the next sync counts it
			continue
		}
		switch {
		case l.succeedsNew(p):
			succeeded = append(succeeded, p)
			if l.indexed() {
				newIndexes++ // what counts is that the index has succeeded
			} else {
				uncounted.Succeeded = append(uncounted.Succeeded, p.UID)
			}
		case l.failsNew(p):
			failed = append(failed, p)
			if _, counts := l.match(p); counts {
				uncounted.Failed = append(uncounted.Failed, p.UID)
			} else {
				ignored = append(ignored, p.UID)
			}
		}
		l.free(p)
		if newIndexes+len(uncounted.Succeeded)+len(uncounted.Failed) >= maxUncounted {
			l.more, l.again = true, true
			break
		}
	}
	if !l.perIndex() { // with a limit per index, the Pods themselves carry the count
		l.kept = l.kept.with(succeeded, failed)
		l.kept.Ignored = append(ignored, l.stillIgnored()...)
	}
}

// stillIgnored are the Pods that an earlier sync ignored and that still have their finalizer.
func (l *look) stillIgnored() (uids []types.UID) {
	if len(l.ignored) == 0 {
		return nil
	}
	for _, p := range l.pods {
		if l.ignored[p.UID] && tracked(p) {
			uids = append(uids, p.UID)
		}
	}
	return uids
}

// count adds the Pods whose finalizer is gone to the counters.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, cleanUncountedPodsWithoutFinalizers
func (l *look) count() {
	uncounted := l.status.UncountedTerminatedPods
	if len(uncounted.Succeeded)+len(uncounted.Failed) == 0 {
		return
	}
	held := make(map[types.UID]bool, len(l.pods))
	for _, p := range l.pods {
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
	uncounted.Succeeded = move(uncounted.Succeeded, &l.status.Succeeded)
	uncounted.Failed = move(uncounted.Failed, &l.status.Failed)
}

// dismissed reports whether this plan deletes the Pod without counting it.
func (l *look) dismissed(p *corev1.Pod) bool {
	i := l.deleted[p.UID]
	return i > 0 && l.plan.Deletes[i-1].Without != ""
}

// mayLetGo reports whether the Pod may lose its finalizer: the Job ends or is being deleted, the
// Pod has succeeded, or it has failed and no new Pod must still take over its failure count.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, canRemoveFinalizer
func (l *look) mayLetGo(p *corev1.Pod) bool {
	if l.Job.DeletionTimestamp != nil || l.verdict != nil || p.Status.Phase == corev1.PodSucceeded {
		return true
	}
	return l.isFailed(p) && l.replaceable[indexOf(p)] != p
}

// succeedsNew reports whether the Pod has succeeded and is not yet recorded.
func (l *look) succeedsNew(p *corev1.Pod) bool {
	if p.Status.Phase != corev1.PodSucceeded || l.uncountedFails[p.UID] || !l.hasPlace(p) {
		return false
	}
	if l.indexed() {
		return !l.succeededBefore.has(indexOf(p))
	}
	return !l.uncountedSuccess[p.UID]
}

// failsNew reports whether the Pod counts as failed and is not yet recorded. When the Job fails,
// this includes all Pods that have not ended.
func (l *look) failsNew(p *corev1.Pod) bool {
	if p.Status.Phase == corev1.PodSucceeded || l.uncountedFails[p.UID] || l.ignored[p.UID] || !l.hasPlace(p) {
		return false
	}
	return l.isFailed(p) || l.verdict != nil && l.verdict.Type != batchv1.JobSuccessCriteriaMet
}

// free removes the finalizer from the Pod, as part of its deletion if this plan deletes it.
func (l *look) free(p *corev1.Pod) {
	l.freed++
	if i := l.deleted[p.UID]; i > 0 {
		l.plan.Deletes[i-1].Without = batchv1.JobTrackingFinalizer
		return
	}
	l.update(withoutFinalizer(p))
}

// conclude adds the conditions that end the Job: first the one that announces the end and then,
// when all its Pods have been counted and none is terminating, the final one. It reports whether
// the Job has ended.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, enactJobFinished
func (l *look) conclude() bool {
	if l.verdict == nil {
		return false
	}
	end := l.condition(batchv1.JobFailed, l.verdict.Reason, l.verdict.Message)
	switch l.verdict.Type {
	case batchv1.JobFailureTarget:
		l.status.Conditions = append(l.status.Conditions, *l.verdict)
	case batchv1.JobSuccessCriteriaMet:
		if !isTrue(l.status.Conditions, batchv1.JobSuccessCriteriaMet) {
			l.status.Conditions = append(l.status.Conditions, *l.verdict)
		}
		end.Type = batchv1.JobComplete
	}
	uncounted := l.status.UncountedTerminatedPods
	if l.more || len(uncounted.Succeeded)+len(uncounted.Failed) > 0 || l.terminating > 0 {
		return false
	}
	l.status.Conditions = append(l.status.Conditions, *end)
	if end.Type == batchv1.JobComplete {
		l.status.CompletionTime = &end.LastTransitionTime
	}
	l.tellEnd(end)
	return true
}

// tellEnd emits the events of a Job that has ended.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, recordJobFinished
func (l *look) tellEnd(end *batchv1.JobCondition) {
	if end.Type == batchv1.JobFailed {
		l.event(corev1.EventTypeWarning, end.Reason, end.Message)
		return
	}
	if wanted := l.Job.Spec.Completions; wanted != nil && l.status.Succeeded > *wanted {
		l.event(corev1.EventTypeWarning, "TooManySucceededPods", "Too many succeeded pods running after completion count reached")
	}
	l.event(corev1.EventTypeNormal, "Completed", "Job completed")
}
