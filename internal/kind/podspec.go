package kind

import (
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validation of what Pods and templates have in common. Upstream lets an update keep what an older release accepted;
// nothing of that sort is ever stored here, so that every spec is judged by the rules of v1.36 alone.

// podContext is what the judgement of one part of a Pod needs to know of the others.
type podContext struct {
	isPod         bool // false within a template
	volumes       map[string]corev1.VolumeSource
	claims        sets.Set[string] // names in spec.resourceClaims
	claimsNotice  string           // says which claims there are
	grace         *int64           // spec.terminationGracePeriodSeconds
	restartPolicy corev1.RestartPolicy
	hostUsers     bool
}

// validatePodTemplateSpec judges a template after defaulting; path is the template's.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodTemplateSpec
func validatePodTemplateSpec(t *corev1.PodTemplateSpec, path *field.Path) field.ErrorList {
	spec := path.Child("spec")
	errs := validateLabels(t.Labels, path.Child("labels"))
	errs = append(errs, validation.ValidateAnnotations(t.Annotations, path.Child("annotations"))...)
	errs = append(errs, validatePodAnnotations(t.Annotations, &t.Spec, path.Child("annotations"))...)
	errs = append(errs, validatePodSpec(&t.Spec, nil, spec)...)
	errs = append(errs, validateProfilesMatch(t.Annotations, &t.Spec, spec)...)
	if len(t.Spec.EphemeralContainers) > 0 {
		errs = append(errs, field.Forbidden(spec.Child("ephemeralContainers"), "ephemeral containers not allowed in pod template"))
	}
	return errs
}

// validatePodSpec judges a spec after defaulting. meta is that of the Pod, nil for a template.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpec
func validatePodSpec(s *corev1.PodSpec, meta *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.TerminationGracePeriodSeconds == nil {
		errs = append(errs, field.Required(path.Child("terminationGracePeriodSeconds"), ""))
	}
	volumes, volumeErrs := validateVolumes(s.Volumes, meta, path.Child("volumes"))
	errs = append(errs, volumeErrs...)
	ctx := &podContext{
		isPod:         meta != nil,
		volumes:       volumes,
		grace:         s.TerminationGracePeriodSeconds,
		restartPolicy: s.RestartPolicy,
		hostUsers:     s.HostUsers == nil || *s.HostUsers,
	}
	ctx.claims, ctx.claimsNotice = claimNames(s.ResourceClaims)

	errs = append(errs, validatePodResourceClaims(s.ResourceClaims, meta, path.Child("resourceClaims"))...)
	errs = append(errs, validateContainers(s.Containers, ctx, path.Child("containers"))...)
	errs = append(errs, validateInitContainers(s, ctx, path.Child("initContainers"))...)
	errs = append(errs, validateEphemeralContainers(s, ctx, path.Child("ephemeralContainers"))...)
	errs = append(errs, validatePodResources(s, ctx, path.Child("resources"))...)
	errs = append(errs, validateHostPortsMatch(s, ctx, path.Child("containers"))...)
	errs = append(errs, validateRequiredEnum(s.RestartPolicy, restartPolicies, path.Child("restartPolicy"))...)
	errs = append(errs, validateRequiredEnum(s.DNSPolicy, dnsPolicies, path.Child("dnsPolicy"))...)
	errs = append(errs, validateLabels(s.NodeSelector, path.Child("nodeSelector"))...)
	errs = append(errs, validatePodSecurityContext(s, path.Child("securityContext"))...)
	errs = append(errs, validateAffinity(s.Affinity, path.Child("affinity"))...)
	errs = append(errs, validateDNSConfig(s, path.Child("dnsConfig"))...)
	for i, gate := range s.ReadinessGates {
		at := path.Child("readinessGates").Index(i).Child("conditionType")
		errs = append(errs, validateQualifiedName(string(gate.ConditionType), at)...)
	}
	errs = append(errs, validateSchedulingGates(s.SchedulingGates, path.Child("schedulingGates"))...)
	errs = append(errs, validateSpreadConstraints(s.TopologySpreadConstraints, path.Child("topologySpreadConstraints"))...)
	errs = append(errs, validateHostProcess(s, path)...)
	errs = append(errs, validateHostUsers(s, path)...)
	errs = append(errs, validateHostnameOverride(s, path.Child("hostnameOverride"))...)
	errs = append(errs, validatePodNames(s, path)...)
	errs = append(errs, validatePodOS(s, path)...)
	return append(errs, validateFileKeyVolumes(s, path)...)
}

var (
	restartPolicies = []corev1.RestartPolicy{
		corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever,
	}
	dnsPolicies = []corev1.DNSPolicy{
		corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst, corev1.DNSDefault, corev1.DNSNone,
	}
	preemptionPolicies = []corev1.PreemptionPolicy{corev1.PreemptLowerPriority, corev1.PreemptNever}
)

// validatePodNames judges the fields that name something, and the simple ones among them, in upstream's order.
func validatePodNames(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := s.ServiceAccountName; name != "" {
		errs = append(errs, invalid(path.Child("serviceAccountName"), name, validation.ValidateServiceAccountName(name, false))...)
	}
	if name := s.NodeName; name != "" {
		errs = append(errs, invalid(path.Child("nodeName"), name, validation.NameIsDNSSubdomain(name, false))...)
	}
	if seconds := s.ActiveDeadlineSeconds; seconds != nil && (*seconds < 1 || *seconds > math.MaxInt32) {
		msg := utilvalidation.InclusiveRangeError(1, math.MaxInt32)
		errs = append(errs, field.Invalid(path.Child("activeDeadlineSeconds"), *seconds, msg))
	}
	if s.Hostname != "" {
		errs = append(errs, validateDNSLabel(s.Hostname, path.Child("hostname"))...)
	}
	if s.Subdomain != "" {
		errs = append(errs, validateDNSLabel(s.Subdomain, path.Child("subdomain"))...)
	}
	errs = append(errs, validateTolerations(s.Tolerations, path.Child("tolerations"))...)
	errs = append(errs, validateHostAliases(s.HostAliases, path.Child("hostAliases"))...)
	if name := s.PriorityClassName; name != "" {
		errs = append(errs, invalid(path.Child("priorityClassName"), name, validation.NameIsDNSSubdomain(name, false))...)
	}
	if name := s.RuntimeClassName; name != nil {
		errs = append(errs, invalid(path.Child("runtimeClassName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
	}
	if s.PreemptionPolicy != nil {
		errs = append(errs, validateRequiredEnum(*s.PreemptionPolicy, preemptionPolicies, path.Child("preemptionPolicy"))...)
	}
	if s.Overhead != nil {
		overhead := &corev1.ResourceRequirements{Limits: s.Overhead}
		errs = append(errs, validateResources(overhead, validateContainerResourceName, &podContext{}, path.Child("overhead"))...)
	}
	return errs
}

// validateSchedulingGates judges that gates have names, and names of their own.
func validateSchedulingGates(gates []corev1.PodSchedulingGate, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, gate := range gates {
		errs = append(errs, validateQualifiedName(gate.Name, path.Index(i))...)
		if seen.Has(gate.Name) {
			errs = append(errs, field.Duplicate(path.Index(i), gate.Name))
		}
		seen.Insert(gate.Name)
	}
	return errs
}

// invalid is one error for each of the messages, which apimachinery's validators return for a value.
func invalid(path *field.Path, value any, msgs []string) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range msgs {
		errs = append(errs, field.Invalid(path, value, msg))
	}
	return errs
}

func validateDNSLabel(value string, path *field.Path) field.ErrorList {
	return invalid(path, value, utilvalidation.IsDNS1123Label(value))
}

func validateQualifiedName(value string, path *field.Path) field.ErrorList {
	return invalid(path, value, utilvalidation.IsQualifiedName(value))
}

// validateLabels judges labels in the order of their keys, so that the same object always gets the same answer.
func validateLabels(labels map[string]string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		errs = append(errs, metav1validation.ValidateLabels(map[string]string{key: labels[key]}, path)...)
	}
	return errs
}

// validateLabelSelector judges a selector, which may be nil.
func validateLabelSelector(s *metav1.LabelSelector, path *field.Path) field.ErrorList {
	if s == nil {
		return nil
	}
	errs := validateLabels(s.MatchLabels, path.Child("matchLabels"))
	for i, r := range s.MatchExpressions {
		at := path.Child("matchExpressions").Index(i)
		errs = append(errs, metav1validation.ValidateLabelSelectorRequirement(r, metav1validation.LabelSelectorValidationOptions{}, at)...)
	}
	return errs
}

// validateRequiredEnum judges that value is one of those supported, which its message lists in their order.
func validateRequiredEnum[T ~string](value T, supported []T, path *field.Path) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return validateEnum(value, supported, path)
}

// validateEnum is validateRequiredEnum where the empty value is nothing special.
func validateEnum[T ~string](value T, supported []T, path *field.Path) field.ErrorList {
	for _, s := range supported {
		if value == s {
			return nil
		}
	}
	return field.ErrorList{field.NotSupported(path, value, supported)}
}
