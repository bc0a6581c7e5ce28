package controller_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// expiring is a replica whose Events expire, with its controller.
func expiring(t *testing.T) (replica, *world.Expiry, *engine.Worker) {
	t.Helper()
	expiry := world.NewExpiry()
	r := joinReplica(t, pgtest.NewURL(t), mirror.Config{Observers: []mirror.Observer{expiry}})
	r.Advance(0)
	r.Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}})
	for _, c := range controller.Controllers(world.World{Kinds: r.Kinds, Expiry: expiry}) {
		if c.Name == names.EventExpiry {
			return r, expiry, engine.New(r.Deps, c)
		}
	}
	t.Fatal("there is no such controller")
	return replica{}, nil, nil
}

func anEvent(name string) *corev1.Event {
	return &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func TestExpiry_AnHourAfterTheLastWrite(t *testing.T) {
	t.Parallel()
	r, expiry, w := expiring(t)
	r.Create(anEvent("forgotten"))
	again := r.Create(anEvent("written-again"))
	r.ConfigMap("no-event")
	r.Remove(r.Create(anEvent("removed")))
	r.Advance(30 * time.Minute)
	next := again.Object().DeepCopyObject().(*corev1.Event)
	next.Count++
	r.Write(store.Change{Verb: object.Updated, Type: again.Type, Old: again, New: next, Writer: "client"})
	reload := func() { // as a mirror does that has lost its place
		expiry.Reset()
		r.Mirror.Read(func(v mirror.View) {
			v.Each("events", "", func(o *object.Version) bool { expiry.Observe(mirror.Event{New: o}); return true })
		})
	}
	type seen struct {
		At   time.Duration
		Left []string
	}
	var got []seen
	for _, at := range []time.Duration{59 * time.Minute, 59*time.Minute + 59*time.Second, time.Hour, 89 * time.Minute, 90 * time.Minute, 91 * time.Minute} {
		r.Advance(at)
		r.Turn(w)
		var left []string
		r.View(func(v mirror.View) {
			v.Each("events", "", func(o *object.Version) bool { left = append(left, o.Name); return true })
		})
		got = append(got, seen{at, left})
		reload()
	}
	all, one := []string{"forgotten", "written-again"}, []string{"written-again"}
	want := []seen{{59 * time.Minute, all}, {59*time.Minute + 59*time.Second, all}, {time.Hour, one}, {89 * time.Minute, one},
		{90 * time.Minute, nil}, {91 * time.Minute, nil}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if r.Mirror.List("configmaps", "").Len() != 1 {
		t.Error("the ConfigMap has gone")
	}
}

func TestExpiry_InBursts(t *testing.T) {
	t.Parallel()
	r, _, w := expiring(t)
	var events []object.Object
	for i := range 701 {
		events = append(events, anEvent(fmt.Sprint("e-", i)))
	}
	r.createAll(events)
	r.Advance(2 * time.Hour)
	left := []int{}
	for range 3 {
		r.Turn(w)
		left = append(left, r.Mirror.List("events", "").Len())
	}
	if diff := cmp.Diff([]int{201, 0, 0}, left); diff != "" {
		t.Errorf("events left after each look (-want +got):\n%s", diff)
	}
	if turn := r.Turn(w); len(turn.Claims) != 0 || !turn.NextDue.Equal(start.Add(3*time.Hour)) {
		t.Errorf("after that, the turn is %+v", turn)
	}
}
