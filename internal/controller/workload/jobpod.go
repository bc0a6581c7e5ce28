package workload

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewJobPod makes the controller that removes the tracking finalizer from Pods if no Job does.
//
// Cost: the Pod and its owner.
func NewJobPod(world.World) engine.Controller {
	return engine.Controller{
		Name: names.JobPod, UserAgent: "job-controller", Primary: "pods", Batch: 250, Reconcile: gather.Each(syncJobPod),
		WokenBy: []string{names.GarbageCollector},
		Sources: []wakeup.Source{wakeup.For(&podkind.Kind.Type, astray)},
	}
}

// astray holds for a Pod that has just gone astray.
func astray(d wakeup.Diff) bool { return jobstate.Astray(d.New.(*corev1.Pod)) }

// syncJobPod syncs a Pod whose tracking finalizer perhaps no Job removes.
func syncJobPod(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	pod := o.Object().(*corev1.Pod)
	if !jobstate.Astray(pod) {
		return plan.Plan{}
	}
	s := job.Orphan{Pod: pod}
	if ref := metav1.GetControllerOfNoCopy(pod); ref != nil {
		if owner := v.UID(ref.UID); owner != nil {
			s.Job, _ = owner.Object().(*batchv1.Job)
		}
	}
	return job.ReconcileOrphan(s)
}
