package pod

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// validatePodStatus validates a Pod's status as reported by a kubelet or another client.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodStatusUpdate
func validatePodStatus(next, old *corev1.Pod) field.ErrorList {
	path, s, was := field.NewPath("status"), &next.Status, &old.Status
	errs := check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta)
	errs = append(errs, podspec.ValidateAnnotationUpdate(next, old, field.NewPath("metadata", "annotations"))...)
	errs = append(errs, validatePodConditions(s.Conditions, path.Child("conditions"))...)

	nominated := path.Child("nominatedNodeName")
	if name := s.NominatedNodeName; name != was.NominatedNodeName && name != "" {
		errs = append(errs, check.Invalid(nominated, name, validation.NameIsDNSSubdomain(name, false))...)
		if old.Spec.NodeName != "" {
			errs = append(errs, field.Forbidden(nominated, "may not be set on pods that are already bound to a node"))
		}
	}
	if s.ObservedGeneration < 0 {
		errs = append(errs, field.Invalid(path.Child("observedGeneration"), s.ObservedGeneration, "must be a non-negative integer"))
	}
	errs = append(errs, validation.ValidateImmutableField(s.QOSClass, was.QOSClass, path.Child("qosClass"))...)
	errs = append(errs, validateTransitions(next, old, path)...)
	errs = append(errs, validateClaimStatuses(s.ResourceClaimStatuses, next.Spec.ResourceClaims, path.Child("resourceClaimStatuses"))...)
	errs = append(errs, validateExtendedClaim(s.ExtendedResourceClaimStatus, &next.Spec, path.Child("extendedResourceClaimStatus"))...)
	errs = append(errs, validateIPs(podIPs(s), podIPs(was), s.PodIPs, path.Child("podIPs"))...)
	errs = append(errs, validateHostIPs(s, was, path.Child("hostIPs"))...)
	return append(errs, validateContainerStatuses(s, &next.Spec, path)...)
}

func validateContainerStatuses(s *corev1.PodStatus, spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	containers, inits, ephemeral := path.Child("containerStatuses"), path.Child("initContainerStatuses"), path.Child("ephemeralContainerStatuses")
	errs := validateContainerUsers(s.ContainerStatuses, spec.OS, containers)
	errs = append(errs, validateContainerUsers(s.InitContainerStatuses, spec.OS, inits)...)
	errs = append(errs, validateContainerUsers(s.EphemeralContainerStatuses, spec.OS, ephemeral)...)
	errs = append(errs, validateDeviceStatuses(s.ContainerStatuses, spec.Containers, containers)...)
	errs = append(errs, validateDeviceStatuses(s.InitContainerStatuses, spec.InitContainers, inits)...)
	return append(errs, validateNoDevices(s.EphemeralContainerStatuses, ephemeral)...)
}

// systemConditions are condition types that need no domain.
var systemConditions = sets.New(corev1.PodScheduled, corev1.PodReady, corev1.PodInitialized)

func validatePodConditions(conditions []corev1.PodCondition, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range conditions {
		at := path.Index(i)
		if c.ObservedGeneration < 0 {
			errs = append(errs, field.Invalid(at.Child("observedGeneration"), c.ObservedGeneration, "must be a non-negative integer"))
		}
		if !systemConditions.Has(c.Type) {
			errs = append(errs, check.QualifiedName(string(c.Type), at.Child("Type"))...)
		}
	}
	return errs
}

// validateTransitions checks that no container that has ended for good runs again.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateContainerStateTransition,
// ValidateInitContainerStateTransition and ValidateEphemeralContainerStateTransition
func validateTransitions(next, old *corev1.Pod, path *field.Path) field.ErrorList {
	s := &old.Spec
	never := func(string, int32) bool { return false }
	var errs field.ErrorList
	if !restartsAll(s) {
		errs = append(errs, validateTransition(next.Status.ContainerStatuses, old.Status.ContainerStatuses,
			restartJudge(s.Containers, s.RestartPolicy), path.Child("containerStatuses"))...)
		errs = append(errs, validateTransition(next.Status.InitContainerStatuses, old.Status.InitContainerStatuses,
			restartJudge(s.InitContainers, s.RestartPolicy), path.Child("initContainerStatuses"))...)
	}
	return append(errs, validateTransition(next.Status.EphemeralContainerStatuses, old.Status.EphemeralContainerStatuses,
		never, path.Child("ephemeralContainerStatuses"))...)
}

