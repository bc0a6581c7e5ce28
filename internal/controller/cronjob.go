package controller

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/cronjob"
	"github.com/rowlock/rowlock/internal/reconcile/ttlafterfinished"
)

func (w World) lookAtCronJob(v mirror.View, o *object.Version, look engine.Look, now time.Time) func(*plan.Refusal) plan.Plan {
	cj := o.Object().(*batchv1.CronJob)
	s := cronjob.Snapshot{CronJob: cj, Memory: look.Memory, StartLate: w.StartLateCronJobs, Now: now}
	s.Jobs = typed[*batchv1.Job](v, mirror.ByOwner, string(cj.UID))
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return cronjob.Reconcile(s)
	}
}

// lookForExpiry looks whether a finished Job has stayed for as long as it wants to.
func lookForExpiry(_ mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	return ttlafterfinished.Reconcile(ttlafterfinished.Snapshot{Job: o.Object().(*batchv1.Job), Now: now})
}
