package worker_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/wakeup"
	"github.com/rowlock/rowlock/internal/worker"
)

// TestTurn_FailureWaitsAlone while the other objects of its batch are worked off.
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
			a, bad, z := r.configMap("a"), r.configMap("bad"), r.configMap("z")
			r.wake(a, bad, z)
			var creating []string // what uids will be drawn for, in order
			r.Draw.UID = func() types.UID {
				name := creating[0]
				if creating = creating[1:]; name == "child-without-uid" {
					return "no-uuid"
				}
				return newUID()
			}
			c := controller(func(_ mirror.View, o *object.Version, _ time.Time) plan.Plan {
				p := create("child-of-" + o.Name)
				if o.UID == bad.UID {
					p = test.bad()
				}
				if name := p.Creates[0].Object.GetName(); !slices.Contains(creating, name) {
					creating = append(creating, name)
				}
				return p
			})
			reconcile := c.Reconcile
			c.Reconcile = func(v mirror.View, looks []worker.Look, now time.Time) []worker.Planned {
				if looks[0].Refused == nil { // else it is a second plan for one of those objects
					creating = nil
				}
				return reconcile(v, looks, now)
			}
			w := worker.New(r.Deps, c)
			if turn := r.turn(w); len(turn.Claims) != 3 || turn.Planned != nil {
				t.Errorf("the whole batch's turn is %+v", turn)
			}
			if diff := cmp.Diff([]due{{Name: "a"}, {Name: "bad"}, {Name: "z"}}, r.wakeups()); diff != "" {
				t.Errorf("wakeups after the batch failed (-want +got):\n%s", diff)
			}
			for range 3 {
				if turn := r.turn(w); len(turn.Claims) != 1 {
					t.Errorf("taken again, the turn is %+v", turn)
				}
			}
			want := []string{"created configmaps/default/child-of-a by test-controller", "created configmaps/default/child-of-z by test-controller"}
			if diff := cmp.Diff(want, r.history(z.Revision)); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]due{{Name: "bad", Retry: true, Attempt: 1}}, r.wakeups()); diff != "" {
				t.Errorf("wakeups (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTurn_FailureWaitsAlone_UnderALock, where what is to be tried again is claimed besides what is due: the looks of a failed batch are
// still taken one by one, so that the one at fault is put off.
func TestTurn_FailureWaitsAlone_UnderALock(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	bad, good := r.configMap("bad"), r.configMap("good")
	r.wake(bad, good)
	r.exec("UPDATE wakeups SET due = NULL, retry = clock_timestamp() WHERE controller = 'test' AND uid = '" + string(bad.UID) + "'")
	c := controller(func(_ mirror.View, o *object.Version, _ time.Time) plan.Plan {
		if o.UID == bad.UID {
			panic("on purpose")
		}
		return plan.Plan{}
	})
	c.Lock = wakeup.SchedulerLock
	w := worker.New(r.Deps, c)
	if turn := r.turn(w); len(turn.Claims) != 2 || turn.Planned != nil {
		t.Errorf("the whole batch's turn is %+v", turn)
	}
	for range 2 {
		if turn := r.turn(w); len(turn.Claims) != 1 {
			t.Errorf("taken again, the turn is %+v", turn)
		}
	}
	if diff := cmp.Diff([]due{{Name: "bad", Retry: true, Attempt: 1}}, r.wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

// TestTurn_BackOff doubles from 5 ms to 1000 s of real time, also while the clock stands still, and ends with the first look that
// succeeds.
func TestTurn_BackOff(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.configMap("a")
	r.wake(o)
	broken := true
	w := worker.New(r.Deps, controller(func(mirror.View, *object.Version, time.Time) plan.Plan {
		if broken {
			panic("on purpose")
		}
		return plan.Plan{}
	}))
	pause := 5 * time.Millisecond
	for attempt := 1; attempt <= 23; attempt++ {
		before := time.Now()
		r.turn(w)
		after := time.Now()
		if diff := cmp.Diff([]due{{Name: "a", Retry: true, Attempt: attempt}}, r.wakeups()); diff != "" {
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
		r.retryNow()
	}
	broken = false
	r.turn(w)
	if left := r.wakeups(); len(left) != 0 {
		t.Errorf("wakeups are left: %v", left)
	}
}

// TestTurn_NothingBeforeTheRetry, and the worker knows when that is. A look for another reason stands for the retry, too, and counts the
// failures before it.
func TestTurn_NothingBeforeTheRetry(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o, other := r.configMap("a"), r.configMap("other")
	r.wake(o)
	w := worker.New(r.Deps, controller(func(_ mirror.View, v *object.Version, _ time.Time) plan.Plan {
		if v.UID == o.UID {
			panic("on purpose")
		}
		return plan.Plan{}
	}))
	r.turn(w)
	r.exec("UPDATE wakeups SET retry = clock_timestamp() + interval '1 hour' WHERE retry IS NOT NULL")
	r.advance(24 * time.Hour)
	turn := r.turn(w)
	if left := time.Until(turn.NextRetry); len(turn.Claims) != 0 || left > time.Hour || left < 59*time.Minute {
		t.Errorf("before the pause is over, the turn is %+v, with %v left", turn, left)
	}
	r.wake(other)
	if turn := r.turn(w); len(turn.Claims) != 1 || turn.Claims[0].UID != other.UID {
		t.Errorf("another object's turn is %+v", turn)
	}
	r.wake(o)
	if turn := r.turn(w); len(turn.Claims) != 1 || len(turn.Claims[0].IDs) != 2 || turn.Claims[0].Attempt != 1 {
		t.Errorf("the turn of both looks is %+v", turn)
	}
	if diff := cmp.Diff([]due{{Name: "a", Retry: true, Attempt: 2}}, r.wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

// TestTurn_ObjectRemovedWhileItsLookFails leaves no wakeup that nobody could claim.
func TestTurn_ObjectRemovedWhileItsLookFails(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	lock := r.configMap("lock")
	o := r.configMap("a")
	r.wake(o)
	other := joinReplica(t, r.url, mirror.Config{})
	c := controller(func(mirror.View, *object.Version, time.Time) plan.Plan {
		other.remove(o) // possible, as the lock of the claim is another object's
		panic("on purpose")
	})
	c.Lock = lock.UID
	r.turn(worker.New(r.Deps, c))
	var left int
	if err := r.Pool.QueryRow(t.Context(), "SELECT count(*) FROM wakeups WHERE controller = 'test'").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d wakeups are left (%v)", left, err)
	}
}

// TestTurn_ConnectionLost between claim and commit loses nothing: the next worker finds the work as it was.
func TestTurn_ConnectionLost(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.configMap("a")
	r.wake(o)
	first := true
	c := controller(func(mirror.View, *object.Version, time.Time) plan.Plan {
		if first {
			first = false
			r.exec(`SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
				WHERE a.datname = current_database() AND a.state = 'idle in transaction'`)
		}
		return plan.Plan{Creates: []plan.Create{{Object: configMap("child")}}}
	})
	w := worker.New(r.Deps, c)
	if _, err := w.Turn(t.Context()); err == nil {
		t.Error("the turn did not fail")
	}
	if diff := cmp.Diff([]due{{Name: "a"}}, r.wakeups()); diff != "" || r.revision() != o.Revision {
		t.Errorf("revision %d; wakeups (-want +got):\n%s", r.revision(), diff)
	}
	other := joinReplica(t, r.url, mirror.Config{})
	other.turn(worker.New(other.Deps, c))
	if diff := cmp.Diff([]string{"created configmaps/default/child by test-controller"}, r.history(o.Revision)); diff != "" || len(r.wakeups()) != 0 {
		t.Errorf("wakeups %v; history (-want +got):\n%s", r.wakeups(), diff)
	}
}

// TestTurn_FinishesWhatItHasBegun although the process is about to end.
func TestTurn_FinishesWhatItHasBegun(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.configMap("a")
	r.wake(o)
	ctx, stop := context.WithCancel(t.Context())
	w := worker.New(r.Deps, controller(func(mirror.View, *object.Version, time.Time) plan.Plan {
		stop()
		return plan.Plan{Creates: []plan.Create{{Object: configMap("child")}}}
	}))
	if err := w.Run(ctx); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"created configmaps/default/child by test-controller"}, r.history(o.Revision)); diff != "" || len(r.wakeups()) != 0 {
		t.Errorf("wakeups %v; history (-want +got):\n%s", r.wakeups(), diff)
	}
	if _, err := w.Turn(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a turn after the end: %v", err)
	}
}
