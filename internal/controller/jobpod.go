package controller

import (
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// JobPod removes the tracking finalizer from Pods if no Job does.
//
// Cost: the Pod and its owner.
const JobPod = "jobpod"

func newJobPod(World) engine.Controller {
	return engine.Controller{
		Name: JobPod, UserAgent: "job-controller", Primary: "pods", Batch: 250, Reconcile: each(syncJobPod),
		WokenBy: []string{GarbageCollector},
		Sources: []wakeup.Source{wakeup.For(&podkind.Kind.Type, astray)},
	}
}

// astray holds for a Pod that has just gone astray.
func astray(d wakeup.Diff) bool { return goesAstray(d.New.(*corev1.Pod)) }

// goesAstray reports whether a Pod has the tracking finalizer and it is not certain that a Job
// removes it, because the Pod has no Job or is being deleted. If only its Job is gone, the garbage
// collector deletes the Pod or removes the owner, and then it goes astray; if its Job is deleted
// after it, the garbage collector wakes JobPod.
func goesAstray(pod *corev1.Pod) bool {
	return slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer) && (pod.DeletionTimestamp != nil || metav1.GetControllerOfNoCopy(pod) == nil)
}

// hasJob reports whether the controller of a Pod exists.
func hasJob(v mirror.View, pod *corev1.Pod) bool {
	ref := metav1.GetControllerOfNoCopy(pod)
	return ref != nil && v.UID(ref.UID) != nil
}

// syncJobPod handles a Pod that has the tracking finalizer of Jobs, which perhaps no Job removes.
func syncJobPod(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	pod := o.Object().(*corev1.Pod)
	if !goesAstray(pod) {
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
