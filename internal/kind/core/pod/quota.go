package pod

import (
	"errors"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// podMeasure measures Pods for quotas: by their effective requests and limits, until they end.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go
var podMeasure = &kind.Measure{
	Measures: podMeasures,
	Usage:    func(o object.Object) corev1.ResourceList { return podUsage(o.(*corev1.Pod)) },
	InScope: func(o object.Object, r corev1.ScopedResourceSelectorRequirement) bool {
		return podInScope(o.(*corev1.Pod), r)
	},
}

// podQuotaNames are the fixed names under which Pods count.
var podQuotaNames = sets.New(
	corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage,
	corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
	corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
)

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, MatchingResources
func podMeasures(name corev1.ResourceName) bool {
	bare, requested := strings.CutPrefix(string(name), corev1.DefaultResourceRequestsPrefix)
	extended := requested && (!check.IsNativeResource(name) || strings.HasPrefix(bare, resourceapi.ResourceDeviceClassPrefix))
	return podQuotaNames.Has(name) || extended || check.IsHugePages(name) || strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
}

// podUsage returns the usage of a Pod: nothing after it has ended.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, PodUsageFunc
func podUsage(p *corev1.Pod) corev1.ResourceList {
	if p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded {
		return nil
	}
	options := resourcehelper.PodResourcesOptions{UseStatusResources: true}
	return measureCompute(resourcehelper.PodRequests(p, options), resourcehelper.PodLimits(p, options))
}

// measureCompute converts requests and limits to resources of a quota.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, podComputeUsageHelper
func measureCompute(requests, limits corev1.ResourceList) corev1.ResourceList {
	usage := corev1.ResourceList{corev1.ResourcePods: kind.One}
	for name, quantity := range requests {
		requested := corev1.DefaultResourceRequestsPrefix + name
		switch {
		case slices.Contains(check.ContainerResources, name), check.IsHugePages(name):
			usage[name], usage[requested] = quantity, quantity
		case check.IsExtendedResource(name), strings.HasPrefix(string(name), resourceapi.ResourceDeviceClassPrefix):
			usage[requested] = quantity
		}
	}
	for name, quantity := range limits {
		if slices.Contains(check.ContainerResources, name) {
			usage["limits."+name] = quantity
		}
	}
	return usage
}

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, podMatchesScopeFunc
func podInScope(p *corev1.Pod, r corev1.ScopedResourceSelectorRequirement) bool {
	switch r.ScopeName {
	case corev1.ResourceQuotaScopeTerminating:
		return isTerminating(p)
	case corev1.ResourceQuotaScopeNotTerminating:
		return !isTerminating(p)
	case corev1.ResourceQuotaScopeBestEffort:
		return qosOf(p) == corev1.PodQOSBestEffort
	case corev1.ResourceQuotaScopeNotBestEffort:
		return qosOf(p) != corev1.PodQOSBestEffort
	case corev1.ResourceQuotaScopePriorityClass:
		return kind.OneOf(r, p.Spec.PriorityClassName)
	case corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		return reachesOut(p.Spec.Affinity)
	}
	return false
}

// isTerminating reports whether a Pod has a deadline.
func isTerminating(p *corev1.Pod) bool {
	return p.Spec.ActiveDeadlineSeconds != nil && *p.Spec.ActiveDeadlineSeconds >= 0
}

// qosOf returns the QoS class of a Pod, computed if it is not set.
func qosOf(p *corev1.Pod) corev1.PodQOSClass {
	if p.Status.QOSClass != "" {
		return p.Status.QOSClass
	}
	return qosClass(&p.Spec)
}

// reachesOut reports whether an affinity concerns Pods of other namespaces.
func reachesOut(a *corev1.Affinity) bool {
	if a == nil {
		return false
	}
	var terms []corev1.PodAffinityTerm
	add := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		terms = append(terms, required...)
		for i := range preferred {
			terms = append(terms, preferred[i].PodAffinityTerm)
		}
	}
	if pods := a.PodAffinity; pods != nil {
		add(pods.RequiredDuringSchedulingIgnoredDuringExecution, pods.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if pods := a.PodAntiAffinity; pods != nil {
		add(pods.RequiredDuringSchedulingIgnoredDuringExecution, pods.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool { return len(t.Namespaces) > 0 || t.NamespaceSelector != nil })
}

// demandedResources are the resources that every container must specify if a quota limits them.
var demandedResources = sets.New(
	corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory,
)

// denyByQuota rejects a new Pod that does not specify a resource of a quota. It considers what a
// quota already enforces.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, Constraints
func denyByQuota(p *corev1.Pod, c kind.Cluster) (err error) {
	c.Each("resourcequotas", p.Namespace, func(v *object.Version) bool {
		q, ok := v.Object().(*corev1.ResourceQuota)
		if !ok {
			return true
		}
		if missing := missingOf(p, q.Status.Hard); missing != "" && kind.NewQuota(q).Matches(podMeasure, p) {
			err = errors.New("failed quota: " + q.Name + ": must specify " + missing)
		}
		return err == nil
	})
	return err
}

// missingOf lists the required resources that containers do not specify, with the containers. A Pod
// with Pod-level resources need not specify any for its containers.
func missingOf(p *corev1.Pod, hard corev1.ResourceList) string {
	if resourcehelper.IsPodLevelResourcesSet(p) {
		return ""
	}
	missing := map[corev1.ResourceName]sets.Set[string]{}
	for _, containers := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
		for i := range containers {
			said := measureCompute(containers[i].Resources.Requests, containers[i].Resources.Limits)
			for name := range hard {
				if _, has := said[name]; has || !demandedResources.Has(name) {
					continue
				}
				if missing[name] == nil {
					missing[name] = sets.New[string]()
				}
				missing[name].Insert(containers[i].Name)
			}
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		parts = append(parts, string(name)+" for: "+strings.Join(sets.List(missing[name]), ","))
	}
	return strings.Join(parts, "; ")
}
