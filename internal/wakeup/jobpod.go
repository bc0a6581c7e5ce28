package wakeup

import (
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// routeJobPod wakes the Pod's workload. A Job is not woken for what it does itself or what it does not go by, as that is most of
// what happens to its Pods. Where a Pod still has the tracking finalizer and it is not sure that a Job will take it off, because
// the Pod has no Job or is being deleted, somebody looks after that.
func routeJobPod(c Change, pod *corev1.Pod) []Wake {
	w := c.controllers()
	if !concernsJob(c) {
		w = slices.DeleteFunc(w, func(w Wake) bool { return w.Controller == Job })
	}
	if c.New == nil || !slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer) {
		return w
	}
	if pod.DeletionTimestamp != nil || metav1.GetControllerOfNoCopy(pod) == nil {
		w = append(w, Wake{Controller: JobPod, UID: pod.UID})
	}
	return w
}

// concernsJob says whether the change of a Pod may mean something to the Job that controls it.
func concernsJob(c Change) bool {
	own := c.Controller == Job // which has planned with the outcome, but for a Pod that goes at once
	old, ok := c.Old.(*corev1.Pod)
	if !ok {
		return !own
	}
	pod, ok := c.New.(*corev1.Pod)
	if !ok {
		return !podstate.Terminal(old)
	}
	return !own && (old.Status.Phase != pod.Status.Phase ||
		podstate.Ready(old) != podstate.Ready(pod) ||
		(old.DeletionTimestamp == nil) != (pod.DeletionTimestamp == nil) ||
		restarts(old) != restarts(pod) ||
		c.ownersChanged() ||
		!slices.Equal(old.Finalizers, pod.Finalizers) ||
		!maps.Equal(old.Labels, pod.Labels) ||
		!maps.Equal(old.Annotations, pod.Annotations))
}

// restarts sums up the restarts of the Pod's containers.
func restarts(p *corev1.Pod) (n int64) {
	for _, list := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range list {
			n += int64(list[i].RestartCount)
		}
	}
	return n
}
