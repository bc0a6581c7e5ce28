package wakeup

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Source is one thing that wakes a controller, declared as with controller-runtime:
//
//	[]wakeup.Source{wakeup.For(&apps.ReplicaSet.Type), wakeup.Owns(&pod.Kind.Type), wakeup.Adopts(&pod.Kind.Type)}
//
// A source judges a change by the change alone. It may wake too often, but must never miss a
// change. A controller's own change of the object that it has synced should wake it again only if
// another sync may find more to do: see NotBy.
type Source struct {
	role role
	of   *object.Type // nil for every type
	when []Predicate
	to   Map
	by   LabelSets
}

type role int

const (
	forItself role = iota
	owns
	adopts
	adoptsByChanging
	selects
	watches
)

// Predicate reports whether a change concerns a source.
type Predicate func(d Diff) bool

// Map appends to wakes the objects that a change wakes the controller for. It leaves
// Wake.Controller empty.
type Map func(wakes []Wake, d Diff) []Wake

// LabelSets returns the labels, before and after a change, by which selectors may match the object,
// as far as the change is news to those that select it.
type LabelSets func(d Diff) []map[string]string

// For wakes the controller for an object of its own type that has changed and still exists, if all
// predicates hold. Owns, Adopts, AdoptsByChanging and Selects use this type.
func For(t *object.Type, when ...Predicate) Source { return Source{role: forItself, of: t, when: when} }

// Owns wakes the controller for the objects of its own type that control the changed object, before
// and after the change, if all predicates hold.
func Owns(t *object.Type, when ...Predicate) Source { return Source{role: owns, of: t, when: when} }

// Adopts wakes the controller for the objects of its own type whose selector matches an object that
// has no controller, or another than before. The selector of an object never changes.
func Adopts(t *object.Type) Source { return Source{role: adopts, of: t} }

// AdoptsByChanging is Adopts for objects whose selector may change.
func AdoptsByChanging(t *object.Type) Source { return Source{role: adoptsByChanging, of: t} }

// Selects wakes the controller, a tenth of a second later, for the objects of its own type whose
// selector matches one of the label sets of a change. The selector of an object may change.
func Selects(t *object.Type, by LabelSets) Source { return Source{role: selects, of: t, by: by} }

// Watches wakes the controller for the objects that the Map returns.
func Watches(t *object.Type, to Map) Source { return Source{role: watches, of: t, to: to} }

// WatchesAll is Watches for objects of every type.
func WatchesAll(to Map) Source { return Source{role: watches, to: to} }

// NotBy holds for changes that the controller has not made itself.
func NotBy(controller string) Predicate {
	return func(d Diff) bool { return d.Controller != controller }
}

// OfLock is a Map for controllers that decide across objects: it asks for the row of their lock,
// if when holds.
func OfLock(lock types.UID, when Predicate) Map {
	return func(wakes []Wake, d Diff) []Wake {
		if when(d) {
			wakes = append(wakes, Wake{UID: lock})
		}
		return wakes
	}
}
