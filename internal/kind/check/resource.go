package check

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Quantity checks that a quantity is not negative and, for countable resources, that it is an
// integer.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuantityValue
func Quantity(name corev1.ResourceName, quantity resource.Quantity, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if quantity.Sign() < 0 {
		errs = append(errs, field.Invalid(path, quantity.String(), validation.IsNegativeErrorMsg))
	}
	if (IsExtendedResource(name) || slices.Contains(countedResources, name)) && quantity.MilliValue()%1000 != 0 {
		errs = append(errs, field.Invalid(path, quantity, "must be an integer"))
	}
	return errs
}

// ContainerResources and the lists below are Kubernetes' own resources, and those of them that are
// countable.
var (
	ContainerResources = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
	countedResources   = []corev1.ResourceName{
		corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices, corev1.ResourceReplicationControllers,
		corev1.ResourceSecrets, corev1.ResourceConfigMaps, corev1.ResourcePersistentVolumeClaims,
		corev1.ResourceServicesNodePorts, corev1.ResourceServicesLoadBalancers,
	}
	standardResources = slices.Concat(ContainerResources, countedResources, []corev1.ResourceName{
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
		corev1.ResourceStorage, corev1.ResourceRequestsStorage,
	})
)

// IsHugePages reports whether a resource is huge pages of some size.
func IsHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// IsNativeResource reports whether a resource is Kubernetes' own: its name has no domain, or one in
// kubernetes.io.
func IsNativeResource(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// IsExtendedResource reports whether a resource is an extended resource, "example.com/gpu".
func IsExtendedResource(name corev1.ResourceName) bool {
	return !IsNativeResource(name) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) &&
		len(utilvalidation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

// ResourceName validates the name of a resource.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceName
func ResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := Invalid(path, name, utilvalidation.IsQualifiedName(string(name))); len(errs) > 0 {
		return errs
	}
	known := slices.Contains(standardResources, name) || IsHugePages(name) ||
		strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
	if strings.Contains(string(name), "/") || known {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name, "must be a standard resource type or fully qualified")}
}

// ContainerResourceName validates the name of a resource in a container's requests or limits.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerResourceName
func ContainerResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	errs := ResourceName(name, path)
	switch {
	case !strings.Contains(string(name), "/"):
		if !slices.Contains(ContainerResources, name) && !IsHugePages(name) {
			errs = append(errs, field.Invalid(path, name, "must be a standard resource for containers"))
		}
	case !IsNativeResource(name) && !IsExtendedResource(name):
		errs = append(errs, field.Invalid(path, name, "doesn't follow extended resource name standard"))
	}
	return errs
}

// quotaResources are the names without a slash that a quota may limit, in addition to huge pages.
//
// Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go, standardQuotaResources
var quotaResources = sets.New(standardResources...).Delete(corev1.ResourceStorage)

// IsQuotaResource reports whether Kubernetes has a name for what a quota limits.
func IsQuotaResource(name corev1.ResourceName) bool {
	return quotaResources.Has(name) || IsHugePages(name) || strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
}
