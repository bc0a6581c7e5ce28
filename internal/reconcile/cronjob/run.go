package cronjob

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/schedule"
)

// run starts a Job if one is due, and schedules the next sync. changed is when the current schedule
// took effect.
func (y *sync) run(changed time.Time) {
	spec := &y.CronJob.Spec
	zone := time.UTC
	if spec.TimeZone != nil {
		var err error
		if zone, err = schedule.Zone(*spec.TimeZone); err != nil {
			y.event(corev1.EventTypeWarning, "UnknownTimeZone", fmt.Sprintf("invalid timeZone: %q: %s", *spec.TimeZone, err))
			return
		}
	}
	if spec.Suspend != nil && *spec.Suspend {
		return
	}
	times, err := schedule.Parse(spec.Schedule, zone)
	if err != nil {
		y.event(corev1.EventTypeWarning, "UnparseableSchedule", fmt.Sprintf("unparseable schedule: %q : %s", spec.Schedule, err))
		return
	}

	due := y.due(times, changed)
	switch {
	case due.Next.IsZero() && due.Latest.IsZero():
		y.event(corev1.EventTypeWarning, "InvalidSchedule",
			fmt.Sprintf("invalid schedule: %s : time difference between two schedules is less than 1 second", spec.Schedule))
		return
	case due.Next.After(y.Now):
		y.plan.WakeAt = due.Next
	}
	if !due.Latest.IsZero() && y.mayStart(due) {
		y.start(due.Latest, zone)
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
func (y *sync) due(times schedule.Schedule, changed time.Time) schedule.Due {
	since := y.CronJob.CreationTimestamp.Time
	if last := y.status.LastScheduleTime; last != nil {
		since = last.Time
	}
	after := since
	if changed.After(after) {
		after = changed
	}
	if deadline := y.CronJob.Spec.StartingDeadlineSeconds; deadline != nil && *deadline < int64(maxDeadline/time.Second) {
		if oldest := y.Now.Add(-time.Duration(*deadline) * time.Second); oldest.After(after) {
			after = oldest
		}
	}
	return times.Between(since, after, y.Now)
}

// maxDeadline is a startingDeadlineSeconds so large that it is not a limit.
const maxDeadline = 200 * 365 * 24 * time.Hour

// mayStart reports whether the latest missed run may be started, and emits an event if not.
func (y *sync) mayStart(due schedule.Due) bool {
	if due.Missed > schedule.Many {
		if !y.StartLate {
			y.event(corev1.EventTypeWarning, "TooManyMissedTimes", "Cannot determine if job needs to be started. "+
				"Too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew.")
			return false
		}
		y.event(corev1.EventTypeWarning, "TooManyMissedTimes",
			"too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew")
	}
	name := y.jobName(due.Latest)
	started := slices.ContainsFunc(y.status.Active, func(ref corev1.ObjectReference) bool { return ref.Name == name })
	switch {
	case started:
		return false
	case y.CronJob.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent && len(y.status.Active) > 0:
		y.event(corev1.EventTypeNormal, "JobAlreadyActive", "Not starting job because prior execution is running and concurrency policy is Forbid")
		return false
	}
	return true
}

// start starts the Job of a scheduled time. A Job with its name may already exist. If it is the
// CronJob's own and missing from the status, it is recorded again. If it belongs to another owner,
// it blocks this run, but not the next.
func (y *sync) start(at time.Time, zone *time.Location) {
	replaced := 0
	if y.CronJob.Spec.ConcurrencyPolicy == batchv1.ReplaceConcurrent {
		if replaced = y.replace(); y.more {
			return
		}
	}
	job := y.newJob(at, zone)
	own := slices.IndexFunc(y.jobs, func(j *batchv1.Job) bool { return j.Name == job.Name })
	switch r := y.Refused; {
	case own >= 0:
		if jobstate.Finished(y.jobs[own]) == nil {
			y.activate(y.jobs[own])
		}
	case r != nil:
		if r.Reason != metav1.StatusReasonAlreadyExists && !r.NamespaceTerminating {
			y.event(corev1.EventTypeWarning, "FailedCreate", "Error creating job: "+r.Message)
		}
		return
	default:
		y.plan.Creates = append(y.plan.Creates, plan.Create{Object: job, NeedsDelete: replaced})
		y.needs = len(y.plan.Creates)
		y.event(corev1.EventTypeNormal, "SuccessfulCreate", "Created job "+job.Name)
		y.activate(job)
	}
	y.status.LastScheduleTime = &metav1.Time{Time: at}
}

// replace deletes the Jobs that still run. It returns the last of these deletions, counted from 1,
// or 0 if there is no deletion.
func (y *sync) replace() (last int) {
	for _, j := range y.jobs {
		if y.active[j.UID] {
			y.delete(j)
			last = len(y.plan.Deletes)
		}
	}
	y.forget()
	return last
}

// jobName is, for example, "hello-28123456": it ends in the scheduled time in minutes, so that each
// time has one name.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, getJobName
func (y *sync) jobName(at time.Time) string {
	return fmt.Sprintf("%s-%d", y.CronJob.Name, at.Unix()/60)
}

// newJob is the Job of a scheduled time, made from the template.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, getJobFromTemplate2
func (y *sync) newJob(at time.Time, zone *time.Location) *batchv1.Job {
	cj, template := y.CronJob, &y.CronJob.Spec.JobTemplate
	annotations := map[string]string{batchv1.CronJobScheduledTimestampAnnotation: at.In(zone).Format(time.RFC3339)}
	for key, value := range template.Annotations {
		if key != batchv1.CronJobScheduledTimestampAnnotation {
			annotations[key] = value
		}
	}
	name := y.jobName(at)
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: cj.Namespace, Name: name, UID: uidOf(cj, name),
			Labels: maps.Clone(template.Labels), Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(cj, batchv1.SchemeGroupVersion.WithKind("CronJob"))},
		},
		Spec: *template.Spec.DeepCopy(),
	}
}

// uidOf is the uid of a CronJob's Job. The CronJob's version changes with each Job that it starts,
// so no two Jobs get the same uid.
func uidOf(cj *batchv1.CronJob, name string) types.UID {
	sum := sha256.Sum256([]byte(string(cj.UID) + "/" + name + "/" + cj.ResourceVersion))
	sum[6] = sum[6]&0x0f | 0x80 // version 8: made by a custom rule
	sum[8] = sum[8]&0x3f | 0x80
	text := hex.EncodeToString(sum[:16])
	return types.UID(text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:])
}
