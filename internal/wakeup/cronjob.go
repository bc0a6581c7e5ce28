package wakeup

import (
	batchv1 "k8s.io/api/batch/v1"

	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

// routeJob wakes whoever looks after a Job: its own controller, the one that deletes it some time after its end, and the
// CronJob that it belongs to.
func routeJob(c Change) []Wake {
	var w []Wake
	if c.Controller != Job {
		w = append(w, c.self(Job)...)
	}
	if expiryChanged(c) {
		w = append(w, c.self(TTLAfterFinished)...)
	}
	if concernsCronJob(c) {
		w = append(w, c.controllers()...)
	}
	return w
}

// expiryChanged says whether a Job has got a time at which it is to be deleted, or another one.
func expiryChanged(c Change) bool {
	job, ok := c.New.(*batchv1.Job)
	if !ok || job.Spec.TTLSecondsAfterFinished == nil || jobstate.Finished(job) == nil {
		return false
	}
	old, ok := c.Old.(*batchv1.Job)
	return !ok || jobstate.Finished(old) == nil || old.Spec.TTLSecondsAfterFinished == nil ||
		*old.Spec.TTLSecondsAfterFinished != *job.Spec.TTLSecondsAfterFinished
}

// concernsCronJob says whether the change of a Job may mean something to the CronJob that controls it: the Job is there, has
// ended or has gone unfinished, and not by the CronJob's doing. Most of what happens to a Job happens in between.
func concernsCronJob(c Change) bool {
	if c.Controller == CronJob {
		return false
	}
	old, ok := c.Old.(*batchv1.Job)
	if !ok {
		return true
	}
	job, ok := c.New.(*batchv1.Job)
	if !ok {
		return jobstate.Finished(old) == nil
	}
	return c.ownersChanged() || (jobstate.Finished(old) == nil) != (jobstate.Finished(job) == nil)
}
