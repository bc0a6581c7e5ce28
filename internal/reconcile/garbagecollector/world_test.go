package garbagecollector_test

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// world is a toy cluster of ConfigMaps in one namespace, by name; an object's uid is its name.
type world map[string]*corev1.ConfigMap

// option shapes an object of the world.
type option func(*corev1.ConfigMap)

func configMap(name string, options ...option) *corev1.ConfigMap {
	o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
	for _, option := range options {
		option(o)
	}
	return o
}

// ownedBy adds references that do not block; blocking ones that do.
func ownedBy(owners ...string) option { return references(false, owners) }

func blocking(owners ...string) option { return references(true, owners) }

func references(block bool, owners []string) option {
	return func(o *corev1.ConfigMap) {
		for _, owner := range owners {
			o.OwnerReferences = append(o.OwnerReferences, metav1.OwnerReference{
				APIVersion: "v1", Kind: "ConfigMap", Name: owner, UID: types.UID(owner), BlockOwnerDeletion: &block,
			})
		}
	}
}

func finalizers(names ...string) option {
	return func(o *corev1.ConfigMap) { o.Finalizers = append(o.Finalizers, names...) }
}

func deleting(o *corev1.ConfigMap) {
	o.DeletionTimestamp = &metav1.Time{Time: now}
}

func worldOf(objects ...*corev1.ConfigMap) world {
	w := world{}
	for _, o := range objects {
		w[o.Name] = o
	}
	return w
}

// snapshot is the collector's view of an object of the world.
func (w world) snapshot(name string) garbagecollector.Snapshot {
	s := garbagecollector.Snapshot{Object: w[name], Owners: w.owners(name), Now: now}
	for _, d := range w.dependents(name) {
		below := w.dependents(d.Name)
		s.Dependents = append(s.Dependents, garbagecollector.Dependent{
			Object: d, Owners: w.owners(d.Name),
			HasDependents: len(below) > 0, HasDeletingDependents: slices.ContainsFunc(below, waits),
		})
	}
	return s
}

func (w world) owners(name string) []garbagecollector.Owner {
	var owners []garbagecollector.Owner
	for _, ref := range w[name].OwnerReferences {
		owner, found := w[ref.Name]
		owners = append(owners, garbagecollector.Owner{
			Namespaced: true, Found: found, UID: types.UID(ref.Name), DeletingDependents: found && waits(owner),
		})
	}
	return owners
}

func (w world) dependents(name string) []*corev1.ConfigMap {
	var found []*corev1.ConfigMap
	for _, n := range w.names() {
		if slices.ContainsFunc(w[n].OwnerReferences, func(r metav1.OwnerReference) bool { return r.Name == name }) {
			found = append(found, w[n])
		}
	}
	return found
}

func (w world) names() []string {
	names := make([]string, 0, len(w))
	for n := range w {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func waits(o *corev1.ConfigMap) bool {
	return o.DeletionTimestamp != nil && slices.Contains(o.Finalizers, metav1.FinalizerDeleteDependents)
}

// apply does what the applier does with a plan.
func (w world) apply(p plan.Plan) {
	for _, u := range p.Updates {
		w[u.Object.GetName()] = u.Object.(*corev1.ConfigMap)
		w.removeIfFinal(u.Object)
	}
	for _, d := range p.Deletes {
		w.delete(d.Object.GetName(), d.Propagation)
	}
}

// delete is a DELETE request.
func (w world) delete(name string, propagation metav1.DeletionPropagation) {
	o := w[name].DeepCopy()
	deleting(o)
	add := map[metav1.DeletionPropagation]string{
		metav1.DeletePropagationForeground: metav1.FinalizerDeleteDependents,
		metav1.DeletePropagationOrphan:     metav1.FinalizerOrphanDependents,
	}[propagation]
	if add != "" && !slices.Contains(o.Finalizers, add) {
		o.Finalizers = append(o.Finalizers, add)
	}
	w[name] = o
	w.removeIfFinal(o)
}

func (w world) removeIfFinal(o object.Object) {
	if o.GetDeletionTimestamp() != nil && len(o.GetFinalizers()) == 0 {
		delete(w, o.GetName())
	}
}

// settle syncs every object repeatedly until nothing changes. It returns how many rounds that took,
// or -1 if the limit was not enough.
func (w world) settle(limit int) int {
	for round := range limit {
		quiet := true
		for _, name := range w.names() {
			if w[name] == nil {
				continue
			}
			p := garbagecollector.Reconcile(w.snapshot(name))
			quiet = quiet && p.Empty()
			w.apply(p)
		}
		if quiet {
			return round
		}
	}
	return -1
}
