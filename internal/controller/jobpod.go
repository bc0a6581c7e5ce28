package controller

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// JobPod takes the tracking finalizer off Pods that no Job takes it off.
const JobPod = "jobpod"

func newJobPod(World) engine.Controller {
	return engine.Controller{
		Name: JobPod, UserAgent: "job-controller", Primary: "pods", Batch: 250, Reconcile: each(lookAtJobPod),
		Sources: []wakeup.Source{wakeup.For(&kind.Pod.Type, astray)},
	}
}

// astray holds for Pods that have the tracking finalizer where it is not sure that a Job takes it off, because the Pod has no
// Job or is being deleted.
func astray(d wakeup.Diff) bool {
	pod, _ := d.New.(*corev1.Pod)
	return slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer) && (pod.DeletionTimestamp != nil || metav1.GetControllerOfNoCopy(pod) == nil)
}
