package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// oldEvent returns an Event as most components write it: with timestamps and a count.
func oldEvent(change func(*corev1.Event)) *corev1.Event {
	e := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: "web.1", Namespace: "default", ResourceVersion: "1"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", UID: "u1", APIVersion: "v1", ResourceVersion: "5", FieldPath: "spec.containers{nginx}"},
		Reason:         "Started", Message: "Started container nginx\n", Type: "Normal",
		Source:         corev1.EventSource{Component: "kubelet", Host: "node-1"},
		FirstTimestamp: metav1.NewTime(kindtest.Now.Add(-2 * time.Minute)),
		LastTimestamp:  metav1.NewTime(kindtest.Now.Add(-5 * time.Second)),
		Count:          3,
	}
	if change != nil {
		change(e)
	}
	return e
}

// newEvent returns an Event as the events.k8s.io API requires it: with an eventTime, a reporter and
// an action.
func newEvent(change func(*eventsv1.Event)) *eventsv1.Event {
	e := &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Name: "web.2", Namespace: "default", ResourceVersion: "1"},
		EventTime:           metav1.NewMicroTime(kindtest.Now.Add(-7 * time.Second)),
		ReportingController: "default-scheduler", ReportingInstance: "scheduler-1", Action: "Binding",
		Reason: "Scheduled", Note: "assigned", Type: "Normal",
		Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
	if change != nil {
		change(e)
	}
	return e
}

// stored returns the form in which a new Event is stored.
func stored(change func(*eventsv1.Event)) *corev1.Event {
	return core.EventsV1.Stored.To(newEvent(change)).(*corev1.Event)
}

func TestEvent_Row(t *testing.T) {
	t.Parallel()
	var narrow, wide []string
	for _, c := range core.Event.Columns {
		if c.Priority == 0 {
			narrow = append(narrow, c.Name)
		}
		wide = append(wide, c.Name)
	}
	kindtest.Diff(t, []string{"Last Seen", "Type", "Reason", "Object", "Message"}, narrow)
	kindtest.Diff(t, []string{"Last Seen", "Type", "Reason", "Object", "Subobject", "Source", "Message", "First Seen", "Count", "Name"}, wide)

	series := &eventsv1.EventSeries{Count: 9, LastObservedTime: metav1.NewMicroTime(kindtest.Now.Add(-time.Second))}
	tests := []struct {
		name  string
		event *corev1.Event
		want  []any
	}{
		{"old", oldEvent(nil), []any{
			"5s", "Normal", "Started", "pod/web", "spec.containers{nginx}", "kubelet, node-1", "Started container nginx", "2m", int64(3), "web.1",
		}},
		{"old, without a last time", oldEvent(func(e *corev1.Event) { e.LastTimestamp, e.Source.Host = metav1.Time{}, "" }), []any{
			"2m", "Normal", "Started", "pod/web", "spec.containers{nginx}", "kubelet", "Started container nginx", "2m", int64(3), "web.1",
		}},
		{"new", stored(nil), []any{
			"7s", "Normal", "Scheduled", "pod/web", "", "default-scheduler, scheduler-1", "assigned", "7s", int64(1), "web.2",
		}},
		{"a series", stored(func(e *eventsv1.Event) { e.Series = series }), []any{
			"1s", "Normal", "Scheduled", "pod/web", "", "default-scheduler, scheduler-1", "assigned", "7s", int64(9), "web.2",
		}},
		{"about nothing", &corev1.Event{}, []any{
			"<unknown>", "", "", "", "", "", "", "<unknown>", int64(1), "",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, core.Event.Row(tt.event, kindtest.Now))
			kindtest.Diff(t, tt.want, core.EventsV1.Row(core.EventsV1.Stored.From(tt.event), kindtest.Now))
		})
	}
}

func TestEvent_SelectableFields(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, fields.Set{
		"involvedObject.kind": "Pod", "involvedObject.namespace": "default", "involvedObject.name": "web", "involvedObject.uid": "u1",
		"involvedObject.apiVersion": "v1", "involvedObject.resourceVersion": "5", "involvedObject.fieldPath": "spec.containers{nginx}",
		"reason": "Started", "reportingComponent": "", "source": "kubelet", "type": "Normal",
	}, core.Event.SelectableFields(oldEvent(nil)))
	kindtest.Diff(t, "default-scheduler", core.Event.SelectableFields(stored(nil))["source"])
	kindtest.Diff(t, fields.Set{
		"regarding.kind": "Pod", "regarding.namespace": "default", "regarding.name": "web", "regarding.uid": "",
		"regarding.apiVersion": "", "regarding.resourceVersion": "", "regarding.fieldPath": "",
		"reason": "Scheduled", "reportingController": "default-scheduler", "type": "Normal",
	}, core.EventsV1.SelectableFields(newEvent(nil)))
}

