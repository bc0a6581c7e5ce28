package podspec

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// ValidateTemplate validates a defaulted template at path.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodTemplateSpec
func ValidateTemplate(t *corev1.PodTemplateSpec, path *field.Path) field.ErrorList {
	spec := path.Child("spec")
	errs := check.Labels(t.Labels, path.Child("labels"))
	errs = append(errs, validation.ValidateAnnotations(t.Annotations, path.Child("annotations"))...)
	errs = append(errs, ValidateAnnotations(t.Annotations, &t.Spec, path.Child("annotations"))...)
	errs = append(errs, Validate(&t.Spec, nil, spec)...)
	errs = append(errs, ValidateProfilesMatch(t.Annotations, &t.Spec, spec)...)
	if len(t.Spec.EphemeralContainers) > 0 {
		errs = append(errs, field.Forbidden(spec.Child("ephemeralContainers"), "ephemeral containers not allowed in pod template"))
	}
	return errs
}

// Validate validates a defaulted spec. meta is the metadata of the Pod, nil for a template.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpec
func Validate(s *corev1.PodSpec, meta *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.TerminationGracePeriodSeconds == nil {
		errs = append(errs, field.Required(path.Child("terminationGracePeriodSeconds"), ""))
	}
	volumes, volumeErrs := volume.Validate(s.Volumes, meta, path.Child("volumes"))
	errs = append(errs, volumeErrs...)
	ctx := &Context{
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
	errs = append(errs, check.RequiredEnum(s.RestartPolicy, restartPolicies, path.Child("restartPolicy"))...)
	errs = append(errs, check.RequiredEnum(s.DNSPolicy, dnsPolicies, path.Child("dnsPolicy"))...)
	errs = append(errs, check.Labels(s.NodeSelector, path.Child("nodeSelector"))...)
	errs = append(errs, validatePodSecurityContext(s, path.Child("securityContext"))...)
	errs = append(errs, validateAffinity(s.Affinity, path.Child("affinity"))...)
	errs = append(errs, validateDNSConfig(s, path.Child("dnsConfig"))...)
	for i, gate := range s.ReadinessGates {
		at := path.Child("readinessGates").Index(i).Child("conditionType")
		errs = append(errs, check.QualifiedName(string(gate.ConditionType), at)...)
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
	// PreemptionPolicies are the policies that a Pod or a PriorityClass may have.
	PreemptionPolicies = []corev1.PreemptionPolicy{corev1.PreemptLowerPriority, corev1.PreemptNever}
)

// validatePodNames validates the fields that are names, and simple fields among them, in upstream's
// order.
func validatePodNames(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := s.ServiceAccountName; name != "" {
		errs = append(errs, check.Invalid(path.Child("serviceAccountName"), name, validation.ValidateServiceAccountName(name, false))...)
	}
	if name := s.NodeName; name != "" {
		errs = append(errs, check.Invalid(path.Child("nodeName"), name, validation.NameIsDNSSubdomain(name, false))...)
	}
	if seconds := s.ActiveDeadlineSeconds; seconds != nil && (*seconds < 1 || *seconds > math.MaxInt32) {
		msg := utilvalidation.InclusiveRangeError(1, math.MaxInt32)
		errs = append(errs, field.Invalid(path.Child("activeDeadlineSeconds"), *seconds, msg))
	}
	if s.Hostname != "" {
		errs = append(errs, check.DNSLabel(s.Hostname, path.Child("hostname"))...)
	}
	if s.Subdomain != "" {
		errs = append(errs, check.DNSLabel(s.Subdomain, path.Child("subdomain"))...)
	}
	errs = append(errs, ValidateTolerations(s.Tolerations, path.Child("tolerations"))...)
	errs = append(errs, validateHostAliases(s.HostAliases, path.Child("hostAliases"))...)
	if name := s.PriorityClassName; name != "" {
		errs = append(errs, check.Invalid(path.Child("priorityClassName"), name, validation.NameIsDNSSubdomain(name, false))...)
	}
	if name := s.RuntimeClassName; name != nil {
		errs = append(errs, check.Invalid(path.Child("runtimeClassName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
	}
	if s.PreemptionPolicy != nil {
		errs = append(errs, check.RequiredEnum(*s.PreemptionPolicy, PreemptionPolicies, path.Child("preemptionPolicy"))...)
	}
	if s.Overhead != nil {
		overhead := &corev1.ResourceRequirements{Limits: s.Overhead}
		errs = append(errs, ValidateResources(overhead, check.ContainerResourceName, &Context{}, path.Child("overhead"))...)
	}
	return errs
}

// validateSchedulingGates checks that gates have unique, valid names.
func validateSchedulingGates(gates []corev1.PodSchedulingGate, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, gate := range gates {
		errs = append(errs, check.QualifiedName(gate.Name, path.Index(i))...)
		if seen.Has(gate.Name) {
			errs = append(errs, field.Duplicate(path.Index(i), gate.Name))
		}
		seen.Insert(gate.Name)
	}
	return errs
}
