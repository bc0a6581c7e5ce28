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

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

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
