package discovery

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// EndpointSlice is discovery.k8s.io/v1 EndpointSlice: some of a Service's endpoints.
//
// Source: kubernetes v1.36 pkg/registry/discovery/endpointslice/strategy.go
var EndpointSlice = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice", Plural: "endpointslices", Namespaced: true,
		New: func() object.Object { return &discoveryv1.EndpointSlice{} },
	},
	Singular: "endpointslice",
	NewList:  func() runtime.Object { return &discoveryv1.EndpointSliceList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "AddressType", Type: "string", Description: discoveryv1.EndpointSlice{}.SwaggerDoc()["addressType"]},
		{Name: "Ports", Type: "string", Description: discoveryv1.EndpointSlice{}.SwaggerDoc()["ports"]},
		{Name: "Endpoints", Type: "string", Description: discoveryv1.EndpointSlice{}.SwaggerDoc()["endpoints"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*discoveryv1.EndpointSlice]{
	Default: func(o *discoveryv1.EndpointSlice) {
		ports := o.Ports
		for i := range ports {
			kind.SetDefault(&ports[i].Name, "")
			kind.SetDefault(&ports[i].Protocol, corev1.ProtocolTCP)
		}
	},
	PrepareCreate: func(o *discoveryv1.EndpointSlice) {
		o.SetGeneration(1)
		dropTopology(o)
	},
	PrepareUpdate: prepareEndpointSliceUpdate,
	Validate: func(o *discoveryv1.EndpointSlice) field.ErrorList {
		return validateEndpointSlice(o, nil)
	},
	ValidateUpdate: func(s, was *discoveryv1.EndpointSlice) field.ErrorList {
		errs := append(check.MetaUpdate(&s.ObjectMeta, &was.ObjectMeta), validateEndpointSlice(s, was)...)
		return append(errs, validation.ValidateImmutableField(s.AddressType, was.AddressType, field.NewPath("addressType"))...)
	},
	Warnings: warnOfEndpointSlice,
	Row: func(s *discoveryv1.EndpointSlice, now time.Time) []any {
		return []any{s.Name, string(s.AddressType), slicePortsCell(s.Ports), sliceEndpointsCell(s.Endpoints), kind.Age(s.CreationTimestamp, now)}
	},
})

// warnOfEndpointSlice warns about a deprecated address type, at creation, and about addresses in
// non-canonical form, unless a controller wrote them.
func warnOfEndpointSlice(s, old *discoveryv1.EndpointSlice) []string {
	var texts []string
	if old == nil && s.AddressType == discoveryv1.AddressTypeFQDN {
		texts = append(texts, "spec.addressType: FQDN endpoints are deprecated")
	}
	switch s.Labels[discoveryv1.LabelManagedBy] {
	case "endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io":
		return texts
	}
	for i := range s.Endpoints {
		for j, address := range s.Endpoints[i].Addresses {
			if netutils.ParseIPSloppy(address) != nil { // an FQDN may look like an address
				at := field.NewPath("endpoints").Index(i).Child("addresses").Index(j)
				texts = append(texts, utilvalidation.GetWarningsForIP(at, address)...)
			}
		}
	}
	return texts
}

// dropTopology removes a field that this version of the kind no longer has.
func dropTopology(s *discoveryv1.EndpointSlice) {
	for i := range s.Endpoints {
		s.Endpoints[i].DeprecatedTopology = nil
	}
}

// prepareEndpointSliceUpdate increments the generation if labels or anything except the metadata
// change.
func prepareEndpointSliceUpdate(s, was *discoveryv1.EndpointSlice) {
	s.Generation = was.Generation
	if s.AddressType != was.AddressType || !equality.Semantic.DeepEqual(s.Endpoints, was.Endpoints) ||
		!equality.Semantic.DeepEqual(s.Ports, was.Ports) || !equality.Semantic.DeepEqual(s.Labels, was.Labels) {
		s.Generation++
	}
	if !equality.Semantic.DeepEqual(s.Endpoints, was.Endpoints) {
		dropTopology(s)
	}
}

// Limits of an EndpointSlice.
const (
	maxSliceEndpoints = 1000
	maxSliceAddresses = 100
	maxSlicePorts     = 20000
	maxSliceTopology  = 16
	maxHints          = 8
)

