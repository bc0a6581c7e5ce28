package service

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

var (
	serviceTypes = []corev1.ServiceType{
		corev1.ServiceTypeClusterIP, corev1.ServiceTypeExternalName, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeNodePort,
	}
	sessionAffinities   = []corev1.ServiceAffinity{corev1.ServiceAffinityClientIP, corev1.ServiceAffinityNone}
	externalPolicies    = []corev1.ServiceExternalTrafficPolicy{corev1.ServiceExternalTrafficPolicyCluster, corev1.ServiceExternalTrafficPolicyLocal}
	internalPolicies    = []corev1.ServiceInternalTrafficPolicy{corev1.ServiceInternalTrafficPolicyCluster, corev1.ServiceInternalTrafficPolicyLocal}
	trafficDistribution = []string{
		corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone, corev1.ServiceTrafficDistributionPreferSameNode,
	}
)

// maxAffinitySeconds is a day.
const maxAffinitySeconds = 86400

const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'"

func validateServiceCreate(svc *corev1.Service) field.ErrorList {
	return append(check.Meta(&svc.ObjectMeta, true, validation.NameIsDNSLabel), validateService(svc, nil)...)
}

// validateServiceUpdate validates next against old.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateServiceUpdate
func validateServiceUpdate(svc, before *corev1.Service) field.ErrorList {
	s, was := &svc.Spec, &before.Spec
	errs := check.MetaUpdate(&svc.ObjectMeta, &before.ObjectMeta)
	errs = append(errs, validateClusterIPsUpdate(s, was)...)
	errs = append(errs, validateFamiliesUpdate(s, was)...)
	spec := field.NewPath("spec")
	if s.Type == corev1.ServiceTypeLoadBalancer && was.Type == s.Type && !equality.Semantic.DeepEqual(s.LoadBalancerClass, was.LoadBalancerClass) {
		errs = append(errs, field.Invalid(spec.Child("loadBalancerClass"), s.LoadBalancerClass, onceSet))
	}
	if needsHealthCheckPort(s) && needsHealthCheckPort(was) && s.HealthCheckNodePort != was.HealthCheckNodePort {
		errs = append(errs, field.Forbidden(spec.Child("healthCheckNodePort"), "field is immutable"))
	}
	return append(errs, validateService(svc, before)...)
}

// validateService validates a Service; before is nil for a new one.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateService
func validateService(svc, before *corev1.Service) field.ErrorList {
	s, spec := &svc.Spec, field.NewPath("spec")
	var was *corev1.ServiceSpec
	if before != nil {
		was = &before.Spec
	}
	errs := validateTopologyAnnotations(svc.Annotations)
	errs = append(errs, validateServiceKind(s, spec)...)
	errs = append(errs, validateServicePorts(s, spec.Child("ports"))...)
	errs = append(errs, check.Labels(s.Selector, spec.Child("selector"))...)
	errs = append(errs, validateSessionAffinity(s, spec)...)
	errs = append(errs, validateClusterIPs(s, was)...)
	errs = append(errs, validateExternalIPs(s, was, spec.Child("externalIPs"))...)
	errs = append(errs, check.RequiredEnum(s.Type, serviceTypes, spec.Child("type"))...)
	errs = append(errs, validateDistinctPorts(s, spec.Child("ports"))...)
	errs = append(errs, validateSourceRanges(svc, before)...)
	errs = append(errs, validateLoadBalancer(s, spec)...)
	return append(errs, validateTrafficPolicies(s, spec)...)
}

// validateTopologyAnnotations checks that the two names of the topology annotation agree.
func validateTopologyAnnotations(annotations map[string]string) field.ErrorList {
	hints, both := annotations[corev1.DeprecatedAnnotationTopologyAwareHints]
	mode, has := annotations[corev1.AnnotationTopologyMode]
	if !both || !has || mode == hints {
		return nil
	}
	at := field.NewPath("metadata", "annotations").Key(corev1.AnnotationTopologyMode)
	return field.ErrorList{field.Invalid(at, mode, fmt.Sprintf("must match annotations[%s] when both are specified",
		corev1.DeprecatedAnnotationTopologyAwareHints))}
}

