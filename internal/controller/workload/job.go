package workload

import (
	"maps"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/batch"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewJob makes the controller that manages the Pods of Jobs, and counts their outcomes.
//
// Cost: its Pods and the orphans that have the rarest label of its selector. It creates or deletes
// at most 500 Pods, and counts 500.
func NewJob(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.Job, UserAgent: "job-controller", Primary: "jobs.batch", Batch: 250,
		Gather: gather.Apart(controllers(w).syncJob), Remembers: true,
		Sources: []wakeup.Source{
			wakeup.For(&batch.Job.Type, wakeup.NotBy(names.Job)),
			wakeup.Owns(&podkind.Kind.Type, concernsJob),
			wakeup.Adopts(&podkind.Kind.Type),
		},
	}
}

// concernsJob reports whether the change of a Pod may matter to the Job that controls it. Most
// changes of its Pods are the Job's own, or irrelevant to it.
func concernsJob(d wakeup.Diff) bool {
	own := d.Controller == names.Job // it has planned with the outcome, except for a Pod that is deleted at once
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	switch {
	case old == nil:
		return !own
	case pod == nil:
		return !podstate.Terminal(old)
	}
	return !own && (old.Status.Phase != pod.Status.Phase ||
		podstate.Ready(old) != podstate.Ready(pod) ||
		(old.DeletionTimestamp == nil) != (pod.DeletionTimestamp == nil) ||
		restarts(old) != restarts(pod) ||
		d.OwnersChanged() ||
		!slices.Equal(old.Finalizers, pod.Finalizers) ||
		!maps.Equal(old.Labels, pod.Labels) ||
		!maps.Equal(old.Annotations, pod.Annotations))
}

// restarts returns the sum of the restarts of the Pod's containers.
func restarts(p *corev1.Pod) (n int64) {
	for _, list := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range list {
			n += int64(list[i].RestartCount)
		}
	}
	return n
}

func (w controllers) syncJob(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	s := SnapshotJob(v, o.Object().(*batchv1.Job), now)
	s.Memory, s.BackoffCap = request.Memory, w.JobBackoffCap
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return job.Reconcile(s)
	}
}

// SnapshotJob makes the controller's snapshot of a Job, which may differ from the one in the view,
// without what it remembers.
func SnapshotJob(v mirror.View, j *batchv1.Job, now time.Time) job.Snapshot {
	s := job.Snapshot{Job: j, Now: now}
	s.Pods = gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(j.UID))
	if !job.Finished(j) {
		s.Pods = append(s.Pods, gather.Orphans[*corev1.Pod](v, mirror.OrphanPods, j.Namespace, j.Spec.Selector)...)
	}
	return s
}
