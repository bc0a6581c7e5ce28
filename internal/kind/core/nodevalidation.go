package core

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// validateNode validates a whole node.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNode
//
// Differs: the alpha annotations for taints and avoided Pods, which nothing uses any more, are not
// validated.
func validateNode(n *corev1.Node) field.ErrorList {
	errs := check.Meta(&n.ObjectMeta, false, apivalidation.NameIsDNSSubdomain)
	if key, detail := outage.Validate(n.Annotations); key != "" {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "annotations").Key(key), n.Annotations[key], detail))
	}
	errs = append(errs, validateTaints(n.Spec.Taints)...)
	errs = append(errs, validateNodeResources(n)...)
	if swap := n.Status.NodeInfo.Swap; swap != nil && swap.Capacity != nil && *swap.Capacity <= 0 {
		path := field.NewPath("metadata", "nodeSwapStatus", "capacity")
		errs = append(errs, field.Invalid(path, *swap.Capacity, "must be greater than zero"))
	}
	errs = append(errs, validateDeclaredFeatures(n.Status.DeclaredFeatures)...)
	return append(errs, validatePodCIDRs(n.Spec.PodCIDRs)...)
}

func validateNodeUpdate(next, old *corev1.Node) field.ErrorList {
	return append(validateNode(next), validateNodeChange(next, old)...)
}

// validateNodeChange validates an update of a node or its status: addresses must differ, and the
// fields that identify the node outside the cluster are immutable once set.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNodeUpdate
func validateNodeChange(next, old object.Object) field.ErrorList {
	n, was := next.(*corev1.Node), old.(*corev1.Node)
	errs := check.MetaUpdate(&n.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateNodeResources(n)...)
	errs = append(errs, validateDeclaredFeatures(n.Status.DeclaredFeatures)...)
	errs = append(errs, validateAddresses(n.Status.Addresses)...)
	errs = append(errs, validatePodCIDRChange(n.Spec.PodCIDRs, was.Spec.PodCIDRs)...)
	if was.Spec.ProviderID != "" && was.Spec.ProviderID != n.Spec.ProviderID {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "providerID"), `node updates may not change providerID except from "" to valid`))
	}
	errs = append(errs, validateTaints(n.Spec.Taints)...)
	if n.Spec.DoNotUseExternalID != was.Spec.DoNotUseExternalID {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "externalID"), "may not be updated"))
	}
	return errs
}

// taintValue prints a taint as upstream's messages do, with Go's field names.
type taintValue struct {
	Key, Value string
	Effect     corev1.TaintEffect
	TimeAdded  *metav1.Time
}

// validateTaints validates each taint, and that no two have the same key and effect. Paths start
// with "metadata", as upstream's do.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateNodeTaints
func validateTaints(taints []corev1.Taint) field.ErrorList {
	type id struct {
		key    string
		effect corev1.TaintEffect
	}
	var errs field.ErrorList
	seen := map[id]bool{}
	for i, t := range taints {
		path := field.NewPath("metadata", "taints").Index(i)
		errs = append(errs, metav1validation.ValidateLabelName(t.Key, path.Child("key"))...)
		if msgs := validation.IsValidLabelValue(t.Value); len(msgs) > 0 {
			errs = append(errs, field.Invalid(path.Child("value"), t.Value, strings.Join(msgs, ";")))
		}
		errs = append(errs, check.RequiredEnum(t.Effect, podspec.TaintEffects, path.Child("effect"))...)
		if seen[id{t.Key, t.Effect}] {
			twice := field.Duplicate(path, taintValue(t))
			twice.Detail = "taints must be unique by key and effect pair"
			errs = append(errs, twice)
		}
		seen[id{t.Key, t.Effect}] = true
	}
	return errs
}

// validateNodeResources validates capacity and allocatable, each in order of resource names.
func validateNodeResources(n *corev1.Node) field.ErrorList {
	var errs field.ErrorList
	for _, part := range []struct {
		name string
		list corev1.ResourceList
	}{{"capacity", n.Status.Capacity}, {"allocatable", n.Status.Allocatable}} {
		for _, name := range slices.Sorted(maps.Keys(part.list)) {
			path := field.NewPath("status", part.name, string(name))
			errs = append(errs, check.Quantity(name, part.list[name], path)...)
		}
	}
	return errs
}

// featureName matches a name in status.declaredFeatures: "MyFeature/mySubFeature".
var featureName = regexp.MustCompile(`^[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*$`)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateNodeDeclaredFeatures
func validateDeclaredFeatures(names []string) field.ErrorList {
	path := field.NewPath("status", "declaredFeatures")
	var errs field.ErrorList
	for i, name := range names {
		if len(name) > validation.DNS1123SubdomainMaxLength {
			errs = append(errs, field.Invalid(path.Index(i), name, fmt.Sprintf(
				"invalid feature name %q: must be no more than %d characters",
				name, validation.DNS1123SubdomainMaxLength,
			)))
		} else if !featureName.MatchString(name) {
			errs = append(errs, field.Invalid(path.Index(i), name, fmt.Sprintf("invalid feature name %q: "+
				"must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., "+
				"MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes", name)))
		}
		switch {
		case i+1 == len(names) || name < names[i+1]:
		case name == names[i+1]:
			errs = append(errs, field.Duplicate(path.Index(i+1), name))
		default:
			errs = append(errs, field.Invalid(path.Index(i+1), names[i+1], "list must be sorted alphabetically"))
		}
	}
	return errs
}

// validateAddresses checks that no address occurs twice with the same type.
func validateAddresses(addresses []corev1.NodeAddress) field.ErrorList {
	var errs field.ErrorList
	seen := map[corev1.NodeAddress]bool{}
	for i, a := range addresses {
		if seen[a] {
			value := struct {
				Type    corev1.NodeAddressType
				Address string
			}(a) // printed with Go's field names, as upstream does
			errs = append(errs, field.Duplicate(field.NewPath("status", "addresses").Index(i), value))
		}
		seen[a] = true
	}
	return errs
}

// validatePodCIDRs checks that the ranges are well-formed: one, or one for each IP family.
func validatePodCIDRs(cidrs []string) field.ErrorList {
	path := field.NewPath("spec", "podCIDRs")
	var errs field.ErrorList
	for i, cidr := range cidrs {
		errs = append(errs, validation.IsValidCIDRForLegacyField(path.Index(i), cidr, true, nil)...)
	}
	if len(cidrs) < 2 {
		return errs
	}
	both, err := netutils.IsDualStackCIDRStrings(cidrs)
	if err != nil {
		errs = append(errs, field.InternalError(path, fmt.Errorf("invalid PodCIDRs. failed to check with dual stack with error:%w", err)))
	}
	if !both || len(cidrs) > 2 {
		errs = append(errs, field.Invalid(path, cidrs, "may specify no more than one CIDR for each IP family"))
	}
	return errs
}

// validatePodCIDRChange checks that a node's ranges do not change once set.
func validatePodCIDRChange(next, old []string) field.ErrorList {
	if len(old) == 0 {
		return nil
	}
	forbidden := field.Forbidden(field.NewPath("spec", "podCIDRs"), `node updates may not change podCIDR except from "" to valid`)
	if len(next) != len(old) {
		return field.ErrorList{forbidden}
	}
	var errs field.ErrorList
	for i := range old {
		if next[i] != old[i] {
			errs = append(errs, forbidden)
		}
	}
	return errs
}
