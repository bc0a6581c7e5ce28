package workload

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/cronjob"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewCronJob makes the controller that starts the Jobs of CronJobs.
//
// Cost: its Jobs. It starts one and deletes at most 500.
func NewCronJob(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.CronJob, UserAgent: "cronjob-controller", Primary: "cronjobs.batch", Batch: 250,
		Gather: gather.Apart(controllers(w).syncCronJob), Remembers: true,
		Sources: []wakeup.Source{
			wakeup.For(&batch.CronJob.Type, wakeup.NotBy(names.CronJob)),
			wakeup.Owns(&batch.Job.Type, wakeup.NotBy(names.CronJob), concernsCronJob),
		},
	}
}

// concernsCronJob reports whether the change of a Job may matter to the CronJob that controls it:
// the Job was created, has ended, or was deleted unfinished. Most changes of a Job are in between.
func concernsCronJob(d wakeup.Diff) bool {
	old, _ := d.Old.(*batchv1.Job)
	job, _ := d.New.(*batchv1.Job)
	switch {
	case old == nil:
		return true
	case job == nil:
		return jobstate.Finished(old) == nil
	}
	return d.OwnersChanged() || (jobstate.Finished(old) == nil) != (jobstate.Finished(job) == nil)
}

func (w controllers) syncCronJob(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	cj := o.Object().(*batchv1.CronJob)
	s := cronjob.Snapshot{CronJob: cj, Memory: request.Memory, StartLate: w.StartLateCronJobs, Now: now}
	s.Jobs = gather.Typed[*batchv1.Job](v, mirror.ByOwner, string(cj.UID))
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return cronjob.Reconcile(s)
	}
}
