package networking

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
)

// ServiceCIDR is networking.k8s.io/v1 ServiceCIDR: a range for the addresses of Services.
//
// Source: kubernetes v1.36 pkg/registry/networking/servicecidr/strategy.go
var ServiceCIDR = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "networking.k8s.io", Version: "v1", Kind: "ServiceCIDR", Plural: "servicecidrs",
		New: func() object.Object { return &networkingv1.ServiceCIDR{} },
	},
	Singular: "servicecidr",
	NewList:  func() runtime.Object { return &networkingv1.ServiceCIDRList{} },

	Status: kind.Through(kind.Write[*networkingv1.ServiceCIDR]{
		Prepare: func(next, old *networkingv1.ServiceCIDR) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: func(next, old *networkingv1.ServiceCIDR) field.ErrorList {
			return check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta)
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "CIDRs", Type: "string", Description: networkingv1.ServiceCIDRSpec{}.SwaggerDoc()["cidrs"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*networkingv1.ServiceCIDR]{
	Default: func(*networkingv1.ServiceCIDR) {},
	PrepareCreate: func(o *networkingv1.ServiceCIDR) {
		o.Status = networkingv1.ServiceCIDRStatus{}
	},
	PrepareUpdate: func(next, old *networkingv1.ServiceCIDR) {
		next.Status = *old.Status.DeepCopy()
	},
	Validate: func(c *networkingv1.ServiceCIDR) field.ErrorList {
		return append(check.Meta(&c.ObjectMeta, false, validation.NameIsDNSSubdomain), validateCIDRs(c.Spec)...)
	},
	ValidateUpdate: validateServiceCIDRUpdate,
	Row: func(c *networkingv1.ServiceCIDR, now time.Time) []any {
		return []any{c.Name, strings.Join(c.Spec.CIDRs, ","), kind.Age(c.CreationTimestamp, now)}
	},
})

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, validateServiceCIDRSpec
func validateCIDRs(spec networkingv1.ServiceCIDRSpec) field.ErrorList {
	path, cidrs := field.NewPath("spec", "cidrs"), spec.CIDRs
	switch n := len(cidrs); {
	case n == 0:
		return field.ErrorList{field.Required(path, "at least one CIDR required")}
	case n > 2:
		return field.ErrorList{field.Invalid(path, check.Untagged(&spec), "may only hold up to 2 values")}
	}
	var errs field.ErrorList
	for i, cidr := range cidrs {
		errs = append(errs, utilvalidation.IsValidCIDR(path.Index(i), cidr)...)
	}
	if len(cidrs) == 2 {
		family := netutils.IPFamilyOfCIDRString(cidrs[0])
		if family != netutils.IPFamilyUnknown && family == netutils.IPFamilyOfCIDRString(cidrs[1]) {
			errs = append(errs, field.Invalid(path, cidrs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"))
		}
	}
	return errs
}

// validateServiceCIDRUpdate allows adding a range of the other family, and no other change.
//
// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateServiceCIDRUpdate
func validateServiceCIDRUpdate(c, was *networkingv1.ServiceCIDR) field.ErrorList {
	errs, path := check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta), field.NewPath("spec", "cidrs")
	added := len(was.Spec.CIDRs) == 1 && len(c.Spec.CIDRs) == 2
	if len(was.Spec.CIDRs) != len(c.Spec.CIDRs) && !added {
		return append(errs, field.Invalid(path, c.Spec.CIDRs, validation.FieldImmutableErrorMsg))
	}
	for i, cidr := range was.Spec.CIDRs {
		if c.Spec.CIDRs[i] != cidr {
			errs = append(errs, field.Invalid(path.Index(i), c.Spec.CIDRs[i], validation.FieldImmutableErrorMsg))
		}
	}
	if added {
		errs = append(errs, validateCIDRs(c.Spec)...)
	}
	return errs
}

// ServiceRanges returns the current ranges for the addresses of Services: those of ServiceCIDRs
// that are ready and not being deleted, the default one's first. Only IPv4 is supported. A cluster
// without any ServiceCIDR has the default range.
//
// Cost: the ServiceCIDRs.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/cidrallocator.go, syncAllocators
func ServiceRanges(c kind.Cluster) []netip.Prefix {
	some, ranges := false, []netip.Prefix{} // not nil, because nil means the default range
	c.Each(ServiceCIDR.Resource(), "", func(v *object.Version) bool {
		some = true
		sc := v.Object().(*networkingv1.ServiceCIDR)
		if sc.DeletionTimestamp != nil || !meta.IsStatusConditionTrue(sc.Status.Conditions, networkingv1.ServiceCIDRConditionReady) {
			return true
		}
		for _, text := range sc.Spec.CIDRs {
			switch prefix, err := netip.ParsePrefix(text); {
			case err != nil || !prefix.Addr().Is4() || slices.Contains(ranges, prefix):
			case sc.Name == service.DefaultCIDRName:
				ranges = slices.Insert(ranges, 0, prefix)
			default:
				ranges = append(ranges, prefix)
			}
		}
		return true
	})
	if !some {
		return []netip.Prefix{service.DefaultRange}
	}
	return ranges
}
