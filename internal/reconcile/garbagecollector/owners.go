package garbagecollector

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// references are an object's ownerReferences, grouped by the state of their owners.
type references struct {
	solid    []metav1.OwnerReference // the owner exists
	dangling []metav1.OwnerReference // no object of that name and uid exists
	waiting  []metav1.OwnerReference // the owner waits for its dependents to be deleted
}

// judge decides what happens to an object that is not being deleted. Its plan changes the object at
// most once.
func judge(d Dependent, now time.Time) plan.Plan {
	owners := d.Object.GetOwnerReferences()
	if len(owners) == 0 {
		return plan.Plan{}
	}
	p := plan.Plan{Events: misplaced(d)}
	refs, certain := classify(d)
	switch {
	case !certain:
	case len(refs.solid) == len(owners):
	case len(refs.solid) > 0:
		p.Updates = []plan.Update{{Object: withReferences(d.Object, refs.solid)}}
	case len(refs.waiting) > 0 && d.HasDeletingDependents && blocks(d.Object):
		p.Updates = []plan.Update{{Object: unblocked(d.Object)}}
		p.WakeAt = now
	case len(refs.waiting) > 0 && d.HasDependents:
		p.Deletes = []plan.Delete{{Object: d.Object, Propagation: metav1.DeletePropagationForeground}}
	default:
		p.Deletes = []plan.Delete{{Object: d.Object, Propagation: propagation(d.Object)}}
	}
	return p
}

// classify groups the object's references. It returns false, and nothing may be done, if a
// reference names an unknown kind, or if a cluster-scoped object names an owner of a namespaced
// kind, which no lookup can find.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, classifyReferences and isDangling.
func classify(d Dependent) (refs references, certain bool) {
	for i, ref := range d.Object.GetOwnerReferences() {
		switch o := d.Owners[i]; {
		case o.Unknown, o.Namespaced && d.Object.GetNamespace() == "":
			return references{}, false
		case !o.Found || o.UID != ref.UID:
			refs.dangling = append(refs.dangling, ref)
		case o.DeletingDependents:
			refs.waiting = append(refs.waiting, ref)
		default:
			refs.solid = append(refs.solid, ref)
		}
	}
	return refs, true
}

// misplaced reports the first owner that exists, but in a namespace where it cannot own the object.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/graph_builder.go, addDependentToOwners and
// reportInvalidNamespaceOwnerRef.
func misplaced(d Dependent) []plan.Event {
	i := slices.IndexFunc(d.Owners, func(o Owner) bool { return o.ElsewhereInNamespace != "" })
	if i < 0 {
		return nil
	}
	ref, namespace := d.Object.GetOwnerReferences()[i], d.Object.GetNamespace()
	return []plan.Event{{
		Regarding: d.Object,
		Type:      corev1.EventTypeWarning,
		Reason:    "OwnerRefInvalidNamespace",
		Message: fmt.Sprintf("ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace %q",
			ref.APIVersion, ref.Kind, namespace, ref.Name, ref.UID, namespace),
		Component: "garbage-collector-controller",
	}}
}

// propagation is how an object without existing owners is deleted: as the finalizers that it
// already has require.
func propagation(o object.Object) metav1.DeletionPropagation {
	switch {
	case Orphans(o):
		return metav1.DeletePropagationOrphan
	case deletesDependents(o):
		return metav1.DeletePropagationForeground
	default:
		return metav1.DeletePropagationBackground
	}
}
