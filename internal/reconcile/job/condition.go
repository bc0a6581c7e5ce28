package job

import (
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func find(list []batchv1.JobCondition, kind batchv1.JobConditionType) *batchv1.JobCondition {
	i := slices.IndexFunc(list, func(c batchv1.JobCondition) bool { return c.Type == kind })
	if i < 0 {
		return nil
	}
	return &list[i]
}

func isTrue(list []batchv1.JobCondition, kind batchv1.JobConditionType) bool {
	c := find(list, kind)
	return c != nil && c.Status == corev1.ConditionTrue
}

// nowP is Now as a status stores it, in whole seconds.
func (l *look) nowP() *metav1.Time {
	at := metav1.NewTime(l.Now).Rfc3339Copy()
	return &at
}

// condition is a new condition with status True.
func (l *look) condition(kind batchv1.JobConditionType, reason, message string) *batchv1.JobCondition {
	now := *l.nowP()
	return &batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastProbeTime: now, LastTransitionTime: now}
}

// setSuspended sets the condition Suspended and reports whether it changed. A Job that was never
// suspended does not have the condition.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, ensureJobConditionStatus
func (l *look) setSuspended(status corev1.ConditionStatus, reason, message string) bool {
	next := l.condition(batchv1.JobSuspended, reason, message)
	next.Status = status
	c := find(l.status.Conditions, batchv1.JobSuspended)
	switch {
	case c == nil && status == corev1.ConditionFalse:
		return false
	case c == nil:
		l.status.Conditions = append(l.status.Conditions, *next)
	case c.Status == status && c.Reason == reason && c.Message == message:
		return false
	default:
		*c = *next
	}
	return true
}

// judge decides whether the Job must end. A verdict of an earlier sync stands. Otherwise failure
// takes precedence over success. Among failures, podFailurePolicy comes first, then the limits of
// the Job, then those of its indexes.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, syncJob
func (l *look) judge() {
	if c := find(l.status.Conditions, batchv1.JobSuccessCriteriaMet); c != nil && c.Status == corev1.ConditionTrue {
		l.verdict = c.DeepCopy()
		return
	}
	if c := find(l.status.Conditions, batchv1.JobFailureTarget); c != nil && c.Status == corev1.ConditionTrue {
		l.verdict = l.condition(batchv1.JobFailed, c.Reason, c.Message)
		return
	}
	if reason, message := l.failure(); reason != "" {
		l.verdict = l.condition(batchv1.JobFailureTarget, reason, message)
		return
	}
	if !l.indexed() {
		return
	}
	if message := l.enoughSucceeded(); message != "" {
		l.verdict = l.condition(batchv1.JobSuccessCriteriaMet, batchv1.JobReasonSuccessPolicy, message)
	}
}

// failure is why the Job fails, in the words of its condition; "" if it does not fail.
func (l *look) failure() (reason, message string) {
	spec := &l.Job.Spec
	if message := l.failJobMessage(); message != "" {
		return batchv1.JobReasonPodFailurePolicy, message
	}
	if limit := l.backoffLimit(); l.failed > limit || l.tooManyRestarts(limit) {
		return batchv1.JobReasonBackoffLimitExceeded, "Job has reached the specified backoff limit"
	}
	if deadline := l.deadline(); deadline != nil {
		if !l.Now.Before(deadline.Time) {
			return batchv1.JobReasonDeadlineExceeded, "Job was active longer than specified deadline"
		}
		l.wakeAt(deadline.Time)
	}
	if !l.perIndex() {
		return "", ""
	}
	failed := l.failedNow.total()
	if limit := spec.MaxFailedIndexes; limit != nil && failed > int(*limit) {
		return batchv1.JobReasonMaxFailedIndexesExceeded, "Job has exceeded the specified maximal number of failed indexes"
	}
	if failed > 0 && failed+l.succeededNow.total() >= l.completions() {
		return batchv1.JobReasonFailedIndexes, "Job has failed indexes"
	}
	return "", ""
}

// backoffLimit is spec.backoffLimit, which defaulting has set.
func (l *look) backoffLimit() int32 {
	if l.Job.Spec.BackoffLimit == nil {
		return 6
	}
	return *l.Job.Spec.BackoffLimit
}

// tooManyRestarts reports whether Pods that restart their containers in place have restarted them
// too often.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, pastBackoffLimitOnFailure
func (l *look) tooManyRestarts(limit int32) bool {
	if l.Job.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyOnFailure {
		return false
	}
	restarts := int64(0)
	for _, p := range l.pods {
		if p.Status.Phase != corev1.PodRunning && p.Status.Phase != corev1.PodPending {
			continue
		}
		for _, list := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
			for i := range list {
				restarts += int64(list[i].RestartCount)
			}
		}
	}
	return restarts > 0 && restarts >= int64(limit)
}

// deadline is when the Job has been active for the allowed time; nil if it has no deadline.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, pastActiveDeadline
func (l *look) deadline() *metav1.Time {
	if l.Job.Spec.ActiveDeadlineSeconds == nil || l.status.StartTime == nil || l.suspended() {
		return nil
	}
	allowed := min(*l.Job.Spec.ActiveDeadlineSeconds, int64(longest/time.Second))
	at := metav1.NewTime(l.status.StartTime.Add(time.Duration(allowed) * time.Second))
	return &at
}

// longest is 200 years. Longer durations would overflow the arithmetic of times.
const longest = 200 * 365 * 24 * time.Hour
