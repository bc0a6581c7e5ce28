package podspec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// maxClaimsListed limits how many claims an error lists.
const maxClaimsListed = 64

// claimNames returns the names of the claims that containers may use, and a text that lists them
// for errors.
//
// Differs: upstream lists all of them in every error. With thousands of both, that is gigabytes.
func claimNames(claims []corev1.PodResourceClaim) (names sets.Set[string], notice string) {
	names = sets.New[string]()
	for _, c := range claims {
		if c.Name != "" {
			names.Insert(c.Name)
		}
	}
	notice = "must be one of the names in pod.spec.resourceClaims"
	if len(names) == 0 {
		return names, notice + " which is empty"
	}
	listed := sets.List(names)
	return names, notice + ": " + strings.Join(listed[:min(len(listed), maxClaimsListed)], ", ")
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResourceClaim
func validatePodResourceClaims(claims []corev1.PodResourceClaim, meta *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, c := range claims {
		at := path.Index(i)
		if meta != nil && IsMirrorPod(meta.Annotations) {
			errs = append(errs, field.Forbidden(field.NewPath(""), "static pods do not support resource claims"))
			continue
		}
		switch {
		case c.Name == "":
			errs = append(errs, field.Required(at.Child("name"), ""))
		case seen.Has(c.Name):
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		default:
			errs = append(errs, check.DNSLabel(c.Name, at.Child("name"))...)
			seen.Insert(c.Name)
		}
		switch {
		case c.ResourceClaimName != nil && c.ResourceClaimTemplateName != nil:
			errs = append(errs, field.Invalid(at, check.Untagged(c), "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"))
		case c.ResourceClaimName == nil && c.ResourceClaimTemplateName == nil:
			errs = append(errs, field.Invalid(at, check.Untagged(c), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"))
		}
		if name := c.ResourceClaimName; name != nil {
			errs = append(errs, check.Invalid(at.Child("resourceClaimName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
		}
		if name := c.ResourceClaimTemplateName; name != nil {
			errs = append(errs, check.Invalid(at.Child("resourceClaimTemplateName"), *name, validation.NameIsDNSSubdomain(*name, false))...)
		}
	}
	return errs
}

// validateClaimsUsed validates a container's uses of the Pod's claims: each claim once, or each
// request of a claim once.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceClaimNames
//
// Differs: using a whole claim after n of its requests is reported once, not n times, because that
// would be quadratic for a hostile list.
func validateClaimsUsed(claims []corev1.ResourceClaim, ctx *Context, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	whole, requests, inPart := sets.New[string](), sets.New[string](), sets.New[string]()
	for i, c := range claims {
		at := path.Index(i)
		if c.Name == "" {
			errs = append(errs, field.Required(at, ""))
			continue
		}
		key := c.Name + "/" + c.Request
		switch {
		case whole.Has(c.Name):
			errs = append(errs, field.Duplicate(at, c.Name))
		case c.Request == "":
			if inPart.Has(c.Name) {
				errs = append(errs, field.Duplicate(at, c.Name))
			}
			whole.Insert(c.Name)
		default:
			errs = append(errs, check.DNSLabel(c.Request, at.Child("request"))...)
			if requests.Has(key) {
				errs = append(errs, field.Duplicate(at, key))
			}
			requests.Insert(key)
			inPart.Insert(c.Name)
		}
		if !ctx.claims.Has(c.Name) {
			missing := field.NotFound(at, c.Name)
			missing.Detail = ctx.claimsNotice
			errs = append(errs, missing)
		}
	}
	return errs
}

// validatePodResources validates the Pod-level resources, also against those of the containers.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResources
func validatePodResources(s *corev1.PodSpec, ctx *Context, path *field.Path) field.ErrorList {
	switch {
	case s.Resources == nil:
		return nil
	case isWindows(s):
		return field.ErrorList{field.Forbidden(path, "may not be set for a windows pod")}
	}
	var errs field.ErrorList
	if s.Resources.Claims != nil {
		errs = append(errs, field.Forbidden(path.Child("claims"), "claims may not be set for Resources at pod-level"))
	}
	errs = append(errs, ValidateResources(s.Resources, validatePodResourceName, ctx, path)...)
	return append(errs, validateContainersWithin(s, path)...)
}

// validateContainersWithin checks that the sum of the containers' requests, the sum of their huge
// pages, and each container's limits stay within the Pod's.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResourceConsistency
func validateContainersWithin(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	pod := &corev1.Pod{Spec: *s}
	exceeds := func(at *field.Path, list, within corev1.ResourceList, what string, judged func(corev1.ResourceName) bool) {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			sum := list[name]
			if bound, has := within[name]; has && judged(name) && sum.Cmp(bound) > 0 {
				msg := fmt.Sprintf("must be greater than or equal to aggregate container %s of %s", what, sum.String())
				errs = append(errs, field.Invalid(at.Key(string(name)), bound.String(), msg))
			}
		}
	}
	requests := resourcehelper.AggregateContainerRequests(pod, resourcehelper.PodResourcesOptions{})
	all := func(corev1.ResourceName) bool { return true }
	exceeds(path.Child("requests"), requests, s.Resources.Requests, "requests", all)
	limits := resourcehelper.AggregateContainerLimits(pod, resourcehelper.PodResourcesOptions{})
	exceeds(path.Child("limits"), limits, s.Resources.Limits, "limits", check.IsHugePages)

	for i, c := range s.Containers {
		for _, name := range slices.Sorted(maps.Keys(c.Resources.Limits)) {
			limit := c.Resources.Limits[name]
			if bound, has := s.Resources.Limits[name]; has && limit.Cmp(bound) > 0 {
				at := path.Child("containers").Index(i).Key(string(name)).Child("limits")
				msg := fmt.Sprintf("must be less than or equal to pod limits of %s", bound.String())
				errs = append(errs, field.Invalid(at, limit.String(), msg))
			}
		}
	}
	return errs
}
