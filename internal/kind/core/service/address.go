package service

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

var (
	ipFamilies       = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	ipFamilyPolicies = []corev1.IPFamilyPolicy{
		corev1.IPFamilyPolicyPreferDualStack, corev1.IPFamilyPolicyRequireDualStack, corev1.IPFamilyPolicySingleStack,
	}
	balancerIPModes = []corev1.LoadBalancerIPMode{corev1.LoadBalancerIPModeProxy, corev1.LoadBalancerIPModeVIP}
)

const onceSet = "may not change once set"

// validateClusterIPs validates addresses, families and their combination; was is nil for a new
// Service.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateServiceClusterIPsRelatedFields
func validateClusterIPs(s, was *corev1.ServiceSpec) field.ErrorList {
	if s.Type == corev1.ServiceTypeExternalName {
		return nil
	}
	spec := field.NewPath("spec")
	path := spec.Child("clusterIPs")
	var errs field.ErrorList
	switch {
	case s.ClusterIP != "" && len(s.ClusterIPs) == 0:
		errs = append(errs, field.Required(path, ""))
	case s.ClusterIP != "" && s.ClusterIPs[0] != s.ClusterIP:
		errs = append(errs, field.Invalid(path, s.ClusterIPs, "first value must match `clusterIP`"))
	case s.ClusterIP == "" && len(s.ClusterIPs) > 0:
		errs = append(errs, field.Invalid(path, s.ClusterIPs, "must be empty when `clusterIP` is not specified"))
	}
	for i, family := range s.IPFamilies {
		at := spec.Child("ipFamilies").Index(i)
		if !slices.Contains(ipFamilies, family) {
			errs = append(errs, field.NotSupported(at, family, ipFamilies))
		}
		if slices.Contains(s.IPFamilies[:i], family) {
			errs = append(errs, field.Duplicate(at, family))
		}
	}
	if p := s.IPFamilyPolicy; p != nil && !slices.Contains(ipFamilyPolicies, *p) {
		errs = append(errs, field.NotSupported(spec.Child("ipFamilyPolicy"), p, ipFamilyPolicies))
	}
	var known []string
	if was != nil {
		known = was.ClusterIPs
	}
	bad := validateEachClusterIP(s.ClusterIPs, known, path)
	errs = append(errs, bad...)
	if len(s.ClusterIPs) > 2 {
		errs = append(errs, field.Invalid(path, s.ClusterIPs, "may only hold up to 2 values"))
	}
	if len(bad) > 0 {
		return errs
	}
	return append(errs, validateAddressFamilies(s, path)...)
}

func validateEachClusterIP(ips, known []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, ip := range ips {
		if i > 0 || ip != corev1.ClusterIPNone {
			errs = append(errs, utilvalidation.IsValidIPForLegacyField(path.Index(i), ip, true, known)...)
		} else if len(ips) > 1 {
			errs = append(errs, field.Invalid(path, ips, "'None' must be the first and only value"))
		}
	}
	return errs
}

// validateAddressFamilies checks that two addresses have different families, in the order of
// ipFamilies.
func validateAddressFamilies(s *corev1.ServiceSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	four := slices.ContainsFunc(s.ClusterIPs, func(ip string) bool { return !check.IsIPv6(ip) })
	if len(s.ClusterIPs) > 1 && (!four || !slices.ContainsFunc(s.ClusterIPs, check.IsIPv6)) {
		errs = append(errs, field.Invalid(path, s.ClusterIPs, "may specify no more than one IP for each IP family"))
	}
	if headless(s) {
		return errs
	}
	for i, ip := range s.ClusterIPs {
		if i >= len(s.IPFamilies) {
			break
		}
		want := s.IPFamilies[i]
		if want == corev1.IPv4Protocol && check.IsIPv6(ip) || want == corev1.IPv6Protocol && !check.IsIPv6(ip) {
			errs = append(errs, field.Invalid(path.Index(i), ip, fmt.Sprintf("expected an %s value as indicated by `ipFamilies[%d]`", want, i)))
		}
	}
	return errs
}

// validateClusterIPsUpdate checks that a Service keeps its addresses, unless its old or new type
// has none.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateUpgradeDowngradeClusterIPs
func validateClusterIPsUpdate(s, was *corev1.ServiceSpec) field.ErrorList {
	if s.Type == corev1.ServiceTypeExternalName || was.Type == corev1.ServiceTypeExternalName || headless(s) && headless(was) {
		return nil
	}
	path := field.NewPath("spec", "clusterIPs")
	var errs field.ErrorList
	if len(s.ClusterIPs) == len(was.ClusterIPs) {
		for i, ip := range was.ClusterIPs {
			if s.ClusterIPs[i] != ip {
				errs = append(errs, field.Invalid(path.Index(i), s.ClusterIPs, onceSet))
			}
		}
		return errs
	}
	if len(s.ClusterIPs) == 0 {
		return field.ErrorList{field.Invalid(path.Index(0), s.ClusterIPs, "primary clusterIP can not be unset")}
	}
	if len(was.ClusterIPs) > 0 && s.ClusterIPs[0] != was.ClusterIPs[0] {
		errs = append(errs, field.Invalid(path.Index(0), s.ClusterIPs, onceSet))
	}
	return errs
}