func TestEvent_Validate(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 129)
	tests := []struct {
		name  string
		event *corev1.Event
		want  []string
	}{
		{"old", oldEvent(nil), nil},
		{"names are loose", oldEvent(func(e *corev1.Event) { e.Name = "Web_1" }), nil},
		{"but fit into a path", oldEvent(func(e *corev1.Event) { e.Name = "a/b" }), []string{`metadata.name: Invalid value: "a/b": may not contain '/'`}},
		{"about another namespace", oldEvent(func(e *corev1.Event) { e.InvolvedObject.Namespace = "other" }), []string{
			`involvedObject.namespace: Invalid value: "other": does not match event.namespace`,
		}},
		{"about something without a namespace", oldEvent(func(e *corev1.Event) { e.InvolvedObject.Namespace = "" }), nil},
		{"about that, outside default", oldEvent(func(e *corev1.Event) { e.Namespace, e.InvolvedObject.Namespace = "kube-system", "" }), []string{
			`involvedObject.namespace: Invalid value: "": does not match event.namespace`,
		}},
		{"new about that, in kube-system", stored(func(e *eventsv1.Event) { e.Namespace, e.Regarding.Namespace = "kube-system", "" }), nil},
		{"new about that, elsewhere", stored(func(e *eventsv1.Event) { e.Namespace, e.Regarding.Namespace = "team-a", "" }), []string{
			`involvedObject.namespace: Invalid value: "": does not match event.namespace`,
		}},
		{"in no namespace", oldEvent(func(e *corev1.Event) { e.Namespace, e.InvolvedObject.Namespace = "", "" }), []string{
			`namespace: Invalid value: "": ` + kindtest.NotSubdomain,
		}},
		{"new without anything", stored(func(e *eventsv1.Event) {
			e.ReportingController, e.ReportingInstance, e.Action, e.Reason = "", "", "", ""
		}), []string{
			"reportingComponent: Required value",
			`reportingComponent: Invalid value: "": name part must be non-empty`,
			`reportingComponent: Invalid value: "": ` + kindtest.NotQualifiedName,
			"reportingInstance: Required value", "action: Required value", "reason: Required value",
		}},
		{"new and wordy", stored(func(e *eventsv1.Event) {
			e.ReportingInstance, e.Action, e.Reason, e.Note = long, long, long, strings.Repeat("x", 1025)
		}), []string{
			`reportingInstance: Invalid value: "": can have at most 128 characters`, `action: Invalid value: "": can have at most 128 characters`,
			`reason: Invalid value: "": can have at most 128 characters`, `message: Invalid value: "": can have at most 1024 characters`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Event.Validate(tt.event)))
			if !strings.Contains(tt.name, "path") {
				kindtest.Diff(t, tt.want, dropMeta(kindtest.Texts(core.Event.ValidateUpdate(tt.event, tt.event))))
			}
		})
	}
}

// dropMeta removes errors about metadata.
func dropMeta(texts []string) []string {
	var kept []string
	for _, s := range texts {
		if !strings.HasPrefix(s, "metadata.") {
			kept = append(kept, s)
		}
	}
	return kept
}

func TestEventsV1_StrictValidation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		event *eventsv1.Event
		want  []string
	}{
		{"new", newEvent(nil), nil},
		{"new with a series", newEvent(func(e *eventsv1.Event) { e.Series = &eventsv1.EventSeries{Count: 2, LastObservedTime: e.EventTime} }), nil},
		{"with half a series", newEvent(func(e *eventsv1.Event) { e.Series = &eventsv1.EventSeries{Count: 1} }), []string{
			`series.count: Invalid value: "": should be at least 2`, "series.lastObservedTime: Required value",
		}},
		{"old", core.EventsV1.Stored.From(oldEvent(func(e *corev1.Event) { e.Type = "Loud" })).(*eventsv1.Event), []string{
			"eventTime: Required value", `type: Invalid value: "": has invalid value: Loud`,
			`firstTimestamp: Invalid value: "": needs to be unset`, `lastTimestamp: Invalid value: "": needs to be unset`,
			`count: Invalid value: "": needs to be unset`, `source: Invalid value: "": needs to be unset`,
		}},
		{"without a reporter", newEvent(func(e *eventsv1.Event) { e.ReportingController = "" }), []string{
			"reportingController: Required value",
			`reportingController: Invalid value: "": name part must be non-empty`,
			`reportingController: Invalid value: "": ` + kindtest.NotQualifiedName,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.EventsV1.Validate(tt.event)))
		})
	}
}

