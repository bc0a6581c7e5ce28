package networking

import (
	"net/netip"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// NetworkPolicy is networking.k8s.io/v1 NetworkPolicy: the connections that Pods may have. The
// kubelet enforces it.
//
// Source: kubernetes v1.36 pkg/registry/networking/networkpolicy/strategy.go
var NetworkPolicy = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy", Plural: "networkpolicies", Namespaced: true,
		New: func() object.Object { return &networkingv1.NetworkPolicy{} },
	},
	Singular:   "networkpolicy",
	ShortNames: []string{"netpol"},
	NewList:    func() runtime.Object { return &networkingv1.NetworkPolicyList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Pod-Selector", Type: "string", Description: networkingv1.NetworkPolicySpec{}.SwaggerDoc()["podSelector"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*networkingv1.NetworkPolicy]{
	Default:       defaultNetworkPolicy,
	PrepareCreate: func(o *networkingv1.NetworkPolicy) { o.SetGeneration(1) },
	PrepareUpdate: func(next, old *networkingv1.NetworkPolicy) {
		if !equality.Semantic.DeepEqual(next.Spec, old.Spec) {
			next.SetGeneration(old.GetGeneration() + 1)
		}
	},
	Validate: func(np *networkingv1.NetworkPolicy) field.ErrorList {
		return append(check.NamespacedMeta(&np.ObjectMeta), validateNetworkPolicySpec(&np.Spec, policyLenience{}, field.NewPath("spec"))...)
	},
	ValidateUpdate: func(np, was *networkingv1.NetworkPolicy) field.ErrorList {
		errs := check.MetaUpdate(&np.ObjectMeta, &was.ObjectMeta)
		return append(errs, validateNetworkPolicySpec(&np.Spec, lenienceOf(&was.Spec), field.NewPath("spec"))...)
	},
	Warnings: warnOfNetworkPolicy,
	Row: func(np *networkingv1.NetworkPolicy, now time.Time) []any {
		return []any{np.Name, metav1.FormatLabelSelector(&np.Spec.PodSelector), kind.Age(np.CreationTimestamp, now)}
	},
})

// defaultNetworkPolicy sets the policy types: Ingress, and also Egress if there are egress rules.
//
// Source: kubernetes v1.36 pkg/apis/networking/v1/defaults.go
func defaultNetworkPolicy(o *networkingv1.NetworkPolicy) {
	s := &o.Spec
	for _, in := range s.Ingress {
		defaultPolicyPorts(in.Ports)
	}
	for _, out := range s.Egress {
		defaultPolicyPorts(out.Ports)
	}
	if len(s.PolicyTypes) > 0 {
		return
	}
	s.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
	if len(s.Egress) > 0 {
		s.PolicyTypes = append(s.PolicyTypes, networkingv1.PolicyTypeEgress)
	}
}

func defaultPolicyPorts(ports []networkingv1.NetworkPolicyPort) {
	for i := range ports {
		kind.SetDefault(&ports[i].Protocol, corev1.ProtocolTCP)
	}
}

var policyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}

// policyLenience says which errors an update may have because they are already stored.
type policyLenience struct {
	selectors metav1validation.LabelSelectorValidationOptions
	cidrs     []string
}

// lenienceOf returns the errors to tolerate because a stored spec has them.
//
// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidationOptionsForNetworking and ValidateNetworkPolicyUpdate
func lenienceOf(was *networkingv1.NetworkPolicySpec) policyLenience {
	var l policyLenience
	wrong := metav1validation.ValidateLabelSelector(&was.PodSelector, metav1validation.LabelSelectorValidationOptions{}, nil)
	l.selectors.AllowInvalidLabelValueInSelector = len(wrong) > 0
	eachIPBlock(was, func(b *networkingv1.IPBlock, _ *field.Path) { l.cidrs = append(append(l.cidrs, b.CIDR), b.Except...) })
	return l
}

// eachIPBlock calls f with every IP block and its path.
func eachIPBlock(s *networkingv1.NetworkPolicySpec, f func(*networkingv1.IPBlock, *field.Path)) {
	each := func(peers []networkingv1.NetworkPolicyPeer, path *field.Path) {
		for i := range peers {
			if b := peers[i].IPBlock; b != nil {
				f(b, path.Index(i).Child("ipBlock"))
			}
		}
	}
	path := field.NewPath("spec")
	for i := range s.Ingress {
		each(s.Ingress[i].From, path.Child("ingress").Index(i).Child("from"))
	}
	for i := range s.Egress {
		each(s.Egress[i].To, path.Child("egress").Index(i).Child("to"))
	}
}

