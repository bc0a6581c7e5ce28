package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// recording is a worker that records the events passed to say.
func recording(r replica) (w *engine.Worker, say func(o *object.Version, events ...plan.Event)) {
	var next []plan.Event
	w = engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan { return plan.Plan{Events: next} }))
	return w, func(o *object.Version, events ...plan.Event) {
		r.T.Helper()
		next = events
		r.Wake(o)
		r.Turn(w)
	}
}

// events returns the existing events in list order: "name: reason message x3, 0s to 1m0s after the
// start".
func (r replica) events() []string {
	r.T.Helper()
	var all []string
	r.View(func(v mirror.View) {
		v.Each("events", "", func(o *object.Version) bool {
			e := o.Object().(*corev1.Event)
			all = append(all, fmt.Sprintf("%s/%s: %s %s %s x%d, %v to %v", e.Namespace, e.Name, e.Type, e.Reason, e.Message, e.Count,
				e.FirstTimestamp.Sub(start), e.LastTimestamp.Sub(start)))
			return true
		})
	})
	return all
}

func TestRecorder_TheSameEventRaisesACount(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("web")
	_, say := recording(r)
	e := said(o, "Made", "made it")
	say(o, e)
	r.Advance(time.Minute)
	say(o, e)
	r.Advance(2 * time.Minute)
	say(o, e)
	// Every visible difference makes another event.
	others := []plan.Event{e, e, e, e, e, e}
	others[0].Message, others[1].Reason, others[2].Type = "made another", "Remade", corev1.EventTypeWarning
	others[3].FieldPath, others[4].Component, others[5].Host = "data", "kubelet", "node-1"
	say(o, others...)
	name := func(n time.Duration) string { return fmt.Sprintf("default/web.%016x", start.Add(n).UnixNano()) }
	now := 2 * time.Minute
	want := []string{name(0) + ": Normal Made made it x3, 0s to 2m0s"}
	for i, what := range []string{"Normal Made made another", "Normal Remade made it", "Warning Made made it", "Normal Made made it", "Normal Made made it", "Normal Made made it"} {
		want = append(want, name(now+time.Duration(i)<<16)+": "+what+" x1, 2m0s to 2m0s")
	}
	if diff := cmp.Diff(want, r.events()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestRecorder_WritesTheWholeEvent(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("web")
	_, say := recording(r)
	e := said(o, "Made", "made it")
	e.Host, e.FieldPath = "node-1", "spec.containers{nginx}"
	say(o, e)
	var got *corev1.Event
	r.View(func(v mirror.View) {
		v.Each("events", "default", func(o *object.Version) bool { got = o.Object().(*corev1.Event); return false })
	})
	want := &corev1.Event{
		InvolvedObject: corev1.ObjectReference{Kind: "ConfigMap", APIVersion: "v1", Namespace: "default", Name: "web", UID: o.UID,
			ResourceVersion: o.Revision.ResourceVersion(), FieldPath: "spec.containers{nginx}"},
		Reason: "Made", Message: "made it", Type: "Normal", Count: 1,
		Source:              corev1.EventSource{Component: "test-controller", Host: "node-1"},
		ReportingController: "test-controller", ReportingInstance: "node-1",
	}
	want.TypeMeta, want.ObjectMeta, want.FirstTimestamp, want.LastTimestamp = got.TypeMeta, got.ObjectMeta, got.FirstTimestamp, got.LastTimestamp
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

// TestRecorder_KnowsOnlyWhatIsThere: it writes events again that were removed, or recorded by
// another replica.
func TestRecorder_KnowsOnlyWhatIsThere(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("web")
	_, say := recording(r)
	e := said(o, "Made", "made it")
	say(o, e)
	var written *object.Version
	r.View(func(v mirror.View) {
		v.Each("events", "", func(o *object.Version) bool { written = o; return false })
	})
	r.Remove(written)
	say(o, e)
	other := joinReplica(t, r.URL, mirror.Config{})
	_, sayElsewhere := recording(other)
	r.Advance(time.Second)
	if err := other.Clock.Set(t.Context(), start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	sayElsewhere(o, e)
	want := []string{
		fmt.Sprintf("default/web.%016x: Normal Made made it x1, 0s to 0s", start.UnixNano()+1<<16),
		fmt.Sprintf("default/web.%016x: Normal Made made it x1, 1s to 1s", start.UnixNano()+int64(time.Second)),
	}
	if diff := cmp.Diff(want, r.events()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestRecorder_NamesInOneMoment: they differ, also between processes, so no event about an object
// is lost while time is paused.
func TestRecorder_NamesInOneMoment(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("web")
	other := joinReplica(t, r.URL, mirror.Config{})
	other.Recorder = engine.NewRecorder(7)
	_, sayHere := recording(r)
	_, sayThere := recording(other)
	for i := range 10 {
		sayHere(o, said(o, "Said", fmt.Sprint("here ", i)))
		sayThere(o, said(o, "Said", fmt.Sprint("there ", i)))
	}
	if events := r.events(); len(events) != 20 {
		t.Errorf("of 20 events there are %d: %v", len(events), events)
	}
}

// TestRecorder_RemembersTheLast4096: it forgets the event that was recorded longest ago.
func TestRecorder_RemembersTheLast4096(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("web")
	_, say := recording(r)
	messages := func(from, to int) (events []plan.Event) {
		for i := from; i < to; i++ {
			events = append(events, said(o, "Said", fmt.Sprint(i)))
		}
		return events
	}
	for i := 0; i < 4096; i += 512 { // a turn has two seconds
		say(o, messages(i, i+512)...)
	}
	say(o, messages(0, 1)...)       // the first of them is now the latest
	say(o, messages(4096, 4097)...) // for this, the second is forgotten
	say(o, messages(0, 3)...)       // and written again, for which the third is forgotten
	counts := map[string][]int32{}
	r.View(func(v mirror.View) {
		v.Each("events", "", func(o *object.Version) bool {
			e := o.Object().(*corev1.Event)
			counts[e.Message] = append(counts[e.Message], e.Count)
			return true
		})
	})
	got := map[string][]int32{"0": counts["0"], "1": counts["1"], "2": counts["2"], "3": counts["3"], "4096": counts["4096"]}
	want := map[string][]int32{"0": {3}, "1": {1, 1}, "2": {1, 1}, "3": {1}, "4096": {1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
