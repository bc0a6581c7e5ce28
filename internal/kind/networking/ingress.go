package networking

import (
	"fmt"
	"strings"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
)

// Ingress is networking.k8s.io/v1 Ingress: the hosts and paths under which Services are reachable
// from outside.
//
// Source: kubernetes v1.36 pkg/registry/networking/ingress/strategy.go
var Ingress = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "networking.k8s.io", Version: "v1", Kind: "Ingress", Plural: "ingresses", Namespaced: true,
		New: func() object.Object { return &networkingv1.Ingress{} },
	},
	Singular:   "ingress",
	ShortNames: []string{"ing"},
	NewList:    func() runtime.Object { return &networkingv1.IngressList{} },

	Admission: []kind.Plugin{{
		Name: "DefaultIngressClass", Waits: true,
		Mutate: func(o object.Object, c kind.Cluster) error { classify(o.(*networkingv1.Ingress), c); return nil },
	}},

	Status: kind.Through(kind.Write[*networkingv1.Ingress]{
		Prepare: func(next, old *networkingv1.Ingress) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateIngressStatus,
		Warnings: func(next, _ *networkingv1.Ingress) []string {
			var texts []string
			path := field.NewPath("status", "loadBalancer", "ingress")
			for i, in := range next.Status.LoadBalancer.Ingress {
				if in.IP != "" {
					texts = append(texts, utilvalidation.GetWarningsForIP(path.Index(i), in.IP)...)
				}
			}
			return texts
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Class", Type: "string", Description: "The name of the IngressClass resource that should be used for additional configuration"},
		{Name: "Hosts", Type: "string", Description: "Hosts that incoming requests are matched against before the ingress rule"},
		{Name: "Address", Type: "string", Description: "Address is a list containing ingress points for the load-balancer"},
		{Name: "Ports", Type: "string", Description: "Ports of TLS configurations that open"},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*networkingv1.Ingress]{
	Default: func(*networkingv1.Ingress) {},
	PrepareCreate: func(o *networkingv1.Ingress) {
		o.Status = networkingv1.IngressStatus{}
		o.SetGeneration(1)
	},
	PrepareUpdate: func(in, was *networkingv1.Ingress) {
		in.Status = *was.Status.DeepCopy()
		if !equality.Semantic.DeepEqual(in.Spec, was.Spec) {
			in.Generation = was.Generation + 1
		}
	},
	Validate: validateIngressCreate,
	ValidateUpdate: func(in, was *networkingv1.Ingress) field.ErrorList {
		return append(check.MetaUpdate(&in.ObjectMeta, &was.ObjectMeta), validateIngressObject(in, was)...)
	},
	Warnings: func(in, old *networkingv1.Ingress) []string {
		if _, annotated := in.Annotations[ingressClassAnnotation]; old != nil || !annotated || in.Spec.IngressClassName != nil {
			return nil
		}
		return []string{fmt.Sprintf("annotation %q is deprecated, please use 'spec.ingressClassName' instead", ingressClassAnnotation)}
	},
	Row: ingressRow,
})

// classify sets the default class of a new Ingress without one; the newest if several are marked as
// default.
//
// Source: kubernetes v1.36 plugin/pkg/admission/network/defaultingressclass/admission.go, Admit
func classify(in *networkingv1.Ingress, c kind.Cluster) {
	if _, annotated := in.Annotations[ingressClassAnnotation]; annotated || in.Spec.IngressClassName != nil {
		return
	}
	var class *networkingv1.IngressClass
	c.Each("ingressclasses.networking.k8s.io", "", func(v *object.Version) bool {
		ic, ok := v.Object().(*networkingv1.IngressClass)
		if ok && isDefaultIngressClass(ic) && (class == nil || ic.CreationTimestamp.After(class.CreationTimestamp.Time)) {
			class = ic // among equally old ones the first by name, because Each iterates by name
		}
		return true
	})
	if class != nil {
		in.Spec.IngressClassName = new(class.Name)
	}
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printIngress
func ingressRow(o *networkingv1.Ingress, now time.Time) []any {
	in, class, ports := o, "<none>", "80"
	if in.Spec.IngressClassName != nil {
		class = *in.Spec.IngressClassName
	}
	if len(in.Spec.TLS) > 0 {
		ports = "80, 443"
	}
	return []any{
		in.Name, class, hostsCell(in.Spec.Rules), ingressAddressCell(in.Status.LoadBalancer.Ingress), ports, kind.Age(in.CreationTimestamp, now),
	}
}

// hostsCell prints up to three hosts, and the number of further rules.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, formatHosts
func hostsCell(rules []networkingv1.IngressRule) string {
	const most = 3
	var hosts []string
	more := false
	for _, r := range rules {
		more = more || len(hosts) == most
		if !more && r.Host != "" {
			hosts = append(hosts, r.Host)
		}
	}
	switch {
	case len(hosts) == 0:
		return "*"
	case more:
		return fmt.Sprintf("%s + %d more...", strings.Join(hosts, ","), len(rules)-most)
	}
	return strings.Join(hosts, ",")
}

// ingressAddressCell prints addresses like a Service's.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, ingressLoadBalancerStatusStringer
func ingressAddressCell(ingress []networkingv1.IngressLoadBalancerIngress) string {
	return service.AddressCell(ingress, func(i networkingv1.IngressLoadBalancerIngress) (ip, hostname string) { return i.IP, i.Hostname })
}