// validateTransition checks the containers of one type. mayRestart reports whether a container that
// ended with a code may run again.
func validateTransition(next, old []corev1.ContainerStatus, mayRestart func(name string, code int32) bool, path *field.Path) field.ErrorList {
	alive := make(map[string]bool, len(next))
	for _, c := range next {
		alive[c.Name] = alive[c.Name] || c.State.Terminated == nil
	}
	var errs field.ErrorList
	for i, c := range old {
		if ended := c.State.Terminated; ended != nil && alive[c.Name] && !mayRestart(c.Name, ended.ExitCode) {
			errs = append(errs, field.Forbidden(path.Index(i).Child("state"), "may not be transitioned to non-terminated state"))
		}
	}
	return errs
}

// restartsAll reports whether the exit of some container restarts all containers of the Pod.
func restartsAll(s *corev1.PodSpec) bool {
	for _, containers := range [][]corev1.Container{s.Containers, s.InitContainers} {
		for _, c := range containers {
			for _, rule := range c.RestartPolicyRules {
				if rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers {
					return true
				}
			}
		}
	}
	return false
}

// restartJudge returns a function that reports whether a container runs again after an exit code:
// by its first rule for the code, else by its own policy, else by the Pod's.
func restartJudge(containers []corev1.Container, pod corev1.RestartPolicy) func(name string, code int32) bool {
	byName := make(map[string]*corev1.Container, len(containers))
	for i := range containers {
		byName[containers[i].Name] = &containers[i]
	}
	return func(name string, code int32) bool {
		c := byName[name]
		if c == nil {
			return false
		}
		policy := pod
		if c.RestartPolicy != nil {
			for _, rule := range c.RestartPolicyRules {
				if rule.Action == corev1.ContainerRestartRuleActionRestart && matchesCode(rule.ExitCodes, code) {
					return true
				}
			}
			policy = corev1.RestartPolicy(*c.RestartPolicy)
		}
		return policy == corev1.RestartPolicyAlways || policy == corev1.RestartPolicyOnFailure && code != 0
	}
}

func matchesCode(codes *corev1.ContainerRestartRuleOnExitCodes, code int32) bool {
	if codes == nil {
		return false
	}
	listed := slices.Contains(codes.Values, code)
	switch codes.Operator {
	case corev1.ContainerRestartRuleOnExitCodesOpIn:
		return listed
	case corev1.ContainerRestartRuleOnExitCodesOpNotIn:
		return !listed
	}
	return false
}

func podIPs(s *corev1.PodStatus) []string {
	var ips []string
	for _, ip := range s.PodIPs {
		ips = append(ips, ip.IP)
	}
	return ips
}

func hostIPs(s *corev1.PodStatus) []string {
	var ips []string
	for _, ip := range s.HostIPs {
		ips = append(ips, ip.IP)
	}
	return ips
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateHostIPs
func validateHostIPs(s, was *corev1.PodStatus, path *field.Path) field.ErrorList {
	if len(s.HostIPs) == 0 {
		return nil
	}
	var errs field.ErrorList
	if first := s.HostIPs[0].IP; s.HostIP != first {
		errs = append(errs, field.Invalid(path.Index(0).Child("ip"), first, "must be equal to `hostIP`"))
	}
	return append(errs, validateIPs(hostIPs(s), hostIPs(was), s.HostIPs, path)...)
}

// validateIPs validates a list of addresses: at most one of each family. Known addresses stay
// valid. value is the list as messages print it.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodIPs
func validateIPs(ips, known []string, value any, path *field.Path) field.ErrorList {
	old := sets.New(known...)
	var errs field.ErrorList
	for i, ip := range ips {
		if !old.Has(ip) {
			errs = append(errs, utilvalidation.IsValidIPForLegacyField(path.Index(i), ip, true, nil)...)
		}
	}
	if len(ips) < 2 {
		return errs
	}
	both, err := netutils.IsDualStackIPStrings(ips)
	if err != nil {
		errs = append(errs, field.InternalError(path, fmt.Errorf("failed to check for dual stack with error:%w", err)))
	}
	if !both || len(ips) > 2 {
		errs = append(errs, field.Invalid(path, check.Untagged(value), "may specify no more than one IP for each IP family"))
	}
	return errs
}
