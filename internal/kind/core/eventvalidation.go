package core

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Limits of a new Event's fields, in characters.
const (
	maxEventText    = 128 // action, reason, reportingInstance
	maxEventMessage = 1024
)

// validateEvent validates an Event written through core/v1, which has few rules.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/events.go, ValidateEventCreate
func validateEvent(e *corev1.Event) field.ErrorList {
	if errs := validateEventText(e, "reportingComponent"); len(errs) > 0 {
		return errs
	}
	return validation.ValidateObjectMeta(&e.ObjectMeta, true, check.AnyPathSegment, field.NewPath("metadata"))
}

func validateEventUpdate(e, was *corev1.Event) field.ErrorList {
	errs := validation.ValidateObjectMeta(&e.ObjectMeta, true, check.AnyPathSegment, field.NewPath("metadata"))
	errs = append(errs, validation.ValidateObjectMetaUpdate(&e.ObjectMeta, &was.ObjectMeta, field.NewPath("metadata"))...)
	return append(errs, validateEventText(e, "reportingComponent")...)
}

// validateEventStrictly validates a new Event written through events.k8s.io/v1, in its stored form.
func validateEventStrictly(e *corev1.Event) field.ErrorList {
	errs := validateEventText(e, "reportingController")
	errs = append(errs, check.NamespacedMeta(&e.ObjectMeta)...)
	errs = append(errs, validateSeries(e.Series)...)
	if e.EventTime.IsZero() {
		errs = append(errs, field.Required(field.NewPath("eventTime"), ""))
	}
	if e.Type != corev1.EventTypeNormal && e.Type != corev1.EventTypeWarning {
		errs = append(errs, field.Invalid(field.NewPath("type"), "", fmt.Sprintf("has invalid value: %v", e.Type)))
	}
	for _, old := range []struct {
		name string
		set  bool
	}{
		{"firstTimestamp", !e.FirstTimestamp.IsZero()},
		{"lastTimestamp", !e.LastTimestamp.IsZero()},
		{"count", e.Count != 0},
		{"source", e.Source != corev1.EventSource{}},
	} {
		if old.set {
			errs = append(errs, field.Invalid(field.NewPath(old.name), "", "needs to be unset"))
		}
	}
	return errs
}

// referenceValue and sourceValue print fields of an Event as upstream's messages do, with Go's
// field names.
type (
	referenceValue struct {
		Kind, Namespace, Name       string
		UID                         types.UID
		APIVersion, ResourceVersion string
		FieldPath                   string
	}
	sourceValue struct{ Component, Host string }
)

// validateEventUpdateStrictly validates an update through events.k8s.io/v1: only the series may
// change.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/events.go, ValidateEventUpdate
func validateEventUpdateStrictly(e, was *corev1.Event) field.ErrorList {
	errs := validateEventText(e, "reportingController")
	errs = append(errs, check.MetaUpdate(&e.ObjectMeta, &was.ObjectMeta)...)
	if !equality.Semantic.DeepEqual(e.Series, was.Series) {
		errs = append(errs, validateSeries(e.Series)...)
	}
	keep := func(name string, next, old any) {
		errs = append(errs, validation.ValidateImmutableField(next, old, field.NewPath(name))...)
	}
	keep("involvedObject", referenceValue(e.InvolvedObject), referenceValue(was.InvolvedObject))
	keep("reason", e.Reason, was.Reason)
	keep("message", e.Message, was.Message)
	keep("source", sourceValue(e.Source), sourceValue(was.Source))
	keep("firstTimestamp", e.FirstTimestamp, was.FirstTimestamp)
	keep("lastTimestamp", e.LastTimestamp, was.LastTimestamp)
	keep("count", e.Count, was.Count)
	keep("reason", e.Reason, was.Reason) // reported twice, as upstream does
	keep("type", e.Type, was.Type)
	if !e.EventTime.Truncate(time.Microsecond).Equal(was.EventTime.Truncate(time.Microsecond)) {
		keep("eventTime", e.EventTime, was.EventTime)
	}
	keep("action", e.Action, was.Action)
	keep("related", (*referenceValue)(e.Related), (*referenceValue)(was.Related))
	keep("reportingController", e.ReportingController, was.ReportingController)
	keep("reportingInstance", e.ReportingInstance, was.ReportingInstance)
	return errs
}

func validateSeries(s *corev1.EventSeries) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	if s.Count < 2 {
		errs = append(errs, field.Invalid(field.NewPath("series.count"), "", "should be at least 2"))
	}
	if s.LastObservedTime.IsZero() {
		errs = append(errs, field.Required(field.NewPath("series.lastObservedTime"), ""))
	}
	return errs
}

// validateEventText validates what every Event needs, in the old form, which has no eventTime, and
// in the new. reporting is the API's name for the reporting controller's field.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/events.go, legacyValidateEvent
func validateEventText(e *corev1.Event, reporting string) field.ErrorList {
	var errs field.ErrorList
	if !eventNamespaceFits(e) {
		at := field.NewPath("involvedObject", "namespace")
		errs = append(errs, field.Invalid(at, e.InvolvedObject.Namespace, "does not match event.namespace"))
	}
	if !e.EventTime.IsZero() {
		errs = append(errs, validateNewEventText(e, field.NewPath(reporting))...)
	}
	return append(errs, check.Invalid(field.NewPath("namespace"), e.Namespace, utilvalidation.IsDNS1123Subdomain(e.Namespace))...)
}

// eventNamespaceFits reports whether an Event is in the namespace of its object. Events about
// cluster-scoped objects are in "default", or in "kube-system" if they have the new form.
func eventNamespaceFits(e *corev1.Event) bool {
	about := e.InvolvedObject.Namespace
	switch {
	case about == "" && e.EventTime.IsZero():
		return e.Namespace == metav1.NamespaceNone || e.Namespace == metav1.NamespaceDefault
	case about == "":
		return e.Namespace == metav1.NamespaceDefault || e.Namespace == metav1.NamespaceSystem
	}
	return e.Namespace == about || !e.EventTime.IsZero()
}

// validateNewEventText validates the fields that only new Events must have. reporting is the path
// of the reporting controller.
func validateNewEventText(e *corev1.Event, reporting *field.Path) field.ErrorList {
	var errs field.ErrorList
	if e.ReportingController == "" {
		errs = append(errs, field.Required(reporting, ""))
	}
	errs = append(errs, check.QualifiedName(e.ReportingController, reporting)...)
	for _, text := range []struct {
		name, value string
	}{
		{"reportingInstance", e.ReportingInstance},
		{"action", e.Action},
		{"reason", e.Reason},
	} {
		if text.value == "" {
			errs = append(errs, field.Required(field.NewPath(text.name), ""))
		}
		errs = append(errs, validateLength(text.name, text.value, maxEventText)...)
	}
	return append(errs, validateLength("message", e.Message, maxEventMessage)...)
}

func validateLength(name, value string, maxBytes int) field.ErrorList {
	if len(value) <= maxBytes {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(name), "", fmt.Sprintf("can have at most %v characters", maxBytes))}
}
