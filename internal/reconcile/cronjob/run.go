package cronjob

import (
	"fmt"
	"maps"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/schedule"
)

// run starts a Job if one is due, and schedules the next sync. changed is when the current schedule
// took effect.
func (l *look) run(changed time.Time) {
	spec := &l.CronJob.Spec
	zone := time.UTC
	if spec.TimeZone != nil {
		var err error
		if zone, err = schedule.Zone(*spec.TimeZone); err != nil {
			l.event(corev1.EventTypeWarning, "UnknownTimeZone", fmt.Sprintf("invalid timeZone: %q: %s", *spec.TimeZone, err))
			return
		}
	}
	if spec.Suspend != nil && *spec.Suspend {
		return
	}
	times, err := schedule.Parse(spec.Schedule, zone)
	if err != nil {
		l.event(corev1.EventTypeWarning, "UnparseableSchedule", fmt.Sprintf("unparseable schedule: %q : %s", spec.Schedule, err))
		return
	}

	due := l.due(times, changed)
	switch {
	case due.Next.IsZero() && due.Latest.IsZero():
		l.event(corev1.EventTypeWarning, "InvalidSchedule", fmt.Sprintf("invalid schedule: %s : time difference between two schedules is less than 1 second", spec.Schedule))
		return
	case due.Next.After(l.Now):
		l.plan.WakeAt = due.Next
	}
	if !due.Latest.IsZero() && l.mayStart(due) {
		l.start(due.Latest, zone)
	}
}

// due finds the missed runs: those after the last one that was started, but none older than
// startingDeadlineSeconds.
//
// Example: a run every minute, the last one at 08:29, and it is 10:21. 112 runs are missed, which
// is more than 100. With startingDeadlineSeconds 200 only those after 10:17:40 are: four, including
// the one of the current minute.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, mostRecentScheduleTime
func (l *look) due(times schedule.Schedule, changed time.Time) schedule.Due {
	since := l.CronJob.CreationTimestamp.Time
	if last := l.status.LastScheduleTime; last != nil {
		since = last.Time
	}
	after := since
	if changed.After(after) {
		after = changed
	}
	if deadline := l.CronJob.Spec.StartingDeadlineSeconds; deadline != nil && *deadline < int64(maxDeadline/time.Second) {
		if oldest := l.Now.Add(-time.Duration(*deadline) * time.Second); oldest.After(after) {
			after = oldest
		}
	}
	return times.Between(since, after, l.Now)
}

// maxDeadline is a startingDeadlineSeconds so large that it is not a limit.
const maxDeadline = 200 * 365 * 24 * time.Hour

// mayStart reports whether the latest missed run may be started, and emits an event if not.
func (l *look) mayStart(due schedule.Due) bool {
	if due.Missed > schedule.Many {
		if !l.StartLate {
			l.event(corev1.EventTypeWarning, "TooManyMissedTimes", "Cannot determine if job needs to be started. "+
				"Too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew.")
			return false
		}
		l.event(corev1.EventTypeWarning, "TooManyMissedTimes",
			"too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew")
	}
	name := l.jobName(due.Latest)
	started := slices.ContainsFunc(l.status.Active, func(ref corev1.ObjectReference) bool { return ref.Name == name })
	switch {
	case started:
		return false
	case l.CronJob.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent && len(l.status.Active) > 0:
		l.event(corev1.EventTypeNormal, "JobAlreadyActive", "Not starting job because prior execution is running and concurrency policy is Forbid")
		return false
	}
	return true
}

// start starts the Job of a scheduled time. A Job with its name may already exist. If it is the
// CronJob's own and missing from the status, it is recorded again. If it belongs to another owner,
// it blocks this run, but not the next.
func (l *look) start(at time.Time, zone *time.Location) {
	replaced := 0
	if l.CronJob.Spec.ConcurrencyPolicy == batchv1.ReplaceConcurrent {
		if replaced = l.replace(); l.more {
			return
		}
	}
	job := l.newJob(at, zone)
	own := slices.IndexFunc(l.jobs, func(j *batchv1.Job) bool { return j.Name == job.Name })
	switch r := l.Refused; {
	case own >= 0:
		if jobstate.Finished(l.jobs[own]) == nil {
			l.activate(l.jobs[own])
		}
	case r != nil:
		if r.Reason != metav1.StatusReasonAlreadyExists && !r.NamespaceTerminating {
			l.event(corev1.EventTypeWarning, "FailedCreate", "Error creating job: "+r.Message)
		}
		return
	default:
		l.plan.Creates = append(l.plan.Creates, plan.Create{Object: job, NeedsDelete: replaced})
		l.needs = len(l.plan.Creates)
		l.event(corev1.EventTypeNormal, "SuccessfulCreate", "Created job "+job.Name)
		l.activate(job)
	}
	l.status.LastScheduleTime = &metav1.Time{Time: at}
}

// replace deletes the Jobs that still run. It returns the last of these deletions, counted from 1,
// or 0 if there is no deletion.
func (l *look) replace() (last int) {
	for _, j := range l.jobs {
		if l.active[j.UID] {
			l.delete(j)
			last = len(l.plan.Deletes)
		}
	}
	l.forget()
	return last
}

// jobName is, for example, "hello-28123456": it ends in the scheduled time in minutes, so that each
// time has one name.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, getJobName
func (l *look) jobName(at time.Time) string {
	return fmt.Sprintf("%s-%d", l.CronJob.Name, at.Unix()/60)
}

// newJob is the Job of a scheduled time, made from the template.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, getJobFromTemplate2
func (l *look) newJob(at time.Time, zone *time.Location) *batchv1.Job {
	cj, template := l.CronJob, &l.CronJob.Spec.JobTemplate
	annotations := map[string]string{batchv1.CronJobScheduledTimestampAnnotation: at.In(zone).Format(time.RFC3339)}
	for key, value := range template.Annotations {
		if key != batchv1.CronJobScheduledTimestampAnnotation {
			annotations[key] = value
		}
	}
	name := l.jobName(at)
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: cj.Namespace, Name: name, UID: uidOf(cj, name),
			Labels: maps.Clone(template.Labels), Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(cj, batchv1.SchemeGroupVersion.WithKind("CronJob"))},
		},
		Spec: *template.Spec.DeepCopy(),
	}
}
