package garbagecollector

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// references are an object's ownerReferences by the state of their owners.
type references struct {
	solid    []metav1.OwnerReference // the owner lives
	dangling []metav1.OwnerReference // no object of that name and uid lives
	waiting  []metav1.OwnerReference // the owner waits for its dependents to be deleted
}

// judge decides the fate of an object that is not being deleted.
func judge(s Snapshot) plan.Plan {
	if len(s.Object.GetOwnerReferences()) == 0 {
		return plan.Plan{}
	}
	p := plan.Plan{Events: misplaced(s)}
	refs, certain := classify(s)
	switch {
	case !certain:
		return p
	case len(refs.solid) > 0:
		if len(refs.solid) < len(s.Object.GetOwnerReferences()) {
			p.Updates = []plan.Update{{Object: withReferences(s.Object, refs.solid)}}
		}
		return p
	case len(refs.waiting) > 0 && len(s.Dependents) > 0:
		if slices.ContainsFunc(s.Dependents, isDeletingDependents) && blocks(s.Object) {
			p.Updates = []plan.Update{{Object: unblocked(s.Object)}}
			p.WakeAt = s.Now
			return p
		}
		p.Deletes = []plan.Delete{{Object: s.Object, Propagation: metav1.DeletePropagationForeground}}
		return p
	default:
		p.Deletes = []plan.Delete{{Object: s.Object, Propagation: propagation(s.Object)}}
		return p
	}
}

// classify sorts the object's references. It is not certain, and nothing may be done, when a reference names an
// unknown kind, or when a cluster-scoped object names an owner of a namespaced kind, which no lookup can find.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, classifyReferences and isDangling.
func classify(s Snapshot) (refs references, certain bool) {
	for i, ref := range s.Object.GetOwnerReferences() {
		switch o := s.Owners[i]; {
		case o.Unknown, o.Namespaced && s.Object.GetNamespace() == "":
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

// misplaced reports the first owner that lives, but in a namespace where it cannot own the object.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/graph_builder.go, addDependentToOwners and
// reportInvalidNamespaceOwnerRef.
func misplaced(s Snapshot) []plan.Event {
	i := slices.IndexFunc(s.Owners, func(o Owner) bool { return o.ElsewhereInNamespace != "" })
	if i < 0 {
		return nil
	}
	ref, namespace := s.Object.GetOwnerReferences()[i], s.Object.GetNamespace()
	return []plan.Event{{
		Regarding: s.Object,
		Type:      corev1.EventTypeWarning,
		Reason:    "OwnerRefInvalidNamespace",
		Message: fmt.Sprintf("ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace %q",
			ref.APIVersion, ref.Kind, namespace, ref.Name, ref.UID, namespace),
		Component: "garbage-collector-controller",
	}}
}

// propagation is how an object without living owners is deleted: as finalizers that it already has ask for.
func propagation(o object.Object) metav1.DeletionPropagation {
	switch {
	case orphans(o):
		return metav1.DeletePropagationOrphan
	case deletesDependents(o):
		return metav1.DeletePropagationForeground
	default:
		return metav1.DeletePropagationBackground
	}
}
