// Package namespace empties namespaces that are being deleted and lets them go when nothing is left in them.
//
// A Namespace must be looked at when it was changed, and, while it is being deleted, when an object in it was removed
// or has lost a finalizer.
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

// Burst is how many objects one look deletes at most.
const Burst = 500

// Snapshot is a Namespace with everything in it. Reconcile changes nothing in it.
type Snapshot struct {
	Namespace *corev1.Namespace
	// Contents is every object that lives in the namespace. It is read only if the namespace is being deleted, and
	// may be left empty otherwise.
	Contents []Content
	// Now is the cluster's time.
	Now time.Time
}

// Content is one object in the namespace.
type Content struct {
	Resource schema.GroupResource // {Resource: "pods"}
	Object   object.Object
}

// Reconcile says how a namespace that is being deleted is emptied: first its Pods, which may take their grace, and
// when those are gone everything else, all in the background. The conditions tell how far that has come. An empty
// namespace loses the finalizer "kubernetes" of its spec, upon which the applier removes it.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/namespaced_resources_deleter.go, Delete and
// deleteAllContent.
func Reconcile(s Snapshot) plan.Plan {
	if s.Namespace.DeletionTimestamp == nil || len(s.Namespace.Spec.Finalizers) == 0 {
		return plan.Plan{}
	}
	next := s.Namespace.DeepCopy()
	next.Status.Phase = corev1.NamespaceTerminating
	if len(s.Contents) == 0 {
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
	if pods := podsOf(s.Contents); len(pods) > 0 {
		failures, due := overdue(s.Namespace, pods, s.Now)
		setConditions(&next.Status, failures, s.Now)
		p = deleteAll(pods, s.Now)
		if p.WakeAt.IsZero() {
			p.WakeAt = due
		}
	} else {
		setConditions(&next.Status, remaining(s.Contents), s.Now)
		p = deleteAll(s.Contents, s.Now)
	}
	return withStatus(p, s, next)
}

// withStatus adds the update of the namespace's status to the plan, if the status has changed.
func withStatus(p plan.Plan, s Snapshot, next *corev1.Namespace) plan.Plan {
	if next.Status.Phase != s.Namespace.Status.Phase || !slices.Equal(next.Status.Conditions, s.Namespace.Status.Conditions) {
		p.Updates = []plan.Update{{Object: next, Subresource: "status"}}
	}
	return p
}

// deleteAll deletes those of the contents that are not being deleted yet, at most Burst of them.
func deleteAll(contents []Content, now time.Time) plan.Plan {
	var p plan.Plan
	for _, c := range contents {
		if c.Object.GetDeletionTimestamp() != nil {
			continue
		}
		if len(p.Deletes) == Burst {
			p.WakeAt = now
			break
		}
		p.Deletes = append(p.Deletes, plan.Delete{Object: c.Object, Propagation: metav1.DeletePropagationBackground})
	}
	return p
}

func podsOf(contents []Content) []Content {
	var pods []Content
	for _, c := range contents {
		if _, isPod := c.Object.(*corev1.Pod); isPod {
			pods = append(pods, c)
		}
	}
	return pods
}
