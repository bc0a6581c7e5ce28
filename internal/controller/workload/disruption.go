package workload

import (
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/policy"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/disruption"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewDisruption makes the controller that maintains the status of PodDisruptionBudgets.
//
// Cost: the Pods that have the rarest label of the budget's selector, or those of its namespace if
// it requires none, and their controllers.
func NewDisruption(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.Disruption, UserAgent: "disruption-controller", Primary: "poddisruptionbudgets.policy", Batch: 16,
		Reconcile: gather.Each(func(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
			return disruption.Reconcile(snapshotBudget(w.Kinds, v, o.Object().(*policyv1.PodDisruptionBudget), now))
		}),
		Sources: []wakeup.Source{
			wakeup.For(&policy.PodDisruptionBudget.Type, wakeup.NotBy(names.Disruption)),
			wakeup.Selects(&podkind.Kind.Type, podBudgetsChanged),
		},
		WokenBy: []string{names.Deployment, names.ReplicaSet, names.ReplicationController, names.StatefulSet}, // by Pods that they create and delete when scaled
	}
}

// podBudgetsChanged returns the labels of a Pod whose change matters to the budgets that select it:
// it was created or deleted, or its labels, readiness, termination or owner changed.
func podBudgetsChanged(d wakeup.Diff) []map[string]string {
	old, was := d.Old.(*corev1.Pod)
	pod, is := d.New.(*corev1.Pod)
	switch {
	case !was && !is:
		return nil
	case !was:
		return []map[string]string{pod.Labels}
	case !is:
		return []map[string]string{old.Labels}
	case !maps.Equal(old.Labels, pod.Labels):
		return []map[string]string{old.Labels, pod.Labels}
	}
	if podstate.Ready(old) == podstate.Ready(pod) && (old.DeletionTimestamp == nil) == (pod.DeletionTimestamp == nil) && !d.OwnersChanged() {
		return nil
	}
	return []map[string]string{pod.Labels}
}

// snapshotBudget makes the controller's snapshot of a budget.
func snapshotBudget(kinds *kind.Catalogue, v mirror.View, b *policyv1.PodDisruptionBudget, now time.Time) disruption.Snapshot {
	s := disruption.Snapshot{Budget: b, Pods: podsOfBudget(v, b), Now: now}
	if !disruption.CountsOwners(b) {
		return s
	}
	s.Owners = map[types.UID]disruption.Owner{}
	asked := map[types.UID]bool{}
	for _, pod := range s.Pods {
		if ref := metav1.GetControllerOfNoCopy(pod); ref != nil && !asked[ref.UID] {
			asked[ref.UID] = true
			if owner, found := replicasAsked(kinds, v, pod.Namespace, ref); found {
				s.Owners[ref.UID] = owner
			}
		}
	}
	return s
}

// podsOfBudget returns the Pods that a budget selects, by name.
func podsOfBudget(v mirror.View, b *policyv1.PodDisruptionBudget) []*corev1.Pod {
	selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	if err != nil {
		return nil // validation rejects it
	}
	return v.SelectedPods(b.Namespace, selector)
}

// replicasAsked returns how many Pods the controller of a Pod asks for; not found if it does not
// exist. For a ReplicaSet, its Deployment counts.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, finders
func replicasAsked(kinds *kind.Catalogue, v mirror.View, namespace string, ref *metav1.OwnerReference) (owner disruption.Owner, found bool) {
	gvk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	k := kinds.ByGVK(gvk)
	if k == nil {
		return disruption.Owner{Problem: fmt.Sprintf("no matches for kind %q in version %q", ref.Kind, ref.APIVersion)}, true
	}
	if k.Scale == nil {
		return disruption.Owner{Problem: k.Resource() + " does not implement the scale subresource"}, true
	}
	o := v.Get(object.Key{Resource: k.Resource(), Namespace: namespace, Name: ref.Name})
	if o == nil || o.UID != ref.UID {
		return disruption.Owner{}, false
	}
	if above := metav1.GetControllerOfNoCopy(o.Object()); k == apps.ReplicaSet && above != nil && above.Kind == apps.Deployment.Kind {
		if d := v.Get(object.Key{Resource: apps.Deployment.Resource(), Namespace: namespace, Name: above.Name}); d != nil && d.UID == above.UID {
			k, o = apps.Deployment, d
		}
	}
	return disruption.Owner{UID: o.UID, Replicas: k.Scale.Get(o.Object()).Spec.Replicas}, true
}
