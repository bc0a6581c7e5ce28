package podspec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// resourceNameValidator checks that a resource is allowed in a field.
type resourceNameValidator func(name corev1.ResourceName, path *field.Path) field.ErrorList

// ValidateResources validates limits and requests, in the order of their names, and the claims.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceRequirements
func ValidateResources(r *corev1.ResourceRequirements, validateName resourceNameValidator, ctx *Context, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	limits, requests := path.Child("limits"), path.Child("requests")
	hugePages, cpuOrMemory := false, false
	for _, list := range []struct {
		quantities corev1.ResourceList
		path       *field.Path
	}{{r.Limits, limits}, {r.Requests, requests}} {
		for _, name := range slices.Sorted(maps.Keys(list.quantities)) {
			quantity, at := list.quantities[name], list.path.Key(string(name))
			errs = append(errs, validateName(name, at)...)
			errs = append(errs, check.Quantity(name, quantity, at)...)
			if list.path == requests {
				errs = append(errs, validateRequest(name, quantity, r.Limits, path)...)
			}
			if check.IsHugePages(name) {
				hugePages = true
				errs = append(errs, validateHugePages(name, quantity, at)...)
			}
			cpuOrMemory = cpuOrMemory || name == corev1.ResourceCPU || name == corev1.ResourceMemory
		}
	}
	if hugePages && !cpuOrMemory {
		errs = append(errs, field.Forbidden(path, "HugePages require cpu or memory"))
	}
	return append(errs, validateClaimsUsed(r.Claims, ctx, path.Child("claims"))...)
}

// validateRequest validates a request against its limit. For huge pages and extended resources,
// which cannot be overcommitted, they must be equal.
func validateRequest(name corev1.ResourceName, request resource.Quantity, limits corev1.ResourceList, path *field.Path) field.ErrorList {
	at := path.Child("requests")
	overcommit := check.IsNativeResource(name) && !check.IsHugePages(name)
	limit, limited := limits[name]
	var want string
	switch {
	case !limited && !overcommit:
		return field.ErrorList{field.Required(path.Child("limits"), "Limit must be set for non overcommitable resources")}
	case limited && !overcommit && request.Cmp(limit) != 0:
		want = "must be equal to"
	case limited && request.Cmp(limit) > 0:
		want = "must be less than or equal to"
	default:
		return nil
	}
	return field.ErrorList{field.Invalid(at, request.String(), fmt.Sprintf("%s %s limit of %s", want, name, limit.String()))}
}

// validateHugePages checks that a quantity is a whole number of pages.
func validateHugePages(name corev1.ResourceName, quantity resource.Quantity, path *field.Path) field.ErrorList {
	size, err := resource.ParseQuantity(strings.TrimPrefix(string(name), corev1.ResourceHugePagesPrefix))
	if err == nil && (size.Sign() <= 0 || size.MilliValue()%1000 != 0 || quantity.Value()%size.Value() != 0) {
		err = errors.New("not divisible")
	}
	if err == nil {
		return nil
	}
	msg := fmt.Sprintf("%s is not positive integer multiple of %s", quantity.String(), name)
	return field.ErrorList{field.Invalid(path, quantity.String(), msg)}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResourceName
func validatePodResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := check.ResourceName(name, path); len(errs) > 0 {
		return errs
	}
	if resourcehelper.IsSupportedPodLevelResource(name) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, name, sets.List(resourcehelper.SupportedPodLevelResources()))}
}

var (
	resizeResources = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}
	resizePolicies  = []corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer}
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResizePolicy
func validateResizePolicy(policies []corev1.ContainerResizePolicy, restart corev1.RestartPolicy, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[corev1.ResourceName]()
	for i, p := range policies {
		if seen.Has(p.ResourceName) {
			errs = append(errs, field.Duplicate(path.Index(i), p.ResourceName))
		}
		seen.Insert(p.ResourceName)
		errs = append(errs, check.RequiredEnum(p.ResourceName, resizeResources, path)...)
		errs = append(errs, check.RequiredEnum(p.RestartPolicy, resizePolicies, path)...)
		if restart == corev1.RestartPolicyNever && p.RestartPolicy != corev1.NotRequired {
			errs = append(errs, field.Invalid(path, p.RestartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
		}
	}
	return errs
}