// validateFamiliesUpdate checks that a Service with an address keeps its families.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateUpgradeDowngradeIPFamilies
func validateFamiliesUpdate(s, was *corev1.ServiceSpec) field.ErrorList {
	if s.Type == corev1.ServiceTypeExternalName || was.Type == corev1.ServiceTypeExternalName || headless(s) || headless(was) {
		return nil
	}
	path := field.NewPath("spec", "ipFamilies").Index(0)
	var errs field.ErrorList
	for i, family := range was.IPFamilies {
		if i < len(s.IPFamilies) && s.IPFamilies[i] != family {
			errs = append(errs, field.Invalid(path, s.IPFamilies, onceSet))
		}
	}
	return errs
}

// validateServiceStatus validates the status of a load balancer.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateLoadBalancerStatus
func validateServiceStatus(svc, before *corev1.Service) field.ErrorList {
	errs := check.MetaUpdate(&svc.ObjectMeta, &before.ObjectMeta)
	path := field.NewPath("status", "loadBalancer", "ingress")
	ingress := svc.Status.LoadBalancer.Ingress
	if svc.Spec.Type != corev1.ServiceTypeLoadBalancer && len(ingress) > 0 {
		return append(errs, field.Forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'"))
	}
	var known []string
	for _, i := range before.Status.LoadBalancer.Ingress {
		known = append(known, i.IP)
	}
	for i := range ingress {
		errs = append(errs, validateIngress(&ingress[i], known, path.Index(i))...)
	}
	return errs
}

func validateIngress(in *corev1.LoadBalancerIngress, known []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if in.IP != "" {
		errs = append(errs, utilvalidation.IsValidIPForLegacyField(path.Child("ip"), in.IP, true, known)...)
	}
	mode := path.Child("ipMode")
	switch {
	case in.IPMode == nil && in.IP != "":
		errs = append(errs, field.Required(mode, "must be specified when `ip` is set"))
	case in.IPMode != nil && in.IP == "":
		errs = append(errs, field.Forbidden(mode, "may not be specified when `ip` is not set"))
	case in.IPMode != nil && !slices.Contains(balancerIPModes, *in.IPMode):
		errs = append(errs, field.NotSupported(mode, in.IPMode, balancerIPModes))
	}
	if in.Hostname == "" {
		return errs
	}
	at := path.Child("hostname")
	errs = append(errs, check.Invalid(at, in.Hostname, utilvalidation.IsDNS1123Subdomain(in.Hostname))...)
	if len(utilvalidation.IsValidIPForLegacyField(at, in.Hostname, false, nil)) == 0 {
		errs = append(errs, field.Invalid(at, in.Hostname, "must be a DNS name, not an IP address"))
	}
	return errs
}

// warnOfService warns about addresses in non-canonical form, and fields without effect.
//
// Source: kubernetes v1.36 pkg/api/service/warnings.go, GetWarningsForService
func warnOfService(svc, _ *corev1.Service) []string {
	s, spec := &svc.Spec, field.NewPath("spec")
	var texts []string
	if _, ok := svc.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]; ok {
		texts = append(texts, fmt.Sprintf("annotation %s is deprecated, please use %s instead",
			corev1.DeprecatedAnnotationTopologyAwareHints, corev1.AnnotationTopologyMode))
	}
	none := s.Type == corev1.ServiceTypeClusterIP && s.ClusterIP == corev1.ClusterIPNone
	if s.ClusterIP != "" && !none {
		texts = append(texts, check.WarnOfIPs(spec.Child("clusterIPs"), s.ClusterIPs)...)
	}
	if none {
		texts = append(texts, warnOfHeadless(s)...)
	}
	texts = append(texts, check.WarnOfIPs(spec.Child("externalIPs"), s.ExternalIPs)...)
	external := s.Type == corev1.ServiceTypeExternalName
	if len(s.ExternalIPs) > 0 && !none && !external {
		texts = append(texts, "spec.externalIPs is deprecated and may no longer be implemented in some clusters")
	}
	if s.LoadBalancerIP != "" {
		texts = append(texts, utilvalidation.GetWarningsForIP(spec.Child("loadBalancerIP"), s.LoadBalancerIP)...)
	}
	for i, cidr := range s.LoadBalancerSourceRanges {
		texts = append(texts, utilvalidation.GetWarningsForCIDR(spec.Child("loadBalancerSourceRanges").Index(i), cidr)...)
	}
	if external && len(s.ExternalIPs) > 0 {
		texts = append(texts, `spec.externalIPs is ignored when spec.type is "ExternalName"`)
	}
	if !external && s.ExternalName != "" {
		texts = append(texts, `spec.externalName is ignored when spec.type is not "ExternalName"`)
	}
	if d := s.TrafficDistribution; d != nil && *d == corev1.ServiceTrafficDistributionPreferClose {
		texts = append(texts, fmt.Sprintf("spec.trafficDistribution: %q is deprecated; use %q",
			corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone))
	}
	return texts
}

func warnOfHeadless(s *corev1.ServiceSpec) []string {
	var texts []string
	if s.LoadBalancerIP != "" {
		texts = append(texts, "spec.loadBalancerIP is ignored for headless services")
	}
	if len(s.ExternalIPs) > 0 {
		texts = append(texts, "spec.externalIPs is ignored for headless services")
	}
	if s.SessionAffinity != corev1.ServiceAffinityNone {
		texts = append(texts, "spec.SessionAffinity is ignored for headless services")
	}
	return texts
}
