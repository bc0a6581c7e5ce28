package pod

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// validateClaimStatuses validates the ResourceClaims in a Pod's status.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResourceClaimStatuses
func validateClaimStatuses(statuses []corev1.PodResourceClaimStatus, claims []corev1.PodResourceClaim, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	known, seen := sets.New[string](), sets.New[string]()
	for _, c := range claims {
		known.Insert(c.Name)
	}
	for i, s := range statuses {
		at := path.Index(i)
		if !known.Has(s.Name) {
			errs = append(errs, field.Invalid(at.Child("name"), s.Name, "must match the name of an entry in `spec.resourceClaims`"))
		}
		if seen.Has(s.Name) {
			errs = append(errs, field.Duplicate(at.Child("name"), s.Name))
		}
		seen.Insert(s.Name)
		if name := s.ResourceClaimName; name != nil {
			errs = append(errs, check.Invalid(at.Child("resourceClaimName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
		}
	}
	return errs
}

// validateExtendedClaim validates the ResourceClaim that provides a Pod's extended resources.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodExtendedResourceClaimStatus
func validateExtendedClaim(status *corev1.PodExtendedResourceClaimStatus, s *corev1.PodSpec, path *field.Path) field.ErrorList {
	if status == nil {
		return nil
	}
	requests := map[string]corev1.ResourceList{}
	for _, c := range slices.Concat(s.InitContainers, s.Containers) {
		requests[c.Name] = c.Resources.Requests
	}
	var errs field.ErrorList
	if len(status.RequestMappings) == 0 {
		errs = append(errs, field.Required(path.Child("requestMappings"), "at least one request mapping is required"))
	}
	seen := sets.New[corev1.ContainerExtendedResourceRequest]()
	for i, m := range status.RequestMappings {
		at := path.Child("requestMappings").Index(i)
		if asked, known := requests[m.ContainerName]; !known {
			errs = append(errs, field.Invalid(at.Child("containerName"), m.ContainerName,
				"must match the name of an entry in spec.initContainers.name or spec.containers.name"))
		} else if _, has := asked[corev1.ResourceName(m.ResourceName)]; !has {
			errs = append(errs, field.Invalid(at.Child("resourceName"), m.ResourceName,
				"must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests"))
		}
		errs = append(errs, check.DNSLabel(m.RequestName, path.Child("requestName"))...)
		if seen.Has(m) {
			errs = append(errs, field.Duplicate(at.Child("containerName"), m.ContainerName), field.Duplicate(at.Child("resourceName"), m.ResourceName),
				field.Duplicate(at.Child("requestName"), m.RequestName))
		}
		seen.Insert(m)
	}
	if status.ResourceClaimName == "" {
		return append(errs, field.Required(path.Child("resourceClaimName"), ""))
	}
	return append(errs,
		check.Invalid(path.Child("resourceClaimName"), status.ResourceClaimName,
			validation.NameIsDNSSubdomain(status.ResourceClaimName, false))...)
}

// validateContainerUsers validates the users in container statuses.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerStatusUsers
func validateContainerUsers(statuses []corev1.ContainerStatus, os *corev1.PodOS, path *field.Path) field.ErrorList {
	name := corev1.Linux
	if os != nil {
		name = os.Name
	}
	var errs field.ErrorList
	for i, c := range statuses {
		if c.User == nil || c.User.Linux == nil {
			continue
		}
		at, user := path.Index(i).Child("user", "linux"), c.User.Linux
		switch name {
		case corev1.Windows:
			errs = append(errs, field.Forbidden(at, "cannot be set for a windows pod"))
		case corev1.Linux:
			errs = append(errs, check.Invalid(at.Child("uid"), user.UID, utilvalidation.IsValidUserID(user.UID))...)
			errs = append(errs, check.Invalid(at.Child("gid"), user.GID, utilvalidation.IsValidGroupID(user.GID))...)
			for j, group := range user.SupplementalGroups {
				errs = append(errs, check.Invalid(at.Child("supplementalGroups").Index(j), group, utilvalidation.IsValidGroupID(group))...)
			}
		}
	}
	return errs
}

// validateNoDevices checks that no ephemeral container has devices.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerStatusNoAllocatedResourcesStatus
func validateNoDevices(statuses []corev1.ContainerStatus, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range statuses {
		if len(c.AllocatedResourcesStatus) > 0 {
			errs = append(errs, field.Forbidden(path.Index(i).Child("allocatedResourcesStatus"), "must not be specified in container status"))
		}
	}
	return errs
}

// validateDeviceStatuses validates the health of containers' devices.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerStatusAllocatedResourcesStatus
func validateDeviceStatuses(statuses []corev1.ContainerStatus, containers []corev1.Container, path *field.Path) field.ErrorList {
	byName := make(map[string]*corev1.Container, len(containers))
	for i := range containers {
		if name := containers[i].Name; byName[name] == nil {
			byName[name] = &containers[i]
		}
	}
	var errs field.ErrorList
	for i, c := range statuses {
		for j, r := range c.AllocatedResourcesStatus {
			at := path.Index(i).Child("allocatedResourcesStatus").Index(j)
			if spec := byName[c.Name]; spec != nil {
				errs = append(errs, validateDeviceName(r.Name, &spec.Resources, at.Child("name"))...)
			}
			errs = append(errs, validateDeviceHealth(r.Resources, at.Child("resources"))...)
		}
	}
	return errs
}

func validateDeviceName(name corev1.ResourceName, asked *corev1.ResourceRequirements, path *field.Path) field.ErrorList {
	claim, claimed := strings.CutPrefix(string(name), "claim:")
	if !claimed {
		if _, has := asked.Requests[name]; has {
			return nil
		}
		return field.ErrorList{field.Invalid(path, name, "must match one of the container's resource requests")}
	}
	for _, c := range asked.Claims {
		if c.Request == "" && c.Name == claim || c.Request != "" && c.Name+"/"+c.Request == claim {
			return nil
		}
	}
	return field.ErrorList{field.Invalid(path, name,
		"must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty")}
}

var healths = []corev1.ResourceHealthStatus{corev1.ResourceHealthStatusHealthy, corev1.ResourceHealthStatusUnhealthy, corev1.ResourceHealthStatusUnknown}

func validateDeviceHealth(devices []corev1.ResourceHealth, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[corev1.ResourceID]()
	for i, d := range devices {
		at := path.Index(i)
		if !slices.Contains(healths, d.Health) {
			errs = append(errs, field.NotSupported(at.Child("health"), d.Health, healths))
		}
		if d.Message != nil && *d.Message == "" {
			errs = append(errs, field.Required(at.Child("message"), "must be non-empty if specified"))
		} else if d.Message != nil && len(*d.Message) > corev1.ResourceHealthMessageMaxLength {
			errs = append(errs, field.TooLong(at.Child("message"), *d.Message, corev1.ResourceHealthMessageMaxLength))
		}
		if seen.Has(d.ResourceID) {
			errs = append(errs, field.Duplicate(at.Child("resourceID"), d.ResourceID))
		}
		seen.Insert(d.ResourceID)
	}
	return errs
}
