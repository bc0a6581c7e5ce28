package worker

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

// event records what a plan says: anew, or as one more of an event that was recorded lately and is still there.
//
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/event.go, makeEvent, and events_cache.go,
// eventObserve.
func (pl *planning) event(e plan.Event, needs int) error {
	namespace := e.Regarding.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	k, err := pl.kindOf((*corev1.Event)(nil))
	if err != nil {
		return err
	}
	about, err := pl.kindOf(e.Regarding)
	if err != nil {
		return err
	}
	var old *object.Version
	if key, ok := pl.recorder.known(e); ok {
		pl.mirror.Read(func(v mirror.View) { old = v.Get(key) })
	}
	now := metav1.Time{Time: pl.now.Truncate(time.Second)}
	by := fieldmanager.Writer{Manager: managerOf(e.Component), At: pl.now}
	if old != nil {
		last := old.Object().(*corev1.Event)
		again := last.DeepCopy()
		again.Count++
		again.LastTimestamp = now
		pl.report(fieldmanager.Updated(&k.Type, again, last, by))
		return pl.record(store.Change{Verb: object.Updated, Type: &k.Type, Old: old, New: again}, e.Regarding.GetUID(), needs)
	}
	key := object.Key{Resource: k.Resource(), Namespace: namespace, Name: pl.recorder.name(e, pl.now)}
	pl.recorder.remember(e, key)
	gvk := about.GroupVersionKind()
	event := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: namespace, UID: pl.draw.UID(), CreationTimestamp: now},
		InvolvedObject: corev1.ObjectReference{
			Kind: gvk.Kind, APIVersion: gvk.GroupVersion().String(), Namespace: e.Regarding.GetNamespace(), Name: e.Regarding.GetName(),
			UID: e.Regarding.GetUID(), ResourceVersion: e.Regarding.GetResourceVersion(), FieldPath: e.FieldPath,
		},
		Reason: e.Reason, Message: e.Message, Type: e.Type, Count: 1,
		FirstTimestamp: now, LastTimestamp: now,
		Source:              corev1.EventSource{Component: e.Component, Host: e.Host},
		ReportingController: e.Component, ReportingInstance: e.Host,
	}
	pl.report(fieldmanager.Created(&k.Type, event, by))
	return pl.record(store.Change{Verb: object.Created, Type: &k.Type, New: event}, e.Regarding.GetUID(), needs)
}

// record adds an event to the batch. An event that cannot be recorded is let go: it is no reason to look again.
func (pl *planning) record(c store.Change, regarding types.UID, needs int) error {
	pl.sign(&c, regarding)
	if needs == leftOut || pl.batch.Has(c) {
		return nil
	}
	_, err := pl.batch.Add(c, needs, types.UID(""), pl.now)
	return err
}
