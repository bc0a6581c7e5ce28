package job

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Orphan is a Pod with the tracking finalizer, and the Job that controls it.
type Orphan struct {
	Pod *corev1.Pod
	Job *batchv1.Job // nil if it does not exist
}

// ReconcileOrphan handles a Pod with the tracking finalizer in cases that its Job's sync may not
// handle. If no Job will count the Pod, it loses the finalizer: it has no controller, its Job is
// gone, or its Job has finished. If it is being deleted and never had a node, no kubelet can report
// its end, so it is marked as failed.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, handleSingleOrphanPod, and
// pkg/controller/podgc/gc_controller.go, gcUnscheduledTerminating
func ReconcileOrphan(o Orphan) plan.Plan {
	switch {
	case !tracked(o.Pod):
		return plan.Plan{}
	case !o.counted():
		return plan.Plan{Updates: []plan.Update{{Object: withoutFinalizer(o.Pod)}}}
	case o.Pod.DeletionTimestamp != nil && o.Pod.Spec.NodeName == "" && !podstate.Terminal(o.Pod):
		failed := o.Pod.DeepCopy()
		failed.Status.Phase = corev1.PodFailed
		return plan.Plan{Updates: []plan.Update{{Object: failed, Subresource: "status"}}}
	}
	return plan.Plan{}
}

// counted reports whether a controller will still count the Pod: its Job, even if another
// controller manages it, or an owner that is not a Job and is responsible itself.
func (o Orphan) counted() bool {
	ref := metav1.GetControllerOfNoCopy(o.Pod)
	if ref == nil {
		return false
	}
	if ref.Kind != "Job" || ref.APIVersion != batchv1.SchemeGroupVersion.String() {
		return true
	}
	return o.Job != nil && (managedElsewhere(o.Job) || !Finished(o.Job))
}

// Freed reports whether the Pod loses the finalizer once it is deleted: no controller will count
// it, or its Job's controller will do so then.
func (o Orphan) Freed() bool { return !o.counted() || o.Job != nil && !managedElsewhere(o.Job) }
