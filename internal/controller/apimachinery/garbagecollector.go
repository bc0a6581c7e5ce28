package apimachinery

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewGarbageCollector makes the controller that deletes dependents, and releases owners that wait
// for theirs.
func NewGarbageCollector(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.GarbageCollector, UserAgent: "generic-garbage-collector", Primary: "*", Batch: 500, Reconcile: gather.Each(controllers(w).syncGarbage),
		// The dependents of deleted objects are woken too: see the SQL function apply_write.
		Sources: []wakeup.Source{wakeup.WatchesAll(wakeup.CollectGarbage)},
	}
}

// syncGarbage shows the garbage collector an object with its owners and dependents.
//
// Cost: the owners that the object names, and the dependents that it changes, at most
// dependentsShown. Indexes tell whether others block, wait or exist.
func (w controllers) syncGarbage(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	s := garbagecollector.Snapshot{Object: o.Object(), Now: now}
	s.Owners = Owners(v, w.Kinds, s.Object)
	w.showDependents(v, &s)
	p := garbagecollector.Reconcile(s)
	if pod, ok := s.Object.(*corev1.Pod); ok && pod.DeletionTimestamp != nil && jobstate.Astray(pod) && !controlled(v, pod) {
		p.Wakes = gather.Wakes(names.JobPod, []*object.Version{o}) // the Pod itself does not change, and its Job existed when JobPod last synced it
	}
	return p
}

// controlled reports whether the controller of a Pod exists.
func controlled(v mirror.View, pod *corev1.Pod) bool {
	ref := metav1.GetControllerOfNoCopy(pod)
	return ref != nil && v.UID(ref.UID) != nil
}

// dependentsShown is how many dependents one sync sees: somewhat more than it may change, so that
// each sync of an owner of many thousands costs only what it does.
const dependentsShown = 2 * garbagecollector.Burst

// showDependents adds the object's dependents to a snapshot.
func (w controllers) showDependents(v mirror.View, s *garbagecollector.Snapshot) {
	uid := string(s.Object.GetUID())
	show := func(versions ...*object.Version) {
		for _, o := range versions {
			s.Dependents = append(s.Dependents, garbagecollector.Dependent{Object: o.Object()})
		}
	}
	all := v.EachIn(mirror.ByOwner, uid, nil)
	switch {
	case s.Object.GetDeletionTimestamp() == nil: // it only matters whether there are any, and whether one waits for its own
		if cascades := v.First(mirror.CascadesByOwner, uid, 1); len(cascades) > 0 {
			show(cascades...)
		} else {
			show(v.First(mirror.ByOwner, uid, 1)...)
		}
	case garbagecollector.Orphans(s.Object):
		show(v.First(mirror.ByOwner, uid, dependentsShown)...)
		s.More = all > len(s.Dependents)
	case garbagecollector.DeletingDependents(s.Object):
		s.Blocked = v.EachIn(mirror.BlockersByOwner, uid, nil) > 0
		live := all - v.EachIn(mirror.TerminatingByOwner, uid, nil)
		if live > 0 {
			v.EachInBut(mirror.ByOwner, mirror.TerminatingByOwner, uid, func(o *object.Version) bool {
				s.Dependents = append(s.Dependents, w.dependent(v, o))
				return len(s.Dependents) < dependentsShown
			})
		}
		s.More = live > len(s.Dependents)
	}
}

// Owners returns the owners that an object's ownerReferences lead to, in order.
func Owners(v mirror.View, kinds *kind.Catalogue, o object.Object) []garbagecollector.Owner {
	var owners []garbagecollector.Owner
	for _, ref := range o.GetOwnerReferences() {
		owners = append(owners, ownerOf(v, kinds, o.GetNamespace(), ref))
	}
	return owners
}

// ownerOf finds the owner that a reference of an object in a namespace refers to.
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

func (w controllers) dependent(v mirror.View, version *object.Version) garbagecollector.Dependent {
	return garbagecollector.Dependent{
		Object: version.Object(), Owners: Owners(v, w.Kinds, version.Object()),
		HasDependents:         v.EachIn(mirror.ByOwner, string(version.UID), nil) > 0,
		HasDeletingDependents: v.EachIn(mirror.CascadesByOwner, string(version.UID), nil) > 0,
	}
}
