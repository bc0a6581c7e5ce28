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
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/reconcile/ttlafterfinished"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewTTLAfterFinished makes the controller that deletes Jobs some time after their end.
//
// Cost: the Job.
func NewTTLAfterFinished(world.World) engine.Controller {
	return engine.Controller{
		Name: names.TTLAfterFinished, UserAgent: "ttl-after-finished-controller", Primary: "jobs.batch", Batch: 64, Reconcile: gather.Each(syncExpiry),
		Sources: []wakeup.Source{wakeup.For(&batch.Job.Type, expiryChanged)},
	}
}

// expiryChanged holds for Jobs whose deletion time was set or changed.
func expiryChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*batchv1.Job)
	job, _ := d.New.(*batchv1.Job)
	if job.Spec.TTLSecondsAfterFinished == nil || jobstate.Finished(job) == nil {
		return false
	}
	return old == nil || jobstate.Finished(old) == nil || old.Spec.TTLSecondsAfterFinished == nil ||
		*old.Spec.TTLSecondsAfterFinished != *job.Spec.TTLSecondsAfterFinished
}

// syncExpiry checks whether a finished Job has stayed for its TTL.
func syncExpiry(_ mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	return ttlafterfinished.Reconcile(ttlafterfinished.Snapshot{Job: o.Object().(*batchv1.Job), Now: now})
}
