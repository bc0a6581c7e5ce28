// Package namespace empties namespaces that are being deleted and finalizes them when nothing is
// left in them.
//
// A Namespace must be synced when it changes and, while it is being deleted, when an object in it
// is removed or its finalizers change.
//
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
package namespace

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Burst is how many objects one sync deletes at most.
const Burst = 500

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

// Pods is the resource that is deleted before all others.
var Pods = schema.GroupResource{Resource: "pods"}

// Reconcile plans how a namespace that is being deleted is emptied: first its Pods, which may take
// their grace period, and when those are gone everything else, all in the background, at most Burst
// objects at a time. The conditions report the progress. An empty namespace loses the finalizer
// "kubernetes" in its spec; then the applier removes it.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/namespaced_resources_deleter.go, Delete and
// deleteAllContent.
// Differs: upstream writes the conditions after requesting the deletion of everything; here they
// are written after each Burst, and count what is left then.
func Reconcile(s Snapshot) plan.Plan {
	if s.Namespace.DeletionTimestamp == nil || len(s.Namespace.Spec.Finalizers) == 0 {
		return plan.Plan{}
	}
	next := s.Namespace.DeepCopy()
	next.Status.Phase = corev1.NamespaceTerminating
	if len(s.Resources) == 0 {
		setConditions(&next.Status, nil, s.Now)
		next.Spec.Finalizers = slices.DeleteFunc(next.Spec.Finalizers, func(f corev1.FinalizerName) bool {
			return f == corev1.FinalizerKubernetes
		})
		if len(next.Spec.Finalizers) < len(s.Namespace.Spec.Finalizers) {
			return plan.Plan{Updates: []plan.Update{{Object: next, Subresource: "finalize"}}}
		}
		return withStatus(plan.Plan{}, s, next)
	}

	var p plan.Plan
	for _, c := range s.Live {
		p.Deletes = append(p.Deletes, plan.Delete{Object: c.Object, Propagation: metav1.DeletePropagationBackground})
	}
	if pods := s.pods().Objects; pods > 0 && s.gone()[Pods] == pods {
		return withStatus(p, s, next) // the sync after their removal deletes the rest, as upstream's sync does
	}
	conditions := remaining(s)
	if pods := s.pods(); pods.Objects > 0 {
		failures, due := overdue(s, pods)
		conditions, p.WakeAt = append(conditions, failures...), due
	}
	if s.More {
		p.WakeAt = s.Now
	}
	setConditions(&next.Status, conditions, s.Now)
	return withStatus(p, s, next)
}

// withStatus adds the update of the namespace's status to the plan, if the status has changed.
func withStatus(p plan.Plan, s Snapshot, next *corev1.Namespace) plan.Plan {
	if next.Status.Phase != s.Namespace.Status.Phase || !slices.Equal(next.Status.Conditions, s.Namespace.Status.Conditions) {
		p.Updates = []plan.Update{{Object: next, Subresource: "status"}}
	}
	return p
}
