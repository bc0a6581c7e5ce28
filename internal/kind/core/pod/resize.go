package pod

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/limitrange"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// podResize is the subresource that changes the resources of a Pod and its containers while they
// run.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, podResizeStrategy; plugin/pkg/admission/limitranger/admission.go,
// SupportsAttributes; pkg/quota/v1/evaluator/core/pods.go, Handles
var podResize = &kind.Subresource{
	Prepare: func(next, old object.Object) { prepareResize(next.(*corev1.Pod), old.(*corev1.Pod)) },
	Validate: func(next, old object.Object) field.ErrorList {
		return validateResize(next.(*corev1.Pod), old.(*corev1.Pod))
	},
	Admission: []kind.Plugin{
		{
			Name: "LimitRanger", Waits: true,
			Mutate: onPod(func(p *corev1.Pod, c kind.Cluster) error {
				if p.DeletionTimestamp != nil {
					return nil
				}
				return limitrange.Each(c, p.Namespace, func(r *corev1.LimitRange) error { limitrange.Apply(p, r); return nil })
			}),
			ValidateUpdate: func(next, old object.Object, c kind.Cluster) error {
				if old.GetDeletionTimestamp() != nil {
					return nil
				}
				return limitrange.Deny(next, c)
			},
		},
		{
			Name: "ResourceQuota", Waits: true,
			ValidateUpdate: func(next, _ object.Object, c kind.Cluster) error { return denyByQuota(next.(*corev1.Pod), c) },
		},
	},
}

// prepareResize resets all fields to those of the old Pod, in place, except the Pod's resources and
// its containers' resources and resize policies. Validation rejects an update that adds, removes or
// reorders containers.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, dropNonResizeUpdates
func prepareResize(next, old *corev1.Pod) {
	if len(next.Spec.Containers) == len(old.Spec.Containers) && len(next.Spec.InitContainers) == len(old.Spec.InitContainers) {
		was := old.DeepCopy()
		whole := next.Spec.Resources
		containers := withResourcesOf(was.Spec.Containers, next.Spec.Containers)
		initContainers := withResourcesOf(was.Spec.InitContainers, next.Spec.InitContainers)
		next.Spec, next.Status = was.Spec, was.Status
		next.Spec.Resources, next.Spec.Containers, next.Spec.InitContainers = whole, containers, initContainers
		keepMeta(&next.ObjectMeta, &was.ObjectMeta)
	}
	podspec.DropDisabledFields(&next.Spec)
	raiseGeneration(next, old)
}

// withResourcesOf returns the old containers, modified in place, with the resources and resize
// policies of next; it returns next if the names differ.
func withResourcesOf(old, next []corev1.Container) []corev1.Container {
	for i := range next {
		if next[i].Name != old[i].Name {
			return next
		}
		old[i].Resources, old[i].ResizePolicy = next[i].Resources, next[i].ResizePolicy
	}
	return old
}

const onlyComputeResources = "only cpu and memory resources are mutable"

// validateResize checks that only requests and limits of cpu and memory change, that none is
// removed, and that the QoS class stays the same.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodResize
func validateResize(next, old *corev1.Pod) field.ErrorList {
	switch {
	case podspec.IsMirrorPod(old.Annotations):
		return field.ErrorList{field.Forbidden(field.NewPath(""), "static pods cannot be resized")}
	case old.Spec.OS != nil && old.Spec.OS.Name == corev1.Windows:
		return field.ErrorList{field.Forbidden(field.NewPath(""), "windows pods cannot be resized")}
	}
	errs := check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta)
	errs = append(errs, validatePod(next)...)
	if qosOf(old) != qosClass(&next.Spec) {
		errs = append(errs, field.Invalid(specPath, next.Status.QOSClass, "Pod QOS Class may not change as a result of resizing"))
	}
	if !resizesInPlace(old) {
		errs = append(errs, field.Forbidden(specPath, "Pod running on node without support for resize"))
	}
	rest := next.Spec.DeepCopy()
	if hasPodResources(old) || hasPodResources(next) {
		errs = append(errs, validatePodResourcesResize(rest, &next.Spec, &old.Spec)...)
	}
	if len(old.Status.NodeAllocatableResourceClaimStatuses) > 0 {
		errs = append(errs, field.Forbidden(specPath, "pods with node allocatable resource claims cannot be resized"))
	}
	if order := validateResizeOrder(&next.Spec, &old.Spec); len(order) > 0 {
		return append(errs, order...)
	}
	for i := range old.Spec.InitContainers {
		errs = append(errs, validateNoneRemoved(&next.Spec.InitContainers[i].Resources, &old.Spec.InitContainers[i].Resources,
			specPath.Child("initContainers").Index(i).Child("resources"))...)
	}
	for i := range old.Spec.Containers {
		errs = append(errs, validateNoneRemoved(&next.Spec.Containers[i].Resources, &old.Spec.Containers[i].Resources,
			specPath.Child("containers").Index(i).Child("resources"))...)
	}
	for i := range rest.Containers {
		c, was := &rest.Containers[i], &old.Spec.Containers[i]
		c.Resources = withCompute(&c.Resources, &was.Resources)
		if !equality.Semantic.DeepEqual(c, was) {
			errs = append(errs, field.Forbidden(specPath, onlyComputeResources))
		}
	}
	for i := range rest.InitContainers {
		errs = append(errs, validateInitResize(&rest.InitContainers[i], &old.Spec.InitContainers[i], specPath.Child("initContainers").Index(i))...)
	}
	if len(errs) == 0 && !equality.Semantic.DeepEqual(rest, &old.Spec) {
		errs = append(errs, field.Forbidden(specPath, onlyComputeResources))
	}
	return errs
}