// validateServiceKind checks required and forbidden fields of the Service's type.
func validateServiceKind(s *corev1.ServiceSpec, spec *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.Ports) == 0 && !headless(s) && s.Type != corev1.ServiceTypeExternalName {
		errs = append(errs, field.Required(spec.Child("ports"), ""))
	}
	if usesNodePorts(s) && headless(s) {
		msg := fmt.Sprintf("may not be set to 'None' for %s services", s.Type)
		errs = append(errs, field.Invalid(spec.Child("clusterIPs").Index(0), s.ClusterIPs[0], msg))
	}
	if s.Type != corev1.ServiceTypeExternalName {
		return errs
	}
	const notExternal = "may not be set for ExternalName services"
	if len(s.ClusterIPs) > 0 {
		errs = append(errs, field.Forbidden(spec.Child("clusterIPs"), notExternal))
	}
	if len(s.IPFamilies) > 0 {
		errs = append(errs, field.Forbidden(spec.Child("ipFamilies"), notExternal))
	}
	if s.IPFamilyPolicy != nil {
		errs = append(errs, field.Forbidden(spec.Child("ipFamilyPolicy"), notExternal))
	}
	name := strings.TrimSuffix(s.ExternalName, ".")
	if name == "" {
		return append(errs, field.Required(spec.Child("externalName"), ""))
	}
	return append(errs, check.Invalid(spec.Child("externalName"), name, utilvalidation.IsDNS1123Subdomain(name))...)
}

// validateServicePorts validates each port. If there are several, each must have a name.
func validateServicePorts(s *corev1.ServiceSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := map[string]bool{}
	for i := range s.Ports {
		p, at := &s.Ports[i], path.Index(i)
		switch {
		case p.Name == "" && len(s.Ports) > 1:
			errs = append(errs, field.Required(at.Child("name"), ""))
		case p.Name != "":
			errs = append(errs, check.DNSLabel(p.Name, at.Child("name"))...)
			if names[p.Name] {
				errs = append(errs, field.Duplicate(at.Child("name"), p.Name))
			}
			names[p.Name] = true
		}
		errs = append(errs, check.Invalid(at.Child("port"), p.Port, utilvalidation.IsValidPortNum(int(p.Port)))...)
		errs = append(errs, check.RequiredEnum(p.Protocol, check.PortProtocols, at.Child("protocol"))...)
		errs = append(errs, check.PortNumOrName(p.TargetPort, at.Child("targetPort"))...)
		if p.AppProtocol != nil {
			errs = append(errs, check.QualifiedName(*p.AppProtocol, at.Child("appProtocol"))...)
		}
	}
	return errs
}

// validateDistinctPorts checks that no port and no node port occurs twice for the same protocol.
func validateDistinctPorts(s *corev1.ServiceSpec, path *field.Path) field.ErrorList {
	type endpoint struct {
		protocol corev1.Protocol
		port     int32
	}
	var errs, twice field.ErrorList
	ports, nodePorts := map[endpoint]bool{}, map[endpoint]bool{}
	for i, p := range s.Ports {
		if p.NodePort != 0 && s.Type == corev1.ServiceTypeClusterIP {
			errs = append(errs, field.Forbidden(path.Index(i).Child("nodePort"), "may not be used when `type` is 'ClusterIP'"))
		}
	}
	for i, p := range s.Ports {
		if on := (endpoint{p.Protocol, p.NodePort}); p.NodePort != 0 {
			if nodePorts[on] {
				errs = append(errs, field.Duplicate(path.Index(i).Child("nodePort"), p.NodePort))
			}
			nodePorts[on] = true
		}
		in := endpoint{p.Protocol, p.Port}
		if ports[in] {
			twice = append(twice, field.Duplicate(path.Index(i), check.Untagged(corev1.ServicePort{Protocol: p.Protocol, Port: p.Port})))
		}
		ports[in] = true
	}
	return append(errs, twice...)
}

func validateSessionAffinity(s *corev1.ServiceSpec, spec *field.Path) field.ErrorList {
	errs := check.RequiredEnum(s.SessionAffinity, sessionAffinities, spec.Child("sessionAffinity"))
	config, path := s.SessionAffinityConfig, spec.Child("sessionAffinityConfig")
	switch s.SessionAffinity {
	case corev1.ServiceAffinityNone:
		if config != nil {
			errs = append(errs, field.Forbidden(path, "must not be set when session affinity is None"))
		}
	case corev1.ServiceAffinityClientIP: // defaulting sets the rest
		timeout := *config.ClientIP.TimeoutSeconds
		if timeout <= 0 || timeout > maxAffinitySeconds {
			errs = append(errs, field.Invalid(path.Child("clientIP", "timeoutSeconds"), timeout,
				fmt.Sprintf("must be greater than 0 and less than %d", maxAffinitySeconds)))
		}
	}
	return errs
}

