package namespace

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Survey makes the snapshot of a namespace from all its contents. Its cost grows with the contents:
// the controller, which must not read all of them, counts them in another way.
func Survey(ns *corev1.Namespace, contents []Content, now time.Time) Snapshot {
	s := Snapshot{Namespace: ns, Now: now}
	resources, finalizers := map[schema.GroupResource]*Resource{}, map[string]int{}
	pods := slices.ContainsFunc(contents, func(c Content) bool { return c.Resource == Pods })
	for _, c := range contents {
		r := resources[c.Resource]
		if r == nil {
			r = &Resource{GroupResource: c.Resource}
			resources[c.Resource] = r
		}
		r.Objects++
		if len(c.Object.GetFinalizers()) > 0 {
			r.Finalized++
		}
		concerned := !pods || c.Resource == Pods
		if concerned {
			for _, f := range c.Object.GetFinalizers() {
				finalizers[f]++
			}
		}
		switch {
		case c.Object.GetDeletionTimestamp() != nil:
			r.Terminating++
			s.Grace = max(s.Grace, graceOf(c))
		case concerned && len(s.Live) == Burst:
			s.More = true
		case concerned:
			s.Live = append(s.Live, c)
		}
	}
	for _, r := range resources {
		s.Resources = append(s.Resources, *r)
	}
	for name, n := range finalizers {
		s.Finalizers = append(s.Finalizers, Finalizer{name, n})
	}
	slices.SortFunc(s.Resources, func(a, b Resource) int { return cmp.Compare(a.String(), b.String()) })
	slices.SortFunc(s.Finalizers, func(a, b Finalizer) int { return cmp.Compare(a.Name, b.Name) })
	if n := len(s.Finalizers); n > MaxFinalizers {
		s.Finalizers, s.Unnamed = s.Finalizers[:MaxFinalizers], n-MaxFinalizers
	}
	return s
}

// graceOf is the grace period of a Pod; 0 for everything else.
func graceOf(c Content) time.Duration {
	pod, ok := c.Object.(*corev1.Pod)
	if !ok || pod.Spec.TerminationGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(*pod.Spec.TerminationGracePeriodSeconds) * time.Second
}

// graceful reports whether the deletion of the object has a grace period: it is a Pod that has not
// ended, on a node, whose own grace period is not zero.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, CheckGracefulDelete
func graceful(c Content) bool {
	pod, ok := c.Object.(*corev1.Pod)
	ended := ok && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed)
	return ok && !ended && pod.Spec.NodeName != "" && graceOf(c) != 0
}
