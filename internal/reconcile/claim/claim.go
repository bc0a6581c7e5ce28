// Package claim decides which objects a controller holds: it keeps those it owns and selects,
// adopts orphans it selects, and releases those it owns but no longer selects. ReplicaSets,
// ReplicationControllers, Jobs, DaemonSets and StatefulSets hold Pods by this rule, and Deployments
// hold ReplicaSets.
package claim

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// Claimant is the controller that claims.
type Claimant struct {
	Owner    metav1.Object
	Kind     schema.GroupVersionKind // the owner's kind, as decoded objects may lack a TypeMeta
	Selector labels.Selector         // what the owner selects; an empty one selects everything

	// Also is a further condition on the objects that Selector selects; nil if there is no such
	// condition.
	Also func(o metav1.Object) bool
}

// Verdict is the result of a claim for one object.
type Verdict int

// The verdicts.
const (
	Foreign Verdict = iota // another controller's, or an orphan that does not match
	Held                   // already the claimant's own
	Adopt                  // an orphan to adopt
	Release                // the claimant's own, to release
)

// Judge returns the result of the claim for one object. A claimant that is being deleted adopts and
// releases nothing, and an orphan that is being deleted is not adopted.
//
// Source: kubernetes v1.36 pkg/controller/controller_ref_manager.go, ClaimObject
func (c Claimant) Judge(o metav1.Object) Verdict {
	ref := metav1.GetControllerOfNoCopy(o)
	if ref != nil && ref.UID != c.Owner.GetUID() {
		return Foreign
	}
	matches := c.Selector.Matches(labels.Set(o.GetLabels())) && (c.Also == nil || c.Also(o))
	alive := c.Owner.GetDeletionTimestamp() == nil
	switch {
	case ref != nil && matches:
		return Held
	case ref != nil && alive:
		return Release
	case ref == nil && matches && alive && o.GetDeletionTimestamp() == nil && o.GetNamespace() == c.Owner.GetNamespace():
		return Adopt
	}
	return Foreign
}

// Reference is the controller reference that marks the claimant's own objects.
func (c Claimant) Reference() metav1.OwnerReference {
	return *metav1.NewControllerRef(c.Owner, c.Kind)
}

// Claims is the result of a claim over many objects, each list in the order of the candidates.
type Claims[T object.Object] struct {
	Held     []T // the claimant's own, including the changed copies in Adopted
	Adopted  []T // changed copies: each needs a plan.Update
	Released []T // changed copies: each needs a plan.Update
}

// Claim judges the candidates. They are shared and not modified: changes are made to copies. T is a
// pointer type such as *corev1.Pod.
func Claim[T object.Object](by Claimant, candidates []T) Claims[T] {
	claims := Claims[T]{Held: make([]T, 0, len(candidates))}
	for _, o := range candidates {
		switch by.Judge(o) {
		case Held:
			claims.Held = append(claims.Held, o)
		case Adopt:
			adopted := by.adopt(o).(T)
			claims.Held = append(claims.Held, adopted)
			claims.Adopted = append(claims.Adopted, adopted)
		case Release:
			claims.Released = append(claims.Released, by.release(o).(T))
		case Foreign:
		}
	}
	return claims
}

// adopt is a copy of o with the claimant as its controller. A reference to the claimant that is not
// a controller reference becomes one; all other references stay.
func (c Claimant) adopt(o object.Object) object.Object {
	adopted := o.DeepCopyObject().(object.Object)
	refs := adopted.GetOwnerReferences()
	for i := range refs {
		if refs[i].UID == c.Owner.GetUID() {
			refs[i] = c.Reference()
			adopted.SetOwnerReferences(refs)
			return adopted
		}
	}
	adopted.SetOwnerReferences(append(refs, c.Reference()))
	return adopted
}

// release is a copy of o without any reference to the claimant.
func (c Claimant) release(o object.Object) object.Object {
	released := o.DeepCopyObject().(object.Object)
	var kept []metav1.OwnerReference
	for _, ref := range released.GetOwnerReferences() {
		if ref.UID != c.Owner.GetUID() {
			kept = append(kept, ref)
		}
	}
	released.SetOwnerReferences(kept)
	return released
}
