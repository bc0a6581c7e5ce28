package controller

import (
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
)

// lookAtJobPod looks after a Pod that has the tracking finalizer of Jobs, and that no Job may take it off.
func lookAtJobPod(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	pod := o.Object().(*corev1.Pod)
	if !slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer) {
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
