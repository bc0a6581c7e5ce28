package kind

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	resourcehelper "k8s.io/component-helpers/resource"
)

// resourceNameValidator judges whether a resource may be named where it is.
type resourceNameValidator func(name corev1.ResourceName, path *field.Path) field.ErrorList

// validateResources judges limits and requests, in the order of their names, and the claims.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceRequirements
func validateResources(r *corev1.ResourceRequirements, validateName resourceNameValidator, ctx *podContext, path *field.Path) field.ErrorList {
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
			errs = append(errs, validateQuantity(name, quantity, at)...)
			if list.path == requests {
				errs = append(errs, validateRequest(name, quantity, r.Limits, path)...)
			}
			if isHugePages(name) {
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

// validateRequest judges a request against its limit. Huge pages and extended resources cannot be overcommitted, so
// that theirs must be equal.
func validateRequest(name corev1.ResourceName, request resource.Quantity, limits corev1.ResourceList, path *field.Path) field.ErrorList {
	at := path.Child("requests")
	overcommit := isNativeResource(name) && !isHugePages(name)
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

// validateQuantity judges that a quantity is not negative and, for things that are counted, whole.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuantityValue
func validateQuantity(name corev1.ResourceName, quantity resource.Quantity, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if quantity.Sign() < 0 {
		errs = append(errs, field.Invalid(path, quantity.String(), validation.IsNegativeErrorMsg))
	}
	if (isExtendedResource(name) || slices.Contains(countedResources, name)) && quantity.MilliValue()%1000 != 0 {
		errs = append(errs, field.Invalid(path, quantity, "must be an integer"))
	}
	return errs
}

// validateHugePages judges that a quantity is a number of whole pages.
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

// The resources that have a name of Kubernetes' own, and those of them that are counted.
var (
	containerResources = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
	countedResources   = []corev1.ResourceName{
		corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices, corev1.ResourceReplicationControllers,
		corev1.ResourceSecrets, corev1.ResourceConfigMaps, corev1.ResourcePersistentVolumeClaims,
		corev1.ResourceServicesNodePorts, corev1.ResourceServicesLoadBalancers,
	}
	standardResources = slices.Concat(containerResources, countedResources, []corev1.ResourceName{
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
		corev1.ResourceStorage, corev1.ResourceRequestsStorage,
	})
)

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// isNativeResource says whether a resource is Kubernetes' own: without a domain, or in one of kubernetes.io.
func isNativeResource(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// isExtendedResource says whether a resource is somebody else's, "example.com/gpu".
func isExtendedResource(name corev1.ResourceName) bool {
	return !isNativeResource(name) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) &&
		len(utilvalidation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceName
func validateResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := invalid(path, name, utilvalidation.IsQualifiedName(string(name))); len(errs) > 0 {
		return errs
	}
	known := slices.Contains(standardResources, name) || isHugePages(name) ||
		strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
	if strings.Contains(string(name), "/") || known {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name, "must be a standard resource type or fully qualified")}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerResourceName
func validateContainerResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	errs := validateResourceName(name, path)
	switch {
	case !strings.Contains(string(name), "/"):
		if !slices.Contains(containerResources, name) && !isHugePages(name) {
			errs = append(errs, field.Invalid(path, name, "must be a standard resource for containers"))
		}
	case !isNativeResource(name) && !isExtendedResource(name):
		errs = append(errs, field.Invalid(path, name, "doesn't follow extended resource name standard"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResourceName
func validatePodResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := validateResourceName(name, path); len(errs) > 0 {
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
		errs = append(errs, validateRequiredEnum(p.ResourceName, resizeResources, path)...)
		errs = append(errs, validateRequiredEnum(p.RestartPolicy, resizePolicies, path)...)
		if restart == corev1.RestartPolicyNever && p.RestartPolicy != corev1.NotRequired {
			errs = append(errs, field.Invalid(path, p.RestartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
		}
	}
	return errs
}
