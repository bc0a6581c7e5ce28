package engine

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// event records a plan's event: as a new one, or as one more occurrence of an event that was
// recorded recently and still exists.
func (pl *planning) event(e plan.Event, needs int) error {
	namespace := e.Regarding.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	k := core.Event
	about, err := pl.kindOf(e.Regarding)
	if err != nil {
		return err
	}
	var old *object.Version
	if key, ok := pl.recorder.known(e); ok {
		pl.mirror.Read(func(v mirror.View) { old = v.Get(key) })
	}
	by := fieldmanager.Writer{Manager: pl.managerOf(e.Component), At: pl.now}
	if old != nil {
		last := old.Object()
		again := registry.RepeatEvent(last, pl.now)
		pl.report(fieldmanager.Updated(&k.Type, again, last, by))
		return pl.record(store.Change{Verb: object.Updated, Type: &k.Type, Old: old, New: again}, e.Regarding.GetUID(), needs)
	}
	key := object.Key{Resource: k.Resource(), Namespace: namespace, Name: pl.recorder.name(e, pl.now)}
	pl.recorder.remember(e, key)
	event := registry.NewEvent(e, about.GroupVersionKind(), key, pl.draw.UID(), pl.now)
	pl.report(fieldmanager.Created(&k.Type, event, by))
	return pl.record(store.Change{Verb: object.Created, Type: &k.Type, New: event}, e.Regarding.GetUID(), needs)
}

// record adds an event to the batch. An event that cannot be recorded is dropped: it is not a reason
// to sync again.
func (pl *planning) record(c store.Change, regarding types.UID, needs int) error {
	pl.sign(&c, regarding)
	if needs == leftOut || pl.batch.Has(c) {
		return nil
	}
	_, err := pl.batch.Add(c, needs, types.UID(""), pl.now)
	return err
}
