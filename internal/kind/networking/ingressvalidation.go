package networking

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"github.com/rowlock/rowlock/internal/kind/check"
)

var (
	pathTypes = []networkingv1.PathType{
		networkingv1.PathTypeExact, networkingv1.PathTypeImplementationSpecific, networkingv1.PathTypePrefix,
	}
	// A path that is compared literally must not contain these sequences or end in these suffixes.
	invalidPathSequences = []string{"//", "/./", "/../", "%2f", "%2F"}
	invalidPathSuffixes  = []string{"/..", "/."}
)

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIngressCreate
func validateIngressCreate(in *networkingv1.Ingress) field.ErrorList {
	errs := validateIngressObject(in, nil)
	class, annotated := in.Annotations[ingressClassAnnotation]
	if annotated && in.Spec.IngressClassName != nil && class != *in.Spec.IngressClassName {
		errs = append(errs, field.Invalid(field.NewPath("annotations").Child(ingressClassAnnotation), class,
			"must match `ingressClassName` when both are specified"))
	}
	return errs
}

// ingressLenience says which errors an update may have because they are already stored.
type ingressLenience struct {
	secretNames   bool // names of TLS Secrets
	wildcardRules bool // rules for hosts with a wildcard
}

// validateIngressObject validates an Ingress; was is nil at creation.
//
// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, validateIngress and ValidateIngressUpdate
func validateIngressObject(in, was *networkingv1.Ingress) field.ErrorList {
	var lenience ingressLenience
	if was != nil {
		for _, tls := range was.Spec.TLS {
			lenience.secretNames = lenience.secretNames || len(invalidTLSSecret(tls.SecretName)) > 0
		}
		for i := range was.Spec.Rules {
			r := &was.Spec.Rules[i]
			lenience.wildcardRules = lenience.wildcardRules ||
				strings.Contains(r.Host, "*") && len(validateIngressPaths(r.HTTP, nil)) > 0
		}
	}
	return append(check.NamespacedMeta(&in.ObjectMeta), validateIngressSpec(&in.Spec, lenience, field.NewPath("spec"))...)
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIngressSpec
func validateIngressSpec(s *networkingv1.IngressSpec, lenience ingressLenience, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.Rules) == 0 && s.DefaultBackend == nil {
		errs = append(errs, field.Invalid(path, s.Rules, "either `defaultBackend` or `rules` must be specified"))
	}
	if s.DefaultBackend != nil {
		errs = append(errs, validateIngressBackend(s.DefaultBackend, path.Child("defaultBackend"))...)
	}
	for i := range s.Rules {
		errs = append(errs, validateIngressRule(&s.Rules[i], lenience, path.Child("rules").Index(i))...)
	}
	for i := range s.TLS {
		errs = append(errs, validateIngressTLS(&s.TLS[i], lenience, path.Child("tls").Index(i))...)
	}
	if name := s.IngressClassName; name != nil {
		errs = append(errs, check.Invalid(path.Child("ingressClassName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
	}
	return errs
}

// validateHost validates a host, which may start with a wildcard.
func validateHost(host string, path *field.Path) field.ErrorList {
	if strings.Contains(host, "*") {
		return check.Invalid(path, host, utilvalidation.IsWildcardDNS1123Subdomain(host))
	}
	return check.Invalid(path, host, utilvalidation.IsDNS1123Subdomain(host))
}

func validateIngressTLS(tls *networkingv1.IngressTLS, lenience ingressLenience, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, host := range tls.Hosts {
		errs = append(errs, validateHost(host, path.Child("hosts").Index(i))...)
	}
	if !lenience.secretNames {
		errs = append(errs, check.Invalid(path.Child("secretName"), tls.SecretName, invalidTLSSecret(tls.SecretName))...)
	}
	return errs
}

// invalidTLSSecret returns what is wrong with the name of an optional Secret.
func invalidTLSSecret(name string) []string {
	if name == "" {
		return nil
	}
	return validation.NameIsDNSSubdomain(name, false)
}

func validateIngressRule(r *networkingv1.IngressRule, lenience ingressLenience, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if r.Host != "" {
		if netutils.ParseIPSloppy(r.Host) != nil {
			errs = append(errs, field.Invalid(path.Child("host"), r.Host, "must be a DNS name, not an IP address"))
		}
		errs = append(errs, validateHost(r.Host, path.Child("host"))...)
	}
	if lenience.wildcardRules && strings.Contains(r.Host, "*") {
		return errs
	}
	return append(errs, validateIngressPaths(r.HTTP, path.Child("http"))...)
}

// validateIngressPaths validates the paths of a rule, which may have none.
func validateIngressPaths(http *networkingv1.HTTPIngressRuleValue, path *field.Path) field.ErrorList {
	if http == nil {
		return nil
	}
	var errs field.ErrorList
	at := path.Child("paths")
	if len(http.Paths) == 0 {
		errs = append(errs, field.Required(at, ""))
	}
	for i := range http.Paths {
		errs = append(errs, validateIngressPath(&http.Paths[i], at.Index(i))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, validateHTTPIngressPath
func validateIngressPath(p *networkingv1.HTTPIngressPath, path *field.Path) field.ErrorList {
	if p.PathType == nil {
		return field.ErrorList{field.Required(path.Child("pathType"), "pathType must be specified")}
	}
	var errs field.ErrorList
	at := path.Child("path")
	absolute := strings.HasPrefix(p.Path, "/")
	switch *p.PathType {
	case networkingv1.PathTypeExact, networkingv1.PathTypePrefix:
		if !absolute {
			errs = append(errs, field.Invalid(at, p.Path, "must be an absolute path"))
		}
		for _, sequence := range invalidPathSequences {
			if strings.Contains(p.Path, sequence) {
				errs = append(errs, field.Invalid(at, p.Path, fmt.Sprintf("must not contain '%s'", sequence)))
			}
		}
		for _, suffix := range invalidPathSuffixes {
			if strings.HasSuffix(p.Path, suffix) {
				errs = append(errs, field.Invalid(at, p.Path, fmt.Sprintf("cannot end with '%s'", suffix)))
			}
		}
	case networkingv1.PathTypeImplementationSpecific:
		if p.Path != "" && !absolute {
			errs = append(errs, field.Invalid(at, p.Path, "must be an absolute path"))
		}
	default:
		errs = append(errs, field.NotSupported(path.Child("pathType"), *p.PathType, pathTypes))
	}
	return append(errs, validateIngressBackend(&p.Backend, path.Child("backend"))...)
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, validateIngressBackend
func validateIngressBackend(b *networkingv1.IngressBackend, path *field.Path) field.ErrorList {
	switch {
	case b.Resource != nil && b.Service != nil:
		return field.ErrorList{field.Invalid(path, "", "cannot set both resource and service backends")}
	case b.Resource != nil:
		return validateLocalReference(b.Resource, path.Child("resource"))
	case b.Service == nil:
		return field.ErrorList{field.Invalid(path, "", "resource or service backend is required")}
	}
	var errs field.ErrorList
	at, name := path.Child("service"), b.Service.Name
	if name == "" {
		errs = append(errs, field.Required(at.Child("name"), ""))
	} else {
		errs = append(errs, check.DNSLabel(name, at.Child("name"))...)
	}
	switch port := b.Service.Port; {
	case port.Name != "" && port.Number != 0:
		errs = append(errs, field.Invalid(path, "", "cannot set both port name & port number"))
	case port.Name != "":
		errs = append(errs, check.Invalid(at.Child("port", "name"), port.Name, utilvalidation.IsValidPortName(port.Name))...)
	case port.Number != 0:
		errs = append(errs, check.Invalid(at.Child("port", "number"), port.Number, utilvalidation.IsValidPortNum(int(port.Number)))...)
	default:
		errs = append(errs, field.Required(path, "port name or number is required"))
	}
	return errs
}

// validateLocalReference validates a reference to an object of any kind in the same namespace.
//
// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, validateIngressTypedLocalObjectReference
func validateLocalReference(ref *corev1.TypedLocalObjectReference, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if ref.APIGroup != nil {
		errs = append(errs, check.Invalid(path.Child("apiGroup"), *ref.APIGroup, utilvalidation.IsDNS1123Subdomain(*ref.APIGroup))...)
	}
	errs = append(errs, check.PathSegment(ref.Kind, path.Child("kind"))...)
	return append(errs, check.PathSegment(ref.Name, path.Child("name"))...)
}

// validateIngressStatus validates the addresses in a status. Existing ones are not validated again.
//
// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIngressStatusUpdate
func validateIngressStatus(in, was *networkingv1.Ingress) field.ErrorList {
	errs := check.MetaUpdate(&in.ObjectMeta, &was.ObjectMeta)
	var known []string
	for _, i := range was.Status.LoadBalancer.Ingress {
		if i.IP != "" {
			known = append(known, i.IP)
		}
	}
	path := field.NewPath("status", "loadBalancer", "ingress")
	for i, at := range in.Status.LoadBalancer.Ingress {
		if at.IP != "" {
			errs = append(errs, utilvalidation.IsValidIPForLegacyField(path.Index(i).Child("ip"), at.IP, true, known)...)
		}
		if at.Hostname != "" {
			hostname := path.Index(i).Child("hostname")
			errs = append(errs, check.Invalid(hostname, at.Hostname, utilvalidation.IsDNS1123Subdomain(at.Hostname))...)
			if netutils.ParseIPSloppy(at.Hostname) != nil {
				errs = append(errs, field.Invalid(hostname, at.Hostname, "must be a DNS name, not an IP address"))
			}
		}
	}
	return errs
}
