package statefulset

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// replica advances the Pod of an index by one step. It returns true if the Pods after it must wait,
// in a StatefulSet that keeps the order: until this one exists, runs, is ready and available.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, processReplica
func (s *syncing) replica(i int) (wait bool) {
	pod, ordinal := s.replicas[i], s.start()+i
	switch {
	case pod == nil:
		s.createPod(ordinal)
		return true
	case podstate.Terminal(pod):
		s.remove(pod) // the next Pod is created when this one is gone (STS-021)
		return true
	case pod.Status.Phase == corev1.PodPending:
		if !s.createClaims(pod, ordinal) {
			return true
		}
		s.updateClaims(pod, ordinal)
	}
	if pod.DeletionTimestamp != nil || !runningAndReady(pod) || !s.available(pod) {
		if s.ordered() {
			return true
		}
	}
	return !s.complete(pod, ordinal)
}

// createPod plans the Pod of an ordinal and the PersistentVolumeClaims that it lacks. No Pod is
// created while one of these is being deleted, either because the previous Pod was scaled away or
// because someone deleted it.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, CreateStatefulPod
func (s *syncing) createPod(ordinal int) {
	if len(s.plan.Creates) >= maxBurst {
		s.again()
		return
	}
	pod := s.newPod(ordinal)
	if s.claimIsStale(pod, ordinal) {
		return
	}
	for i := range s.set.Spec.VolumeClaimTemplates {
		if c := s.Claims[claimName(s.set, &s.set.Spec.VolumeClaimTemplates[i], ordinal)]; c != nil && c.DeletionTimestamp != nil {
			s.event(corev1.EventTypeWarning, "FailedCreate",
				fmt.Sprintf("Create Pod %s in StatefulSet %s failed error: pvc %s is being deleted", pod.Name, s.set.Name, c.Name))
			return
		}
	}
	if !s.createClaims(pod, ordinal) {
		return
	}
	if !s.create(pod) {
		if s.Refused.Reason == metav1.StatusReasonAlreadyExists {
			s.plan.Retry = true // until the name is free
		} else {
			s.failed("FailedCreate", fmt.Sprintf("Create Pod %s in StatefulSet %s failed error: %s", pod.Name, s.set.Name, s.Refused.Message))
		}
		return
	}
	s.created(fmt.Sprintf("Create Pod %%s in StatefulSet %s successful", s.set.Name))
	s.updateClaims(pod, ordinal)
}

// complete gives a Pod what the current StatefulSet requires: the labels of its ordinal, and
// PersistentVolumeClaims with the owners that the retention policy requires. It returns false if
// the Pod cannot be completed.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, UpdateStatefulPod
func (s *syncing) complete(pod *corev1.Pod, ordinal int) bool {
	var of types.UID
	if !hasIdentity(pod) {
		edited := s.edited(pod).(*corev1.Pod)
		identify(edited, ordinal)
		s.replicas[ordinal-s.start()] = edited
		of = pod.UID
	}
	if !s.hasStorage(pod, ordinal) {
		s.failed("FailedUpdate", fmt.Sprintf("Update Pod %s in StatefulSet %s failed error: Pod %q is invalid: spec: Forbidden: "+
			"pod updates may not change its volumes", pod.Name, s.set.Name, pod.Name))
		return false
	}
	if changed := s.updateClaims(pod, ordinal); changed != "" {
		of = changed
	}
	if of != "" {
		s.event(corev1.EventTypeNormal, "SuccessfulUpdate", fmt.Sprintf("Update Pod %s in StatefulSet %s successful", pod.Name, s.set.Name))
		s.plan.Events[len(s.plan.Events)-1].OfUpdate = of
	}
	return true
}
