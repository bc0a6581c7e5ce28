package job

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// matched is the rule of the Job's podFailurePolicy that a failed Pod matches.
type matched struct {
	action  batchv1.PodFailurePolicyAction
	message string // why the Job fails; only for FailJob
}

// match finds the first rule of the podFailurePolicy that a failed Pod matches, nil if none does,
// and reports whether its failure counts towards the limits.
//
// Source: kubernetes v1.36 pkg/controller/job/pod_failure_policy.go, matchPodFailurePolicy
func (s *syncing) match(p *corev1.Pod) (m *matched, counts bool) {
	policy := s.Job.Spec.PodFailurePolicy
	if policy == nil {
		return nil, true
	}
	for i := range policy.Rules {
		rule := &policy.Rules[i]
		what := ""
		if rule.OnExitCodes != nil {
			if c := exitedSo(p, rule.OnExitCodes); c != nil {
				what = fmt.Sprintf("Container %s for pod %s/%s failed with exit code %v", c.Name, p.Namespace, p.Name, c.State.Terminated.ExitCode)
			}
		} else if c := conditionLike(p, rule.OnPodConditions); c != nil {
			what = fmt.Sprintf("Pod %s/%s has condition %v", p.Namespace, p.Name, c.Type)
		}
		if what == "" {
			continue
		}
		switch rule.Action {
		case batchv1.PodFailurePolicyActionFailJob:
			return &matched{rule.Action, fmt.Sprintf("%s matching %v rule at index %d", what, rule.Action, i)}, true
		case batchv1.PodFailurePolicyActionIgnore:
			return &matched{action: rule.Action}, false
		case batchv1.PodFailurePolicyActionFailIndex, batchv1.PodFailurePolicyActionCount:
			return &matched{action: rule.Action}, true
		}
	}
	return nil, true
}

// exitedSo is the first container, regular before init, whose nonzero exit code matches the rule.
//
// Source: kubernetes v1.36 pkg/controller/job/pod_failure_policy.go, matchOnExitCodes
func exitedSo(p *corev1.Pod, want *batchv1.PodFailurePolicyOnExitCodesRequirement) *corev1.ContainerStatus {
	for _, list := range [][]corev1.ContainerStatus{p.Status.ContainerStatuses, p.Status.InitContainerStatuses} {
		for i := range list {
			c := &list[i]
			if c.State.Terminated == nil || c.State.Terminated.ExitCode == 0 || want.ContainerName != nil && *want.ContainerName != c.Name {
				continue
			}
			in := slices.Contains(want.Values, c.State.Terminated.ExitCode)
			if in == (want.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn) {
				return c
			}
		}
	}
	return nil
}

func conditionLike(p *corev1.Pod, patterns []batchv1.PodFailurePolicyOnPodConditionsPattern) *corev1.PodCondition {
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		for _, pattern := range patterns {
			if c.Type == pattern.Type && c.Status == pattern.Status {
				return c
			}
		}
	}
	return nil
}

// failJobMessage is why a failed Pod makes the whole Job fail; "" if no Pod does.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, getFailJobMessage
func (s *syncing) failJobMessage() string {
	if s.Job.Spec.PodFailurePolicy == nil {
		return ""
	}
	for _, p := range s.pods {
		if !s.isFailed(p) {
			continue
		}
		if m, _ := s.match(p); m != nil && m.action == batchv1.PodFailurePolicyActionFailJob {
			return m.message
		}
	}
	return ""
}

// enoughSucceeded says which rule of the successPolicy the succeeded indexes meet; "" if they meet
// none.
//
// Source: kubernetes v1.36 pkg/controller/job/success_policy.go, matchSuccessPolicy
func (s *syncing) enoughSucceeded() string {
	policy := s.Job.Spec.SuccessPolicy
	if policy == nil || len(s.succeededNow) == 0 {
		return ""
	}
	for i, rule := range policy.Rules {
		met := false
		if rule.SucceededIndexes != nil {
			required := parseIntervals(*rule.SucceededIndexes, s.completions())
			n, wanted := s.succeededNow.common(required), required.total()
			met = wanted > 0 && (n == wanted || rule.SucceededCount != nil && n >= int(*rule.SucceededCount))
		} else {
			met = rule.SucceededCount != nil && s.succeededNow.total() >= int(*rule.SucceededCount)
		}
		if met {
			return fmt.Sprintf("Matched rules at index %d", i)
		}
	}
	return ""
}

// common counts the indexes that are in both.
func (in intervals) common(other intervals) (n int) {
	for len(in) > 0 && len(other) > 0 {
		n += max(0, min(in[0].last, other[0].last)-max(in[0].first, other[0].first)+1)
		if in[0].last < other[0].last {
			in = in[1:]
		} else {
			other = other[1:]
		}
	}
	return n
}