// warnOfNetworkPolicy warns about CIDRs in non-canonical form.
//
// Source: kubernetes v1.36 pkg/registry/networking/networkpolicy/strategy.go, networkPolicyWarnings
func warnOfNetworkPolicy(next, _ *networkingv1.NetworkPolicy) []string {
	var texts []string
	eachIPBlock(&next.Spec, func(b *networkingv1.IPBlock, path *field.Path) {
		texts = append(texts, utilvalidation.GetWarningsForCIDR(path.Child("cidr"), b.CIDR)...)
		for i, except := range b.Except {
			texts = append(texts, utilvalidation.GetWarningsForCIDR(path.Child("except").Index(i), except)...)
		}
	})
	return texts
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateNetworkPolicySpec
func validateNetworkPolicySpec(s *networkingv1.NetworkPolicySpec, l policyLenience, path *field.Path) field.ErrorList {
	errs := metav1validation.ValidateLabelSelector(&s.PodSelector, l.selectors, path.Child("podSelector"))
	for i, in := range s.Ingress {
		at := path.Child("ingress").Index(i)
		errs = append(errs, validatePolicyRule(in.Ports, in.From, l, at, at.Child("from"))...)
	}
	for i, out := range s.Egress {
		at := path.Child("egress").Index(i)
		errs = append(errs, validatePolicyRule(out.Ports, out.To, l, at, at.Child("to"))...)
	}
	if len(s.PolicyTypes) > len(policyTypes) {
		return append(errs, field.Invalid(path.Child("policyTypes"), s.PolicyTypes, "may not specify more than two policyTypes"))
	}
	for i, t := range s.PolicyTypes {
		if !slices.Contains(policyTypes, t) {
			errs = append(errs, field.NotSupported(path.Child("policyTypes").Index(i), t, policyTypes))
		}
	}
	return errs
}

// validatePolicyRule validates one rule, whose peers are at the path peers.
func validatePolicyRule(
	ports []networkingv1.NetworkPolicyPort, who []networkingv1.NetworkPolicyPeer, l policyLenience,
	path, peers *field.Path,
) field.ErrorList {
	var errs field.ErrorList
	for i := range ports {
		errs = append(errs, validatePolicyPort(&ports[i], path.Child("ports").Index(i))...)
	}
	for i := range who {
		errs = append(errs, validatePolicyPeer(&who[i], l, peers.Index(i))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateNetworkPolicyPort
func validatePolicyPort(p *networkingv1.NetworkPolicyPort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Protocol != nil && !slices.Contains(check.PortProtocols, *p.Protocol) {
		// Not sorted, unlike elsewhere.
		errs = append(errs, field.NotSupported(path.Child("protocol"), *p.Protocol,
			[]corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP}))
	}
	end := path.Child("endPort")
	switch {
	case p.Port == nil:
		if p.EndPort != nil {
			errs = append(errs, field.Invalid(end, *p.EndPort, "may not be specified when `port` is not specified"))
		}
	case p.Port.Type == intstr.Int:
		errs = append(errs, check.Invalid(path.Child("port"), p.Port.IntVal, utilvalidation.IsValidPortNum(int(p.Port.IntVal)))...)
		if p.EndPort == nil {
			break
		}
		if *p.EndPort < p.Port.IntVal {
			errs = append(errs, field.Invalid(end, p.Port.IntVal, "must be greater than or equal to `port`"))
		}
		errs = append(errs, check.Invalid(end, *p.EndPort, utilvalidation.IsValidPortNum(int(*p.EndPort)))...)
	default:
		if p.EndPort != nil {
			errs = append(errs, field.Invalid(end, *p.EndPort, "may not be specified when `port` is non-numeric"))
		}
		errs = append(errs, check.Invalid(path.Child("port"), p.Port.StrVal, utilvalidation.IsValidPortName(p.Port.StrVal))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateNetworkPolicyPeer
func validatePolicyPeer(p *networkingv1.NetworkPolicyPeer, l policyLenience, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.PodSelector != nil {
		errs = append(errs, metav1validation.ValidateLabelSelector(p.PodSelector, l.selectors, path.Child("podSelector"))...)
	}
	if p.NamespaceSelector != nil {
		errs = append(errs, metav1validation.ValidateLabelSelector(p.NamespaceSelector, l.selectors, path.Child("namespaceSelector"))...)
	}
	if p.IPBlock != nil {
		errs = append(errs, validateIPBlock(p.IPBlock, l, path.Child("ipBlock"))...)
	}
	switch selects := p.PodSelector != nil || p.NamespaceSelector != nil; {
	case !selects && p.IPBlock == nil:
		errs = append(errs, field.Required(path, "must specify a peer"))
	case selects && p.IPBlock != nil:
		errs = append(errs, field.Forbidden(path, "may not specify both ipBlock and another peer"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIPBlock
func validateIPBlock(b *networkingv1.IPBlock, l policyLenience, path *field.Path) field.ErrorList {
	if b.CIDR == "" {
		return field.ErrorList{field.Required(path.Child("cidr"), "")}
	}
	errs := utilvalidation.IsValidCIDRForLegacyField(path.Child("cidr"), b.CIDR, true, l.cidrs)
	whole, ok := prefixOf(b.CIDR)
	if !ok {
		return errs // they report it
	}
	for i, text := range b.Except {
		at := path.Child("except").Index(i)
		errs = append(errs, utilvalidation.IsValidCIDRForLegacyField(at, text, true, l.cidrs)...)
		part, ok := prefixOf(text)
		if ok && (!whole.Contains(part.Addr()) || part.Bits() <= whole.Bits()) {
			errs = append(errs, field.Invalid(at, text, "must be a strict subset of `cidr`"))
		}
	}
	return errs
}

// prefixOf parses a CIDR as leniently as old versions of the kind do.
func prefixOf(cidr string) (netip.Prefix, bool) {
	_, network, err := netutils.ParseCIDRSloppy(cidr)
	if err != nil {
		return netip.Prefix{}, false
	}
	addr, ok := netip.AddrFromSlice(network.IP)
	bits, _ := network.Mask.Size()
	return netip.PrefixFrom(addr, bits), ok
}
