package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

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