func TestEventsV1_OnlyTheSeriesMayChange(t *testing.T) {
	t.Parallel()
	later := metav1.NewMicroTime(kindtest.Now)
	tests := []struct {
		name   string
		change func(*eventsv1.Event)
		want   []string
	}{
		{"nothing", nil, nil},
		{"the series", func(e *eventsv1.Event) { e.Series = &eventsv1.EventSeries{Count: 2, LastObservedTime: later} }, nil},
		{"less than a microsecond", func(e *eventsv1.Event) { e.EventTime.Time = e.EventTime.Add(100 * time.Nanosecond) }, nil},
		{"everything", func(e *eventsv1.Event) {
			e.Series, e.EventTime = &eventsv1.EventSeries{}, later
			e.Regarding, e.Related = corev1.ObjectReference{Kind: "Node", Namespace: "default"}, &corev1.ObjectReference{Kind: "Pod"}
			e.Reason, e.Note, e.Type, e.Action = "R", "N", "Warning", "A"
			e.ReportingController, e.ReportingInstance = "c", "i"
			e.DeprecatedSource, e.DeprecatedCount = corev1.EventSource{Component: "c"}, 1
			e.DeprecatedFirstTimestamp, e.DeprecatedLastTimestamp = metav1.NewTime(kindtest.Now), metav1.NewTime(kindtest.Now)
		}, []string{
			`series.count: Invalid value: "": should be at least 2`, "series.lastObservedTime: Required value",
			`involvedObject: Invalid value: {"Kind":"Node","Namespace":"default","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable`,
			`reason: Invalid value: "R": field is immutable`, `message: Invalid value: "N": field is immutable`,
			`source: Invalid value: {"Component":"c","Host":""}: field is immutable`,
			`firstTimestamp: Invalid value: "2026-01-02T03:04:05Z": field is immutable`, `lastTimestamp: Invalid value: "2026-01-02T03:04:05Z": field is immutable`,
			"count: Invalid value: 1: field is immutable", `reason: Invalid value: "R": field is immutable`, `type: Invalid value: "Warning": field is immutable`,
			`eventTime: Invalid value: "2026-01-02T03:04:05.000000Z": field is immutable`, `action: Invalid value: "A": field is immutable`,
			`related: Invalid value: {"Kind":"Pod","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable`,
			`reportingController: Invalid value: "c": field is immutable`, `reportingInstance: Invalid value: "i": field is immutable`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.EventsV1.ValidateUpdate(newEvent(tt.change), newEvent(nil))))
		})
	}
}

func TestEventsV1_RoundTrips(t *testing.T) {
	t.Parallel()
	view := core.EventsV1.Stored
	kindtest.Diff(t, &eventsv1.Event{
		ObjectMeta: oldEvent(nil).ObjectMeta, Regarding: oldEvent(nil).InvolvedObject,
		Reason: "Started", Note: "Started container nginx\n", Type: "Normal",
		DeprecatedSource:         corev1.EventSource{Component: "kubelet", Host: "node-1"},
		DeprecatedFirstTimestamp: metav1.NewTime(kindtest.Now.Add(-2 * time.Minute)), DeprecatedLastTimestamp: metav1.NewTime(kindtest.Now.Add(-5 * time.Second)),
		DeprecatedCount: 3,
	}, view.From(oldEvent(nil)).(*eventsv1.Event))

	rapid.Check(t, func(t *rapid.T) {
		before := kindtest.Randomly(t, core.Event)
		there := view.From(before)
		back := view.To(there)
		if d := cmp.Diff(kindtest.Encode(t, core.Event, before), kindtest.Encode(t, core.Event, back)); d != "" {
			t.Errorf("-before +after:\n%s", d)
		}
		again := view.From(back)
		if d := cmp.Diff(kindtest.Encode(t, core.EventsV1, there), kindtest.Encode(t, core.EventsV1, again)); d != "" {
			t.Errorf("-there +again:\n%s", d)
		}
	})
}
