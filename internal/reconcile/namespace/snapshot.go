package namespace

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// Burst is how many objects one sync deletes at most.
const Burst = 500

// MaxFinalizers is how many different finalizers a condition names at most.
const MaxFinalizers = 100

// Pods is the resource that is deleted before all others.
var Pods = schema.GroupResource{Resource: "pods"}

// Snapshot is a Namespace and what is known of its contents without reading all of them. Everything
// but Namespace and Now is read only if the namespace is being deleted, and may be empty otherwise.
// Reconcile does not modify it.
type Snapshot struct {
	Namespace *corev1.Namespace
	// Resources counts the objects in the namespace, by resource in any order; resources without
	// objects are omitted.
	Resources []Resource
	// Finalizers counts the objects that have a finalizer: Pods as long as there are any, all
	// objects otherwise. It may end after MaxFinalizers of them; Unnamed is how many it then omits.
	Finalizers []Finalizer
	Unnamed    int
	// Grace is the longest grace period of the Pods that are being deleted.
	Grace time.Duration
	// Live are objects that are not being deleted yet, at most Burst: Pods as long as there are
	// any, others otherwise. More is true if there are more of them.
	Live []Content
	More bool
	// Now is the cluster's time.
	Now time.Time
}

// Content is one object in the namespace.
type Content struct {
	Resource schema.GroupResource // {Resource: "pods"}
	Object   object.Object
}

// Resource counts the objects of one resource in the namespace.
type Resource struct {
	schema.GroupResource

	Objects     int
	Terminating int // are being deleted
	Finalized   int // have finalizers
}

// Finalizer counts the objects that have a finalizer.
type Finalizer struct {
	Name    string
	Objects int
}

// pods counts the Pods; Objects is 0 if none exist.
func (s Snapshot) pods() Resource {
	for _, r := range s.Resources {
		if r.GroupResource == Pods {
			return r
		}
	}
	return Resource{}
}

// gone counts the objects, by resource, that this sync's deletions remove at once, because nothing
// holds them.
func (s Snapshot) gone() map[schema.GroupResource]int {
	gone := map[schema.GroupResource]int{}
	for _, c := range s.Live {
		if len(c.Object.GetFinalizers()) == 0 && !graceful(c) {
			gone[c.Resource]++
		}
	}
	return gone
}

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
