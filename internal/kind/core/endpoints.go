package core

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// Endpoints is core/v1 Endpoints: all endpoints of the Service of the same name.
//
// Source: kubernetes v1.36 pkg/registry/core/endpoint/strategy.go
var Endpoints = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Endpoints", Plural: "endpoints", Namespaced: true,
		New: func() object.Object { return &corev1.Endpoints{} },
	},
	Singular:   "endpoints",
	ShortNames: []string{"ep"},
	NewList:    func() runtime.Object { return &corev1.EndpointsList{} },

	Deprecated: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Endpoints", Type: "string", Description: corev1.Endpoints{}.SwaggerDoc()["subsets"]},
		kind.AgeColumn,
	},
	UpdateCreates:       true,
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.Endpoints]{
	Default: func(o *corev1.Endpoints) {
		for _, subset := range o.Subsets {
			for i := range subset.Ports {
				if subset.Ports[i].Protocol == "" {
					subset.Ports[i].Protocol = corev1.ProtocolTCP
				}
			}
		}
	},
	Validate: func(o *corev1.Endpoints) field.ErrorList { return validateEndpoints(o, nil) },
	ValidateUpdate: func(e, was *corev1.Endpoints) field.ErrorList {
		return append(check.MetaUpdate(&e.ObjectMeta, &was.ObjectMeta), validateEndpoints(e, was)...)
	},
	Warnings: func(next, _ *corev1.Endpoints) []string { return endpointsWarnings(next) },
	Row: func(e *corev1.Endpoints, now time.Time) []any {
		return []any{e.Name, endpointsCell(e), kind.Age(e.CreationTimestamp, now)}
	},
})

// validateEndpoints validates Endpoints; was is nil at creation. Unchanged subsets are not
// validated again.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateEndpoints
func validateEndpoints(e, was *corev1.Endpoints) field.ErrorList {
	errs := check.NamespacedMeta(&e.ObjectMeta)
	var wrong field.ErrorList
	for i := range e.Subsets {
		wrong = append(wrong, validateSubset(&e.Subsets[i], field.NewPath("subsets").Index(i))...)
	}
	if len(wrong) > 0 && was != nil && equality.Semantic.DeepEqual(e.Subsets, was.Subsets) {
		return errs
	}
	return append(errs, wrong...)
}

func validateSubset(s *corev1.EndpointSubset, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.Addresses) == 0 && len(s.NotReadyAddresses) == 0 {
		errs = append(errs, field.Required(path, "must specify `addresses` or `notReadyAddresses`"))
	}
	for i := range s.Addresses {
		errs = append(errs, validateEndpointAddress(&s.Addresses[i], path.Child("addresses").Index(i))...)
	}
	for i := range s.NotReadyAddresses {
		errs = append(errs, validateEndpointAddress(&s.NotReadyAddresses[i], path.Child("notReadyAddresses").Index(i))...)
	}
	for i := range s.Ports {
		p, at := &s.Ports[i], path.Child("ports").Index(i)
		switch {
		case p.Name != "":
			errs = append(errs, check.DNSLabel(p.Name, at.Child("name"))...)
		case len(s.Ports) > 1:
			errs = append(errs, field.Required(at.Child("name"), ""))
		}
		errs = append(errs, check.Invalid(at.Child("port"), p.Port, utilvalidation.IsValidPortNum(int(p.Port)))...)
		errs = append(errs, check.RequiredEnum(p.Protocol, check.PortProtocols, at.Child("protocol"))...)
		if p.AppProtocol != nil {
			errs = append(errs, check.QualifiedName(*p.AppProtocol, at.Child("appProtocol"))...)
		}
	}
	return errs
}

func validateEndpointAddress(a *corev1.EndpointAddress, path *field.Path) field.ErrorList {
	errs := utilvalidation.IsValidIPForLegacyField(path.Child("ip"), a.IP, true, nil)
	if a.Hostname != "" {
		errs = append(errs, check.DNSLabel(a.Hostname, path.Child("hostname"))...)
	}
	if a.NodeName != nil {
		errs = append(errs, check.Invalid(path.Child("nodeName"), *a.NodeName, validation.NameIsDNSSubdomain(*a.NodeName, false))...)
	}
	return append(errs, check.EndpointIP(a.IP, path.Child("ip"))...)
}

// endpointsWarnings warns about addresses in non-canonical form, unless the Endpoints controller
// wrote them.
//
// Source: kubernetes v1.36 pkg/registry/core/endpoint/strategy.go, endpointsWarnings
func endpointsWarnings(e *corev1.Endpoints) (texts []string) {
	if e.Labels["endpoints.kubernetes.io/managed-by"] == "endpoint-controller" {
		return nil
	}
	warn := func(path *field.Path, all []corev1.EndpointAddress) {
		for i := range all {
			texts = append(texts, utilvalidation.GetWarningsForIP(path.Index(i).Child("ip"), all[i].IP)...)
		}
	}
	for i := range e.Subsets {
		path := field.NewPath("subsets").Index(i)
		warn(path.Child("addresses"), e.Subsets[i].Addresses)
		warn(path.Child("notReadyAddresses"), e.Subsets[i].NotReadyAddresses)
	}
	return texts
}

// endpointsCell prints up to three ready addresses with their ports, and the number of further
// ones.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, formatEndpoints
func endpointsCell(e *corev1.Endpoints) string {
	if len(e.Subsets) == 0 {
		return "<none>"
	}
	var list []string
	for _, s := range e.Subsets {
		for _, a := range s.Addresses {
			if len(s.Ports) == 0 {
				list = append(list, a.IP)
			}
		}
		for _, p := range s.Ports {
			for _, a := range s.Addresses {
				list = append(list, net.JoinHostPort(a.IP, strconv.Itoa(int(p.Port))))
			}
		}
	}
	if n := len(list); n > 3 {
		return fmt.Sprintf("%s + %d more...", strings.Join(list[:3], ","), n-3)
	}
	return strings.Join(list, ",")
}
