// Package jobstate reads the parts of a Job's status that several reconcilers need.
package jobstate

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Finished is the condition, Complete or Failed, that marks the Job as ended; nil if it has not
// ended.
//
// Source: kubernetes v1.36 pkg/controller/job/util/utils.go, FinishedCondition
func Finished(j *batchv1.Job) *batchv1.JobCondition {
	for i := range j.Status.Conditions {
		c := &j.Status.Conditions[i]
		if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
			return c
		}
	}
	return nil
}

// Astray reports whether a Pod has the tracking finalizer but possibly no Job that removes it: it
// has no controller, or is being deleted. If its Job is gone, the garbage collector deletes the Pod
// or removes the reference to the Job, and then the Pod is astray. If the Pod was deleted before
// its Job, the garbage collector wakes the controller of such Pods.
func Astray(pod *corev1.Pod) bool {
	return slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer) && (pod.DeletionTimestamp != nil || metav1.GetControllerOfNoCopy(pod) == nil)
}