// validateExternalIPs validates external addresses; those of was are always accepted.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateEndpointIP
func validateExternalIPs(s, was *corev1.ServiceSpec, path *field.Path) field.ErrorList {
	var known []string
	if was != nil {
		known = was.ExternalIPs
	}
	var errs field.ErrorList
	for i, ip := range s.ExternalIPs {
		if bad := utilvalidation.IsValidIPForLegacyField(path.Index(i), ip, true, known); len(bad) > 0 {
			errs = append(errs, bad...)
			continue
		}
		errs = append(errs, check.EndpointIP(ip, path.Index(i))...)
	}
	return errs
}

// validateSourceRanges validates the source ranges of a load balancer, in the field or in the older
// annotation.
func validateSourceRanges(svc, before *corev1.Service) field.ErrorList {
	const key = corev1.AnnotationLoadBalancerSourceRangesKey
	var errs field.ErrorList
	balanced := svc.Spec.Type == corev1.ServiceTypeLoadBalancer
	if ranges := svc.Spec.LoadBalancerSourceRanges; len(ranges) > 0 {
		path := field.NewPath("spec", "LoadBalancerSourceRanges")
		if !balanced {
			errs = append(errs, field.Forbidden(path, onlyLoadBalancer))
		}
		var known []string
		if before != nil {
			for _, value := range before.Spec.LoadBalancerSourceRanges {
				known = append(known, strings.TrimSpace(value))
			}
		}
		for i, value := range ranges {
			errs = append(errs, utilvalidation.IsValidCIDRForLegacyField(path.Index(i), strings.TrimSpace(value), true, known)...)
		}
		return errs
	}
	value, has := svc.Annotations[key]
	if !has {
		return nil
	}
	path := field.NewPath("metadata", "annotations").Key(key)
	if !balanced {
		errs = append(errs, field.Forbidden(path, onlyLoadBalancer))
	}
	value = strings.TrimSpace(value)
	if value == "" || before != nil && before.Annotations[key] == svc.Annotations[key] {
		return errs
	}
	for _, cidr := range strings.Split(value, ",") {
		errs = append(errs, utilvalidation.IsValidCIDRForLegacyField(path, strings.TrimSpace(cidr), true, nil)...)
	}
	return errs
}

func validateLoadBalancer(s *corev1.ServiceSpec, spec *field.Path) field.ErrorList {
	if s.Type == corev1.ServiceTypeLoadBalancer {
		if s.LoadBalancerClass == nil {
			return nil
		}
		return check.QualifiedName(*s.LoadBalancerClass, spec.Child("loadBalancerClass"))
	}
	var errs field.ErrorList
	if s.AllocateLoadBalancerNodePorts != nil {
		errs = append(errs, field.Forbidden(spec.Child("allocateLoadBalancerNodePorts"), onlyLoadBalancer))
	}
	if s.LoadBalancerClass != nil {
		errs = append(errs, field.Forbidden(spec.Child("loadBalancerClass"), onlyLoadBalancer))
	}
	return errs
}

// validateTrafficPolicies validates the external and internal traffic policies.
func validateTrafficPolicies(s *corev1.ServiceSpec, spec *field.Path) field.ErrorList {
	var errs field.ErrorList
	if path := spec.Child("externalTrafficPolicy"); externallyAccessible(s) {
		errs = append(errs, check.RequiredEnum(s.ExternalTrafficPolicy, externalPolicies, path)...)
	} else if s.ExternalTrafficPolicy != "" {
		errs = append(errs, field.Invalid(path, s.ExternalTrafficPolicy, "may only be set for externally-accessible services"))
	}
	path := spec.Child("healthCheckNodePort")
	switch port := s.HealthCheckNodePort; {
	case !needsHealthCheckPort(s) && port != 0:
		errs = append(errs, field.Invalid(path, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"))
	case needsHealthCheckPort(s) && port == 0:
		errs = append(errs, field.Required(path, ""))
	case needsHealthCheckPort(s):
		errs = append(errs, check.Invalid(path, port, utilvalidation.IsValidPortNum(int(port)))...)
	}
	if p := s.InternalTrafficPolicy; p != nil && !slices.Contains(internalPolicies, *p) {
		errs = append(errs, field.NotSupported(spec.Child("internalTrafficPolicy"), *p, internalPolicies))
	}
	if d := s.TrafficDistribution; d != nil && !slices.Contains(trafficDistribution, *d) {
		errs = append(errs, field.NotSupported(spec.Child("trafficDistribution"), *d, trafficDistribution))
	}
	return errs
}
