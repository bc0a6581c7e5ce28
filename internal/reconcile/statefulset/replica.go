package statefulset

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
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

// roll deletes the Pods with the highest ordinals that are not of the newest revision, so that they
// are created again from it. It deletes one, then the next when that one is available, down to the
// partition (STS-027, STS-029).
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, updateStatefulSet
func (s *syncing) roll() {
	strategy := s.set.Spec.UpdateStrategy
	if strategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
		return
	}
	lowest := 0
	if rolling := strategy.RollingUpdate; rolling != nil {
		if rolling.Partition != nil {
			lowest = int(*rolling.Partition)
		}
		if rolling.MaxUnavailable != nil {
			s.rollSeveral(lowest, rolling.MaxUnavailable)
			return
		}
	}
	for i := s.desired() - 1; i >= lowest && s.replicas[i] != nil; i-- {
		if s.outdated(s.replicas[i]) {
			s.updatePod(s.replicas[i])
			return
		}
		if s.unavailable(s.replicas[i]) {
			return
		}
	}
}

// rollSeveral deletes as many Pods as may be unavailable, minus those that already are.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, updateStatefulSetAfterInvariantEstablished, and
// stateful_set_utils.go, getStatefulSetMaxUnavailable
func (s *syncing) rollSeveral(lowest int, most *intstr.IntOrString) {
	n, err := intstr.GetScaledValueFromIntOrPercent(most, s.desired(), false)
	if err != nil {
		return // validation rejects it
	}
	n = max(n, 1) - (s.desired() - len(s.replicas))
	for _, p := range s.replicas {
		if s.unavailable(p) {
			n--
		}
	}
	for i := s.desired() - 1; i >= lowest && n > 0; i-- {
		if s.outdated(s.replicas[i]) {
			s.updatePod(s.replicas[i])
			n--
		}
	}
}

// outdated reports whether a Pod is not of the newest revision and is not being deleted.
func (s *syncing) outdated(p *corev1.Pod) bool {
	return p != nil && revisionOf(p) != s.update.Name && p.DeletionTimestamp == nil
}

// updatePod deletes a Pod so that an updated one replaces it. The status reflects this at once.
//
// Differs: until the next sync, upstream counts a Pod of a third revision here as one of the
// current revision.
func (s *syncing) updatePod(p *corev1.Pod) {
	if s.remove(p) && revisionOf(p) == s.current.Name {
		s.updating++
	}
}

// remove plans the deletion of a Pod, unless it is already being deleted. It returns false if that
// must wait for another plan.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, DeleteStatefulPod
func (s *syncing) remove(p *corev1.Pod) bool {
	if p.DeletionTimestamp != nil || s.changed[p] { // a change to the Pod causes another sync
		return false
	}
	if len(s.plan.Deletes) >= maxBurst {
		s.again()
		return false
	}
	s.changed[p] = true
	s.plan.Deletes = append(s.plan.Deletes, plan.Delete{Object: p})
	s.event(corev1.EventTypeNormal, "SuccessfulDelete", fmt.Sprintf("Delete Pod %s in StatefulSet %s successful", p.Name, s.set.Name))
	s.plan.Events[len(s.plan.Events)-1].OfDelete = len(s.plan.Deletes)
	return true
}

// create plans a creation. It returns false if the applier refused this one: then nothing more is
// created.
func (s *syncing) create(o object.Object) bool {
	if s.refused || s.Refused != nil && len(s.plan.Creates) >= s.Refused.Admitted {
		s.refused = true
		return false
	}
	s.plan.Creates = append(s.plan.Creates, plan.Create{Object: o})
	return true
}

// created emits the event of the last creation; message has the verb %s for its name.
func (s *syncing) created(message string) {
	s.event(corev1.EventTypeNormal, "SuccessfulCreate", message)
	s.plan.Events[len(s.plan.Events)-1].MessageOfCreate = len(s.plan.Creates)
}

// failed emits the event of a failure. It emits nothing in a namespace that is being terminated.
func (s *syncing) failed(reason, message string) {
	if s.Refused == nil || !s.Refused.NamespaceTerminating {
		s.event(corev1.EventTypeWarning, reason, message)
	}
}

func (s *syncing) event(eventType, reason, message string) {
	s.plan.Events = append(s.plan.Events, plan.Event{
		Regarding: s.set, Type: eventType, Reason: reason, Message: message, Component: component,
	})
}
