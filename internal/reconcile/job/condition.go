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
func (s *syncing) nowP() *metav1.Time {
	at := metav1.NewTime(s.Now).Rfc3339Copy()
	return &at
}

// condition is a new condition with status True.
func (s *syncing) condition(kind batchv1.JobConditionType, reason, message string) *batchv1.JobCondition {
	now := *s.nowP()
	return &batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastProbeTime: now, LastTransitionTime: now}
}

// setSuspended sets the condition Suspended and reports whether it changed. A Job that was never
// suspended does not have the condition.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, ensureJobConditionStatus
func (s *syncing) setSuspended(status corev1.ConditionStatus, reason, message string) bool {
	next := s.condition(batchv1.JobSuspended, reason, message)
	next.Status = status
	c := find(s.status.Conditions, batchv1.JobSuspended)
	switch {
	case c == nil && status == corev1.ConditionFalse:
		return false
	case c == nil:
		s.status.Conditions = append(s.status.Conditions, *next)
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
func (s *syncing) judge() {
	if c := find(s.status.Conditions, batchv1.JobSuccessCriteriaMet); c != nil && c.Status == corev1.ConditionTrue {
		s.verdict = c.DeepCopy()
		return
	}
	if c := find(s.status.Conditions, batchv1.JobFailureTarget); c != nil && c.Status == corev1.ConditionTrue {
		s.verdict = s.condition(batchv1.JobFailed, c.Reason, c.Message)
		return
	}
	if reason, message := s.failure(); reason != "" {
		s.verdict = s.condition(batchv1.JobFailureTarget, reason, message)
		return
	}
	if !s.indexed() {
		return
	}
	if message := s.enoughSucceeded(); message != "" {
		s.verdict = s.condition(batchv1.JobSuccessCriteriaMet, batchv1.JobReasonSuccessPolicy, message)
	}
}

// failure is why the Job fails, in the words of its condition; "" if it does not fail.
func (s *syncing) failure() (reason, message string) {
	spec := &s.Job.Spec
	if message := s.failJobMessage(); message != "" {
		return batchv1.JobReasonPodFailurePolicy, message
	}
	if limit := s.backoffLimit(); s.failed > limit || s.tooManyRestarts(limit) {
		return batchv1.JobReasonBackoffLimitExceeded, "Job has reached the specified backoff limit"
	}
	if deadline := s.deadline(); deadline != nil {
		if !s.Now.Before(deadline.Time) {
			return batchv1.JobReasonDeadlineExceeded, "Job was active longer than specified deadline"
		}
		s.wakeAt(deadline.Time)
	}
	if !s.perIndex() {
		return "", ""
	}
	failed := s.failedNow.total()
	if limit := spec.MaxFailedIndexes; limit != nil && failed > int(*limit) {
		return batchv1.JobReasonMaxFailedIndexesExceeded, "Job has exceeded the specified maximal number of failed indexes"
	}
	if failed > 0 && failed+s.succeededNow.total() >= s.completions() {
		return batchv1.JobReasonFailedIndexes, "Job has failed indexes"
	}
	return "", ""
}

// backoffLimit is spec.backoffLimit, which defaulting has set.
func (s *syncing) backoffLimit() int32 {
	if s.Job.Spec.BackoffLimit == nil {
		return 6
	}
	return *s.Job.Spec.BackoffLimit
}

// tooManyRestarts reports whether Pods that restart their containers in place have restarted them
// too often.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, pastBackoffLimitOnFailure
func (s *syncing) tooManyRestarts(limit int32) bool {
	if s.Job.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyOnFailure {
		return false
	}
	restarts := int64(0)
	for _, p := range s.pods {
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
func (s *syncing) deadline() *metav1.Time {
	if s.Job.Spec.ActiveDeadlineSeconds == nil || s.status.StartTime == nil || s.suspended() {
		return nil
	}
	allowed := min(*s.Job.Spec.ActiveDeadlineSeconds, int64(longest/time.Second))
	at := metav1.NewTime(s.status.StartTime.Add(time.Duration(allowed) * time.Second))
	return &at
}

// longest is 200 years. Longer durations would overflow the arithmetic of times.
const longest = 200 * 365 * 24 * time.Hour