var addressTypes = []discoveryv1.AddressType{discoveryv1.AddressTypeFQDN, discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// validateEndpointSlice validates a slice; was is nil at creation. Unchanged endpoints are not
// validated again.
//
// Source: kubernetes v1.36 pkg/apis/discovery/validation/validation.go, ValidateEndpointSlice
func validateEndpointSlice(s, was *discoveryv1.EndpointSlice) field.ErrorList {
	errs := check.NamespacedMeta(&s.ObjectMeta)
	errs = append(errs, check.RequiredEnum(s.AddressType, addressTypes, field.NewPath("addressType"))...)
	errs = append(errs, validateSlicePorts(s.Ports, field.NewPath("ports"))...)
	path := field.NewPath("endpoints")
	if len(s.Endpoints) > maxSliceEndpoints {
		return append(errs, field.TooMany(path, len(s.Endpoints), maxSliceEndpoints))
	}
	var wrong field.ErrorList
	for i := range s.Endpoints {
		wrong = append(wrong, validateSliceEndpoint(&s.Endpoints[i], s.AddressType, path.Index(i))...)
	}
	if len(wrong) > 0 && was != nil && equality.Semantic.DeepEqual(s.Endpoints, was.Endpoints) {
		return errs
	}
	return append(errs, wrong...)
}

func validateSlicePorts(ports []discoveryv1.EndpointPort, path *field.Path) field.ErrorList {
	if len(ports) > maxSlicePorts {
		return field.ErrorList{field.TooMany(path, len(ports), maxSlicePorts)}
	}
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, p := range ports {
		at := path.Index(i)
		if *p.Name != "" {
			errs = append(errs, check.DNSLabel(*p.Name, at.Child("name"))...)
		}
		if seen[*p.Name] {
			errs = append(errs, field.Duplicate(at.Child("name"), *p.Name))
		}
		seen[*p.Name] = true
		if !slices.Contains(check.PortProtocols, *p.Protocol) {
			errs = append(errs, field.NotSupported(at.Child("protocol"), *p.Protocol, check.PortProtocols))
		}
		if p.AppProtocol != nil {
			errs = append(errs, check.QualifiedName(*p.AppProtocol, at.Child("appProtocol"))...)
		}
	}
	return errs
}

func validateSliceEndpoint(e *discoveryv1.Endpoint, t discoveryv1.AddressType, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	addresses := path.Child("addresses")
	switch n := len(e.Addresses); {
	case n == 0:
		errs = append(errs, field.Required(addresses, "must contain at least 1 address"))
	case n > maxSliceAddresses:
		errs = append(errs, field.TooMany(addresses, n, maxSliceAddresses))
	}
	for i, address := range e.Addresses {
		errs = append(errs, validateSliceAddress(address, t, addresses, addresses.Index(i))...)
	}
	if e.NodeName != nil {
		errs = append(errs, check.Invalid(path.Child("nodeName"), *e.NodeName, validation.NameIsDNSSubdomain(*e.NodeName, false))...)
	}
	if n := len(e.DeprecatedTopology); n > maxSliceTopology {
		errs = append(errs, field.TooMany(path.Child("deprecatedTopology"), n, maxSliceTopology))
	}
	errs = append(errs, metavalidation.ValidateLabels(e.DeprecatedTopology, path.Child("deprecatedTopology"))...)
	if e.Hostname != nil {
		errs = append(errs, check.DNSLabel(*e.Hostname, path.Child("hostname"))...)
	}
	if e.Hints != nil {
		errs = append(errs, validateHints(e.Hints, path.Child("hints"))...)
	}
	return errs
}

// validateSliceAddress validates an address of an endpoint. All its addresses have one type.
func validateSliceAddress(address string, t discoveryv1.AddressType, all, path *field.Path) field.ErrorList {
	if t == discoveryv1.AddressTypeFQDN {
		return utilvalidation.IsFullyQualifiedDomainName(path, address)
	}
	family, is := "IPv4", netip.Addr.Is4
	errs := utilvalidation.IsValidIPForLegacyField(path, address, true, nil)
	switch t {
	case discoveryv1.AddressTypeIPv4:
	case discoveryv1.AddressTypeIPv6:
		family, is, errs = "IPv6", netip.Addr.Is6, utilvalidation.IsValidIP(path, address)
	default:
		return nil
	}
	if len(errs) > 0 {
		return errs
	}
	if ip, err := netip.ParseAddr(address); err == nil && !is(ip) {
		errs = append(errs, field.Invalid(all, address, "must be an "+family+" address"))
	}
	return append(errs, check.EndpointIP(address, path)...)
}

func validateHints(h *discoveryv1.EndpointHints, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	judge := func(names []string, path *field.Path, valid func(string) []string) {
		if len(names) > maxHints {
			errs = append(errs, field.TooMany(path, len(names), maxHints))
			return
		}
		for i, name := range names {
			at := path.Index(i).Child("name")
			if slices.Contains(names[:i], name) {
				errs = append(errs, field.Duplicate(at, name))
			}
			errs = append(errs, check.Invalid(at, name, valid(name))...)
		}
	}
	var zones, nodes []string
	for _, z := range h.ForZones {
		zones = append(zones, z.Name)
	}
	for _, n := range h.ForNodes {
		nodes = append(nodes, n.Name)
	}
	judge(zones, path.Child("forZones"), utilvalidation.IsValidLabelValue)
	judge(nodes, path.Child("forNodes"), func(name string) []string { return validation.NameIsDNSSubdomain(name, false) })
	return errs
}

// slicePortsCell prints up to three ports, by number or else by name.
func slicePortsCell(ports []discoveryv1.EndpointPort) string {
	var list []string
	for _, p := range ports {
		cell := "*"
		if p.Port != nil {
			cell = strconv.Itoa(int(*p.Port))
		} else if p.Name != nil {
			cell = *p.Name
		}
		list = append(list, cell)
	}
	return firstThree(list)
}

func sliceEndpointsCell(endpoints []discoveryv1.Endpoint) string {
	var list []string
	for _, e := range endpoints {
		list = append(list, e.Addresses...)
	}
	return firstThree(list)
}

// firstThree prints up to three items of a list, and the number of further ones.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, listWithMoreString
func firstThree(list []string) string {
	switch n := len(list); {
	case n == 0:
		return "<unset>"
	case n > 3:
		return fmt.Sprintf("%s + %d more...", strings.Join(list[:3], ","), n-3)
	}
	return strings.Join(list, ",")
}
