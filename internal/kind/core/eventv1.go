package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// EventsV1 is events.k8s.io/v1 Event, a view of core/v1 Events. Writes through it are validated
// more strictly; error messages name the fields of the stored form, as upstream's do.
//
// Source: kubernetes v1.36 pkg/registry/core/event/strategy.go and pkg/apis/events/v1/conversion.go
var EventsV1 = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "events.k8s.io", Version: "v1", Kind: "Event", Plural: "events", Namespaced: true,
		New: func() object.Object { return &eventsv1.Event{} },
	},
	Singular:   "event",
	ShortNames: []string{"ev"},
	NewList:    func() runtime.Object { return &eventsv1.EventList{} },

	Columns:             eventColumns,
	UpdateCreates:       true,
	UnconditionalUpdate: true,
	NeverOwner:          true,

	Stored: &kind.Conversion{
		Kind: Event,
		From: func(stored object.Object) object.Object { return viewEvent(stored.(*corev1.Event)) },
		To:   func(o object.Object) object.Object { return coreEvent(o.(*eventsv1.Event)) },
	},
}, kind.Functions[*eventsv1.Event]{
	Default: func(*eventsv1.Event) {},
	Validate: func(o *eventsv1.Event) field.ErrorList {
		return validateEventStrictly(coreEvent(o))
	},
	ValidateUpdate: func(next, old *eventsv1.Event) field.ErrorList {
		return validateEventUpdateStrictly(coreEvent(next), coreEvent(old))
	},
	Row: func(o *eventsv1.Event, now time.Time) []any {
		return eventRow(coreEvent(o), now)
	},
	SelectableFields: func(e *eventsv1.Event) fields.Set {
		set := referenceFields("regarding", e.Regarding)
		set["reason"], set["type"] = e.Reason, e.Type
		set["reportingController"] = e.ReportingController
		return set
	},
})

// coreEvent converts an Event to its stored form. The result shares nothing with it.
func coreEvent(e *eventsv1.Event) *corev1.Event {
	e = e.DeepCopy()
	return &corev1.Event{
		ObjectMeta:          e.ObjectMeta,
		InvolvedObject:      e.Regarding,
		Reason:              e.Reason,
		Message:             e.Note,
		Source:              e.DeprecatedSource,
		FirstTimestamp:      e.DeprecatedFirstTimestamp,
		LastTimestamp:       e.DeprecatedLastTimestamp,
		Count:               e.DeprecatedCount,
		Type:                e.Type,
		EventTime:           e.EventTime,
		Series:              (*corev1.EventSeries)(e.Series),
		Action:              e.Action,
		Related:             e.Related,
		ReportingController: e.ReportingController,
		ReportingInstance:   e.ReportingInstance,
	}
}

// viewEvent converts a stored Event to events.k8s.io/v1. The result shares nothing with it.
func viewEvent(e *corev1.Event) *eventsv1.Event {
	e = e.DeepCopy()
	return &eventsv1.Event{
		ObjectMeta:               e.ObjectMeta,
		EventTime:                e.EventTime,
		Series:                   (*eventsv1.EventSeries)(e.Series),
		ReportingController:      e.ReportingController,
		ReportingInstance:        e.ReportingInstance,
		Action:                   e.Action,
		Reason:                   e.Reason,
		Regarding:                e.InvolvedObject,
		Related:                  e.Related,
		Note:                     e.Message,
		Type:                     e.Type,
		DeprecatedSource:         e.Source,
		DeprecatedFirstTimestamp: e.FirstTimestamp,
		DeprecatedLastTimestamp:  e.LastTimestamp,
		DeprecatedCount:          e.Count,
	}
}
