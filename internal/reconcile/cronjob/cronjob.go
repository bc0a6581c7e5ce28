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

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

// Reconcile decides what to do about the CronJob now, and when to sync it next.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, sync and syncCronJob
func Reconcile(s Snapshot) plan.Plan {
	y := sync{Snapshot: s, status: *s.CronJob.Status.DeepCopy(), active: map[types.UID]bool{}}
	for _, ref := range y.status.Active {
		y.active[ref.UID] = true
	}
	for _, j := range s.Jobs {
		if metav1.IsControlledBy(j, s.CronJob) {
			y.jobs = append(y.jobs, j)
		}
	}
	slices.SortFunc(y.jobs, func(a, b *batchv1.Job) int { return cmp.Compare(a.Name, b.Name) })

	y.cleanUp()
	y.observe()
	since := y.scheduleSince()
	y.forget()
	if s.CronJob.DeletionTimestamp == nil {
		y.run(since)
	}
	if y.more {
		y.plan.WakeAt = s.Now
	}
	if !equality.Semantic.DeepEqual(y.status, s.CronJob.Status) {
		next := s.CronJob.DeepCopy()
		next.Status = y.status
		y.plan.Updates = append(y.plan.Updates, plan.Update{Object: next, Subresource: "status", NeedsCreate: y.needs})
	}
	return y.plan
}

// observe updates the status from the Jobs: those that have ended, that the CronJob never started,
// or that are gone.
func (y *sync) observe() {
	exists := map[types.UID]bool{}
	for _, j := range y.jobs {
		exists[j.UID] = true
		end, active := jobstate.Finished(j), y.active[j.UID]
		switch {
		case end == nil && !active:
			y.event(corev1.EventTypeWarning, "UnexpectedJob", "Saw a job that the controller did not create or forgot: "+j.Name)
		case end != nil && active:
			delete(y.active, j.UID)
			y.event(corev1.EventTypeNormal, "SawCompletedJob", "Saw completed job: "+j.Name+", condition: "+string(end.Type))
		}
		if end != nil && end.Type == batchv1.JobComplete {
			y.succeeded(j.Status.CompletionTime)
		}
	}
	for _, ref := range y.CronJob.Status.Active {
		if !exists[ref.UID] && y.active[ref.UID] {
			delete(y.active, ref.UID)
			y.event(corev1.EventTypeNormal, "MissingJob", "Active job went missing: "+ref.Name)
		}
	}
}

// succeeded records when a Job succeeded, if no later success is known.
func (y *sync) succeeded(at *metav1.Time) {
	if last := y.status.LastSuccessfulTime; at != nil && (last == nil || at.After(last.Time)) {
		y.status.LastSuccessfulTime = at.DeepCopy()
	}
}
