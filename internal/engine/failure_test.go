package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestTurn_FailureWaitsAlone: the other objects of its batch are processed.
func TestTurn_FailureWaitsAlone(t *testing.T) {
	t.Parallel()
	create := func(name string) plan.Plan { return plan.Plan{Creates: []plan.Create{{Object: configMap(name)}}} }
	tests := []struct {
		name string
		bad  func() plan.Plan
	}{
		{"a reconciler that panics", func() plan.Plan { panic("on purpose") }},
		{"an object that cannot be encoded", func() plan.Plan {
			service := &corev1.Service{ObjectMeta: configMap("child-of-bad").ObjectMeta}
			service.Spec.Ports = []corev1.ServicePort{{TargetPort: intstr.IntOrString{Type: 9}}}
			return plan.Plan{Creates: []plan.Create{{Object: service}}}
		}},
		{"an object of no kind", func() plan.Plan {
			return plan.Plan{Creates: []plan.Create{{Object: &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "child-of-bad"}}}}}
		}},
		{"a uid that is no UUID", func() plan.Plan { return create("child-without-uid") }},
		{"a commit that the database refuses", func() plan.Plan { return create("child\x00of-bad") }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			a, bad, z := r.ConfigMap("a"), r.ConfigMap("bad"), r.ConfigMap("z")
			r.Wake(a, bad, z)
			var creating []string // what uids will be drawn for, in order
			r.Draw.UID = func() types.UID {
				if len(creating) == 0 { // for an Event
					return newUID()
				}
				name := creating[0]
				if creating = creating[1:]; name == "child-without-uid" {
					return "no-uuid"
				}
				return newUID()
			}
			c := testController(func(_ mirror.View, o *object.Version, _ time.Time) plan.Plan {
				p := create("child-of-" + o.Name)
				if o.UID == bad.UID {
					p = test.bad()
				}
				if name := p.Creates[0].Object.GetName(); !slices.Contains(creating, name) {
					creating = append(creating, name)
				}
				return p
			})
			w := engine.New(r.Deps, c)
			if turn := r.Turn(w); len(turn.Claims) != 3 || turn.Planned != nil {
				t.Errorf("the whole batch's turn is %+v", turn)
			}
			if diff := cmp.Diff([]due{{Name: "a"}, {Name: "bad"}, {Name: "z"}}, r.Wakeups()); diff != "" {
				t.Errorf("wakeups after the batch failed (-want +got):\n%s", diff)
			}
			for range 3 {
				creating = nil
				if turn := r.Turn(w); len(turn.Claims) != 1 {
					t.Errorf("taken again, the turn is %+v", turn)
				}
			}
			history := r.History(z.Revision)
			event := func(line string) bool {
				return strings.HasPrefix(line, "created event FailedSync sync failed (attempt 1, next in 5ms): ")
			}
			if len(history) != 3 || !event(history[1]) {
				t.Errorf("no Event of the failure in the history %q", history)
			}
			want := []string{"created configmaps/default/child-of-a by test-controller", "created configmaps/default/child-of-z by test-controller"}
			if diff := cmp.Diff(want, slices.DeleteFunc(history, event)); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]due{{Name: "bad", Retry: true, Attempt: 1}}, r.Wakeups()); diff != "" {
				t.Errorf("wakeups (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTurn_FailureWaitsAlone_UnderALock: retries are claimed besides due work there, and the syncs
// of a failed batch are still taken one by one, so that the one at fault is put off.
func TestTurn_FailureWaitsAlone_UnderALock(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	bad, good := r.ConfigMap("bad"), r.ConfigMap("good")
	r.Wake(bad, good)
	r.Exec("UPDATE wakeups SET due = NULL, retry = clock_timestamp() WHERE controller = 'test' AND uid = '" + string(bad.UID) + "'")
	c := testController(func(_ mirror.View, o *object.Version, _ time.Time) plan.Plan {
		if o.UID == bad.UID {
			panic("on purpose")
		}
		return plan.Plan{}
	})
	c.Lock = wakeup.SchedulerLock
	w := engine.New(r.Deps, c)
	if turn := r.Turn(w); len(turn.Claims) != 2 || turn.Planned != nil {
		t.Errorf("the whole batch's turn is %+v", turn)
	}
	for range 2 {
		if turn := r.Turn(w); len(turn.Claims) != 1 {
			t.Errorf("taken again, the turn is %+v", turn)
		}
	}
	if diff := cmp.Diff([]due{{Name: "bad", Retry: true, Attempt: 1}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

// TestTurn_BackOff: it doubles from 5 ms to 1000 s of real time, even while the clock is paused,
// and ends with the first sync that succeeds.
func TestTurn_BackOff(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Wake(o)
	broken := true
	w := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		if broken {
			panic("on purpose")
		}
		return plan.Plan{}
	}))
	pause := 5 * time.Millisecond
	for attempt := 1; attempt <= 23; attempt++ {
		before := time.Now()
		r.Turn(w)
		after := time.Now()
		if diff := cmp.Diff([]due{{Name: "a", Retry: true, Attempt: attempt}}, r.Wakeups()); diff != "" {
			t.Fatalf("wakeups (-want +got):\n%s", diff)
		}
		var retry time.Time
		if err := r.Pool.QueryRow(t.Context(), "SELECT retry FROM wakeups WHERE controller = 'test'").Scan(&retry); err != nil {
			t.Fatal(err)
		}
		if retry.Before(before.Add(pause-time.Millisecond)) || retry.After(after.Add(pause+time.Millisecond)) {
			t.Errorf("after attempt %d the pause is %v to %v, want %v", attempt, retry.Sub(after), retry.Sub(before), pause)
		}
		pause = min(2*pause, 1000*time.Second)
		r.RetryNow()
	}
	broken = false
	r.Turn(w)
	if left := r.Wakeups(); len(left) != 0 {
		t.Errorf("wakeups are left: %v", left)
	}
}

// TestTurn_NothingBeforeTheRetry: nothing happens before it, and the worker knows when that is. A
// sync for another reason replaces the retry, and counts the failures before it.
func TestTurn_NothingBeforeTheRetry(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o, other := r.ConfigMap("a"), r.ConfigMap("other")
	r.Wake(o)
	w := engine.New(r.Deps, testController(func(_ mirror.View, v *object.Version, _ time.Time) plan.Plan {
		if v.UID == o.UID {
			panic("on purpose")
		}
		return plan.Plan{}
	}))
	r.Turn(w)
	r.Exec("UPDATE wakeups SET retry = clock_timestamp() + interval '1 hour' WHERE retry IS NOT NULL")
	r.Advance(24 * time.Hour)
	turn := r.Turn(w)
	if left := time.Until(turn.NextRetry); len(turn.Claims) != 0 || left > time.Hour || left < 59*time.Minute {
		t.Errorf("before the pause is over, the turn is %+v, with %v left", turn, left)
	}
	r.Wake(other)
	if turn := r.Turn(w); len(turn.Claims) != 1 || turn.Claims[0].UID != other.UID {
		t.Errorf("another object's turn is %+v", turn)
	}
	r.Wake(o)
	if turn := r.Turn(w); len(turn.Claims) != 1 || len(turn.Claims[0].IDs) != 2 || turn.Claims[0].Attempt != 1 {
		t.Errorf("the turn of both syncs is %+v", turn)
	}
	if diff := cmp.Diff([]due{{Name: "a", Retry: true, Attempt: 2}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

// TestTurn_ObjectRemovedWhileItsLookFails: no wakeup is left behind that could never be claimed.
func TestTurn_ObjectRemovedWhileItsLookFails(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	lock := r.ConfigMap("lock")
	o := r.ConfigMap("a")
	r.Wake(o)
	other := joinReplica(t, r.URL, mirror.Config{})
	c := testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		other.Remove(o) // possible because the lock of the claim is another object's
		panic("on purpose")
	})
	c.Lock = lock.UID
	r.Turn(engine.New(r.Deps, c))
	var left int
	if err := r.Pool.QueryRow(t.Context(), "SELECT count(*) FROM wakeups WHERE controller = 'test'").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d wakeups are left (%v)", left, err)
	}
}

// TestTurn_ConnectionLost: losing the connection between claim and commit loses nothing; the next
// worker finds the work as it was.
func TestTurn_ConnectionLost(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Wake(o)
	first := true
	c := testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		if first {
			first = false
			r.Exec(`SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
				WHERE a.datname = current_database() AND a.state = 'idle in transaction'`)
		}
		return plan.Plan{Creates: []plan.Create{{Object: configMap("child")}}}
	})
	w := engine.New(r.Deps, c)
	if _, err := w.Turn(t.Context()); err == nil {
		t.Error("the turn did not fail")
	}
	if diff := cmp.Diff([]due{{Name: "a"}}, r.Wakeups()); diff != "" || r.Revision() != o.Revision {
		t.Errorf("revision %d; wakeups (-want +got):\n%s", r.Revision(), diff)
	}
	other := joinReplica(t, r.URL, mirror.Config{})
	other.Turn(engine.New(other.Deps, c))
	if diff := cmp.Diff([]string{"created configmaps/default/child by test-controller"}, r.History(o.Revision)); diff != "" || len(r.Wakeups()) != 0 {
		t.Errorf("wakeups %v; history (-want +got):\n%s", r.Wakeups(), diff)
	}
}

// TestTurn_FinishesWhatItHasBegun: it does so although the process is about to end.
func TestTurn_FinishesWhatItHasBegun(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Wake(o)
	ctx, stop := context.WithCancel(t.Context())
	w := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		stop()
		return plan.Plan{Creates: []plan.Create{{Object: configMap("child")}}}
	}))
	if err := w.Run(ctx); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"created configmaps/default/child by test-controller"}, r.History(o.Revision)); diff != "" || len(r.Wakeups()) != 0 {
		t.Errorf("wakeups %v; history (-want +got):\n%s", r.Wakeups(), diff)
	}
	if _, err := w.Turn(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a turn after the end: %v", err)
	}
}
