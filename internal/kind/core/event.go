package core

import (
	"cmp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Event is core/v1 Event, the form in which all Events are stored.
//
// Source: kubernetes v1.36 pkg/registry/core/event/strategy.go
var Event = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Event", Plural: "events", Namespaced: true,
		New: func() object.Object { return &corev1.Event{} }, Bulk: true,
	},
	Singular:   "event",
	ShortNames: []string{"ev"},
	NewList:    func() runtime.Object { return &corev1.EventList{} },

	Columns: eventColumns,

	UpdateCreates:       true,
	UnconditionalUpdate: true,
	NeverOwner:          true,
}, kind.Functions[*corev1.Event]{
	Default:        func(*corev1.Event) {},
	Validate:       validateEvent,
	ValidateUpdate: validateEventUpdate,
	Row:            eventRow,
	SelectableFields: func(e *corev1.Event) fields.Set {
		set := referenceFields("involvedObject", e.InvolvedObject)
		set["reason"], set["type"] = e.Reason, e.Type
		set["reportingComponent"] = e.ReportingController
		set["source"] = cmp.Or(e.Source.Component, e.ReportingController)
		return set
	},
})

var eventColumns = []metav1.TableColumnDefinition{
	{Name: "Last Seen", Type: "string", Description: corev1.Event{}.SwaggerDoc()["lastTimestamp"]},
	{Name: "Type", Type: "string", Description: corev1.Event{}.SwaggerDoc()["type"]},
	{Name: "Reason", Type: "string", Description: corev1.Event{}.SwaggerDoc()["reason"]},
	{Name: "Object", Type: "string", Description: corev1.Event{}.SwaggerDoc()["involvedObject"]},
	{Name: "Subobject", Type: "string", Priority: 1, Description: corev1.ObjectReference{}.SwaggerDoc()["fieldPath"]},
	{Name: "Source", Type: "string", Priority: 1, Description: corev1.Event{}.SwaggerDoc()["source"]},
	{Name: "Message", Type: "string", Description: corev1.Event{}.SwaggerDoc()["message"]},
	{Name: "First Seen", Type: "string", Priority: 1, Description: corev1.Event{}.SwaggerDoc()["firstTimestamp"]},
	{Name: "Count", Type: "string", Priority: 1, Description: corev1.Event{}.SwaggerDoc()["count"]},
	{Name: "Name", Type: "string", Priority: 1, Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"]},
}

// eventRow prints Events of the old form by timestamps and count, and those of the new form by
// eventTime and series.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printEvent
func eventRow(e *corev1.Event, now time.Time) []any {
	first, count := e.FirstTimestamp, cmp.Or(e.Count, 1)
	if first.IsZero() {
		first = metav1.NewTime(e.EventTime.Time)
	}
	last := e.LastTimestamp
	if last.IsZero() {
		last = first
	}
	if s := e.Series; s != nil {
		last, count = metav1.NewTime(s.LastObservedTime.Time), s.Count
	}

	target := strings.ToLower(e.InvolvedObject.Kind)
	if e.InvolvedObject.Name != "" {
		target += "/" + e.InvolvedObject.Name
	}
	source := cmp.Or(e.Source.Component, e.ReportingController)
	if host := cmp.Or(e.Source.Host, e.ReportingInstance); host != "" {
		source += ", " + host
	}
	return []any{
		kind.Age(last, now), e.Type, e.Reason, target, e.InvolvedObject.FieldPath, source,
		strings.TrimSpace(e.Message), kind.Age(first, now), int64(count), e.Name,
	}
}

// referenceFields returns the selectable fields of an object reference in the field name.
func referenceFields(name string, ref corev1.ObjectReference) fields.Set {
	return fields.Set{
		name + ".kind":            ref.Kind,
		name + ".namespace":       ref.Namespace,
		name + ".name":            ref.Name,
		name + ".uid":             string(ref.UID),
		name + ".apiVersion":      ref.APIVersion,
		name + ".resourceVersion": ref.ResourceVersion,
		name + ".fieldPath":       ref.FieldPath,
	}
}