// validateInitResize validates an init container, and resets its cpu and memory, in place.
func validateInitResize(c, old *corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	changes := !equality.Semantic.DeepEqual(c, old)
	c.Resources = withCompute(&c.Resources, &old.Resources)
	if !equality.Semantic.DeepEqual(c, old) {
		errs = append(errs, field.Forbidden(path, "only cpu and memory resources for init or sidecar containers are mutable"))
	}
	if !changes || podspec.IsSidecar(c) {
		return errs
	}
	for _, p := range c.ResizePolicy {
		if p.RestartPolicy == corev1.RestartContainer {
			errs = append(errs, field.Forbidden(path, "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"))
		}
	}
	return errs
}

// validatePodResourcesResize validates the Pod-level resources, and resets cpu and memory in rest,
// in place.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodLevelResourcesResize and
// dropCPUMemoryResourceRequirementsUpdates
func validatePodResourcesResize(rest, next, old *corev1.PodSpec) field.ErrorList {
	var errs field.ErrorList
	at := specPath.Child("resources")
	was := old.Resources
	switch {
	case was != nil && next.Resources == nil:
		return field.ErrorList{field.Forbidden(at, "pod-level resources cannot be removed")}
	case was != nil:
		if removesAny(next.Resources.Requests, was.Requests) {
			errs = append(errs, field.Forbidden(at.Child("requests"), "pod-level resource requests cannot be removed"))
		}
		if removesAny(next.Resources.Limits, was.Limits) {
			errs = append(errs, field.Forbidden(at.Child("limits"), "pod-level resource limits cannot be removed"))
		}
	default:
		was = &corev1.ResourceRequirements{}
	}
	if r := rest.Resources; r != nil {
		r.Requests, r.Limits = withComputeOf(r.Requests, was.Requests), withComputeOf(r.Limits, was.Limits)
		if old.Resources == nil && len(r.Requests)+len(r.Limits)+len(r.Claims) == 0 {
			rest.Resources = nil
		}
	}
	if !equality.Semantic.DeepEqual(rest.Resources, old.Resources) {
		errs = append(errs, field.Forbidden(specPath, "only cpu and memory resources are mutable at pod-level"))
	}
	return errs
}

func hasPodResources(p *corev1.Pod) bool {
	r := p.Spec.Resources
	return r != nil && len(r.Requests)+len(r.Limits) > 0
}

// resizesInPlace reports whether the Pod's node reports the resources of containers, as all nodes
// do that can resize them.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, isPodResizeRequestSupported
func resizesInPlace(p *corev1.Pod) bool {
	for i := range p.Status.ContainerStatuses {
		if st := &p.Status.ContainerStatuses[i]; st.State.Running != nil {
			return st.Resources != nil
		}
	}
	return true
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResizeContainerOrdering
func validateResizeOrder(next, old *corev1.PodSpec) field.ErrorList {
	var errs field.ErrorList
	for _, set := range []struct {
		name      string
		next, old []corev1.Container
	}{
		{"containers", next.Containers, old.Containers},
		{"initContainers", next.InitContainers, old.InitContainers},
	} {
		at := specPath.Child(set.name)
		if len(set.next) != len(set.old) {
			errs = append(errs, field.Forbidden(at, set.name+" may not be added or removed on resize"))
			continue
		}
		for i := range set.old {
			if set.next[i].Name != set.old[i].Name {
				errs = append(errs, field.Forbidden(at.Index(i).Child("name"), set.name+" may not be renamed or reordered on resize"))
			}
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerResize
func validateNoneRemoved(next, old *corev1.ResourceRequirements, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if removesAny(next.Requests, old.Requests) {
		errs = append(errs, field.Forbidden(path.Child("requests"), "resource requests cannot be removed"))
	}
	if removesAny(next.Limits, old.Limits) {
		errs = append(errs, field.Forbidden(path.Child("limits"), "resource limits cannot be removed"))
	}
	return errs
}

func removesAny(next, old corev1.ResourceList) bool {
	for name := range old {
		if _, still := next[name]; !still {
			return true
		}
	}
	return false
}

// withCompute returns requests and limits with the cpu and memory of old. It drops claims, so that
// a container with claims is never resized.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, dropCPUMemoryResourcesFromContainer
func withCompute(r, old *corev1.ResourceRequirements) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Limits: withComputeOf(r.Limits, old.Limits), Requests: withComputeOf(r.Requests, old.Requests)}
}

// withComputeOf returns a new list with the cpu and memory of old, or without them if old has none.
func withComputeOf(list, old corev1.ResourceList) corev1.ResourceList {
	if list == nil && old == nil {
		return nil
	}
	out := corev1.ResourceList{}
	for name, quantity := range list {
		if !isCompute(name) {
			out[name] = quantity
		}
	}
	for name, quantity := range old {
		if isCompute(name) {
			out[name] = quantity
		}
	}
	return out
}

func isCompute(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory
}
