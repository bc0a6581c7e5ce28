package worker

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
)

// lookForGarbage shows the garbage collector an object with its owners and dependents.
func (w World) lookForGarbage(v mirror.View, version *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	o := version.Object()
	s := garbagecollector.Snapshot{Object: o, Now: now}
	s.Owners = Owners(v, w.Kinds, o)
	s.Dependents, s.More = w.dependents(v, o)
	return garbagecollector.Reconcile(s)
}

// dependentsShown is how many dependents that are not being deleted yet one look sees: some more than it may change, so that
// the looks at an owner of many thousands cost as much as what they do.
const dependentsShown = 2 * garbagecollector.Burst

func (w World) dependents(v mirror.View, owner object.Object) (shown []garbagecollector.Dependent, more bool) {
	judged := owner.GetDeletionTimestamp() != nil // else only that there are dependents matters
	left := dependentsShown
	v.EachIn(mirror.ByOwner, string(owner.GetUID()), func(version *object.Version) {
		switch {
		case !judged || version.Object().GetDeletionTimestamp() != nil:
			shown = append(shown, garbagecollector.Dependent{Object: version.Object()})
		case left > 0:
			left--
			shown = append(shown, w.dependent(v, version))
		default:
			more = true
		}
	})
	return shown, more
}

// Owners are what an object's ownerReferences lead to, in their order.
func Owners(v mirror.View, kinds *kind.Catalogue, o object.Object) []garbagecollector.Owner {
	var owners []garbagecollector.Owner
	for _, ref := range o.GetOwnerReferences() {
		owners = append(owners, ownerOf(v, kinds, o.GetNamespace(), ref))
	}
	return owners
}

// ownerOf finds what an owner reference of an object in a namespace refers to.
func ownerOf(v mirror.View, kinds *kind.Catalogue, namespace string, ref metav1.OwnerReference) garbagecollector.Owner {
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return garbagecollector.Owner{Unknown: true}
	}
	k := kinds.ByGVK(gv.WithKind(ref.Kind))
	if k == nil {
		return garbagecollector.Owner{Unknown: true}
	}
	owner := garbagecollector.Owner{Namespaced: k.Namespaced}
	key := object.Key{Resource: k.Resource(), Name: ref.Name}
	if k.Namespaced {
		key.Namespace = namespace
	}
	if found := v.Get(key); found != nil {
		owner.Found, owner.UID = true, found.UID
		owner.DeletingDependents = garbagecollector.DeletingDependents(found.Object())
	}
	if elsewhere := v.UID(ref.UID); k.Namespaced && elsewhere != nil && elsewhere.Namespace != namespace {
		owner.ElsewhereInNamespace = elsewhere.Namespace
	}
	return owner
}

func (w World) dependent(v mirror.View, version *object.Version) garbagecollector.Dependent {
	d := garbagecollector.Dependent{Object: version.Object(), Owners: Owners(v, w.Kinds, version.Object())}
	for _, own := range v.Find(mirror.ByOwner, string(version.UID)) {
		d.HasDependents = true
		if garbagecollector.DeletingDependents(own.Object()) {
			d.HasDeletingDependents = true
			break
		}
	}
	return d
}
