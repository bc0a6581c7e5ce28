// Package cronjob holds the decisions of the CronJob controller: it creates a Job at each scheduled
// time, tracks those that run, and deletes old ones.
//
// A plan that starts a Job contains the Job and the status that names it. It is applied in one
// transaction under the CronJob's row lock: both are written or neither is, so that no run is
// started twice. The status refers to the Job by its uid, which is therefore computed here.
//
// Differs: a changed schedule applies from the time of the change. Upstream also waits until the
// new schedule is due, but an earlier sync, such as one caused by the end of a Job, starts a run
// that was never missed.
//
// Differs: references to Jobs in status.active have no resourceVersion. It is unknown before the
// commit, and nothing reads it.
package cronjob

import (
	"cmp"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

// component is the controller's name in events.
const component = "cronjob-controller"

const (
	// maxBurst is the maximum number of Jobs that one plan deletes; later plans do the rest.
	maxBurst = 500
	// maxEvents is the maximum number of events of one plan. Only a status or Jobs that a client
	// has forged lead to more.
	maxEvents = 2 * maxBurst
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	CronJob *batchv1.CronJob

	// Jobs are, in any order, the Jobs that the CronJob controls. Others are ignored.
	Jobs []*batchv1.Job

	// Memory is what the last sync stored, see Plan.Memory; nil if nothing.
	Memory []byte

	// StartLate starts the latest run even if more than 100 were missed, as upstream does.
	// Otherwise no run is started then.
	StartLate bool

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}

// look is one sync of a CronJob: what is derived from the snapshot, and the plan as it grows.
type look struct {
	Snapshot
	jobs   []*batchv1.Job // by name
	status batchv1.CronJobStatus
	active map[types.UID]bool // the Jobs of status.active that must stay there
	plan   plan.Plan
	more   bool // more to delete than one plan may
	// needs is the create, counted from 1, that the status depends on; 0 if it depends on none.
	needs int
}

// Reconcile decides what to do about the CronJob now, and when to sync it next.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, sync and syncCronJob
func Reconcile(s Snapshot) plan.Plan {
	l := look{Snapshot: s, status: *s.CronJob.Status.DeepCopy(), active: map[types.UID]bool{}}
	for _, ref := range l.status.Active {
		l.active[ref.UID] = true
	}
	for _, j := range s.Jobs {
		if metav1.IsControlledBy(j, s.CronJob) {
			l.jobs = append(l.jobs, j)
		}
	}
	slices.SortFunc(l.jobs, func(a, b *batchv1.Job) int { return cmp.Compare(a.Name, b.Name) })

	l.cleanUp()
	l.observe()
	since := l.scheduleSince()
	l.forget()
	if s.CronJob.DeletionTimestamp == nil {
		l.run(since)
	}
	if l.more {
		l.plan.WakeAt = s.Now
	}
	if !equality.Semantic.DeepEqual(l.status, s.CronJob.Status) {
		next := s.CronJob.DeepCopy()
		next.Status = l.status
		l.plan.Updates = append(l.plan.Updates, plan.Update{Object: next, Subresource: "status", NeedsCreate: l.needs})
	}
	return l.plan
}

// observe updates the status from the Jobs: those that have ended, that the CronJob never started,
// or that are gone.
func (l *look) observe() {
	exists := map[types.UID]bool{}
	for _, j := range l.jobs {
		exists[j.UID] = true
		end, active := jobstate.Finished(j), l.active[j.UID]
		switch {
		case end == nil && !active:
			l.event(corev1.EventTypeWarning, "UnexpectedJob", "Saw a job that the controller did not create or forgot: "+j.Name)
		case end != nil && active:
			delete(l.active, j.UID)
			l.event(corev1.EventTypeNormal, "SawCompletedJob", "Saw completed job: "+j.Name+", condition: "+string(end.Type))
		}
		if end != nil && end.Type == batchv1.JobComplete {
			l.succeeded(j.Status.CompletionTime)
		}
	}
	for _, ref := range l.CronJob.Status.Active {
		if !exists[ref.UID] && l.active[ref.UID] {
			delete(l.active, ref.UID)
			l.event(corev1.EventTypeNormal, "MissingJob", "Active job went missing: "+ref.Name)
		}
	}
}

// succeeded records when a Job succeeded, if no later success is known.
func (l *look) succeeded(at *metav1.Time) {
	if last := l.status.LastSuccessfulTime; at != nil && (last == nil || at.After(last.Time)) {
		l.status.LastSuccessfulTime = at.DeepCopy()
	}
}

// forget removes from the status the Jobs that must not stay there.
func (l *look) forget() {
	l.status.Active = slices.DeleteFunc(l.status.Active, func(ref corev1.ObjectReference) bool { return !l.active[ref.UID] })
}

// activate records a running Job.
func (l *look) activate(j *batchv1.Job) {
	l.active[j.UID] = true
	l.status.Active = append(l.status.Active, corev1.ObjectReference{
		APIVersion: batchv1.SchemeGroupVersion.String(), Kind: "Job", Namespace: j.Namespace, Name: j.Name, UID: j.UID,
	})
}

func (l *look) event(eventType, reason, message string) {
	if len(l.plan.Events) == maxEvents {
		return
	}
	l.plan.Events = append(l.plan.Events, plan.Event{
		Regarding: l.CronJob, Type: eventType, Reason: reason, Message: message, Component: component,
	})
}

// delete deletes a Job with its Pods and its entry in the status.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, deleteJob
func (l *look) delete(j *batchv1.Job) {
	if len(l.plan.Deletes) == maxBurst {
		l.more = true
		return
	}
	delete(l.active, j.UID)
	if j.DeletionTimestamp != nil {
		return
	}
	l.plan.Deletes = append(l.plan.Deletes, plan.Delete{Object: j, Propagation: metav1.DeletePropagationBackground})
	told := len(l.plan.Events)
	l.event(corev1.EventTypeNormal, "SuccessfulDelete", "Deleted job "+j.Name)
	if told < len(l.plan.Events) {
		l.plan.Events[told].OfDelete = len(l.plan.Deletes)
	}
}

// cleanUp deletes the oldest successful Jobs and the oldest failed Jobs beyond their limits.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, cleanupFinishedJobs and removeOldestJobs
func (l *look) cleanUp() {
	ended := map[batchv1.JobConditionType][]*batchv1.Job{}
	for _, j := range l.jobs {
		if end := jobstate.Finished(j); end != nil {
			ended[end.Type] = append(ended[end.Type], j)
		}
	}
	l.keep(ended[batchv1.JobComplete], l.CronJob.Spec.SuccessfulJobsHistoryLimit)
	l.keep(ended[batchv1.JobFailed], l.CronJob.Spec.FailedJobsHistoryLimit)
}

// keep deletes all but the youngest; without a limit, it deletes none.
func (l *look) keep(jobs []*batchv1.Job, limit *int32) {
	if limit == nil || len(jobs) <= int(*limit) {
		return
	}
	slices.SortStableFunc(jobs, olderFirst)
	for _, j := range jobs[:len(jobs)-int(*limit)] {
		l.delete(j)
	}
}

// olderFirst orders Jobs by when they started; those that never started are the youngest.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, byJobStartTime
func olderFirst(a, b *batchv1.Job) int {
	switch at, bt := a.Status.StartTime, b.Status.StartTime; {
	case at == nil && bt == nil:
		return 0
	case at == nil:
		return 1
	case bt == nil:
		return -1
	default:
		return at.Compare(bt.Time)
	}
}
