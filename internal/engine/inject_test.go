package engine_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

// idleLimit is how long a transaction may be idle in tests of ended sessions; overlong is longer.
const idleLimit, overlong = 120 * time.Millisecond, 160 * time.Millisecond

// An injection makes the sync of one object fail in every controller.
type injection struct {
	name   string
	strike func(*engine.Worker, *stopwatch)
	stack  bool // the log has the stack
}

var injections = []injection{
	{"a panic", func(*engine.Worker, *stopwatch) { panic("on purpose\x00") }, true},
	{"a turn that the database ends", func(*engine.Worker, *stopwatch) { time.Sleep(overlong) }, false},
	{"an over-long turn whose session ends", func(w *engine.Worker, real *stopwatch) {
		real.pass(2 * time.Second)
		w.Drop()
	}, false},
}

// database returns the URL of a new database, whose transactions may be idle for idleLimit if the
// injection is to outlast them.
func (in injection) database(t *testing.T) string {
	url := pgtest.NewURL(t)
	if in.stack {
		return url
	}
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	return url + separator + "idle_in_transaction_session_timeout=" + fmt.Sprint(idleLimit.Milliseconds())
}

// stopwatch is the real time that a test's workers see: it passes when the test says so.
type stopwatch struct{ passed atomic.Int64 }

func (s *stopwatch) pass(d time.Duration) { s.passed.Add(int64(d)) }

func (s *stopwatch) now() time.Time { return start.Add(time.Duration(s.passed.Load())) }

// injected replaces the reconciler of a controller. The new one calls strike for the object at fault
// and creates a Lease "done-NAME", which wakes no controller, for any other.
func injected(c engine.Controller, bad types.UID, strike func()) engine.Controller {
	planFor := func(o *object.Version) plan.Plan {
		if o.UID == bad {
			strike()
		}
		done := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "done-" + o.Name}}
		return plan.Plan{Creates: []plan.Create{{Object: done}}}
	}
	switch {
	case c.Gather != nil:
		c.Gather = func(v mirror.View, requests []engine.Request, _ time.Time) (all []engine.Gathered) {
			for _, q := range requests {
				if o := v.UID(q.UID); o != nil {
					all = append(all, engine.Gathered{UID: q.UID, Plan: func(*plan.Refusal) plan.Plan { return planFor(o) }})
				}
			}
			return all
		}
	default:
		c.Reconcile = func(v mirror.View, requests []engine.Request, _ time.Time) (all []engine.Planned) {
			for _, q := range requests {
				if o := v.UID(q.UID); o != nil {
					all = append(all, engine.Planned{UID: q.UID, Plan: planFor(o)})
				} else if q.UID == bad { // the row of the lock
					strike()
				}
			}
			return all
		}
	}
	return c
}

// resourceOf returns a resource whose objects the controller syncs; empty for one that only syncs
// its lock.
func resourceOf(c engine.Controller) string {
	switch {
	case c.Primary == "*":
		return "configmaps"
	case c.Primary == "" && len(c.Others) > 0:
		return c.Others[0]
	}
	return c.Primary
}

// bare stores an object that has only a name.
func (r replica) bare(k *kind.Kind, name string) *object.Version {
	r.T.Helper()
	o := k.New()
	o.SetName(name)
	o.SetUID(newUID())
	if k.Namespaced {
		o.SetNamespace("default")
	}
	return r.Write(store.Change{Verb: object.Created, Type: &k.Type, New: o, Writer: "client"})
}

// rewake leaves the controller with wakeups for these objects only.
func (r replica) rewake(controller string, uids ...types.UID) {
	r.T.Helper()
	r.Exec("DELETE FROM wakeups")
	for _, uid := range uids {
		r.Exec("INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now(), 1, $1, 0, $2)", string(uid), controller)
	}
}

// left returns the wakeups of a controller: the attempt of each uid, 0 for one that is not a retry.
func (r replica) left(controller string) map[types.UID]int {
	r.T.Helper()
	rows, err := r.Pool.Query(r.T.Context(),
		"SELECT uid::text, CASE WHEN retry IS NULL THEN 0 ELSE attempt END FROM wakeups WHERE controller = $1", controller)
	if err != nil {
		r.T.Fatal(err)
	}
	defer rows.Close()
	left := map[types.UID]int{}
	for rows.Next() {
		var uid string
		var attempt int
		if err := rows.Scan(&uid, &attempt); err != nil {
			r.T.Fatal(err)
		}
		left[types.UID(uid)] = attempt
	}
	if err := rows.Err(); err != nil {
		r.T.Fatal(err)
	}
	return left
}

// TestInjected makes the sync of one object fail in each controller: with a panic, and with a sync
// that outlasts the session. The other objects are synced. The failing one is retried after a pause
// that grows and survives the process, and an Event, the metrics and one line of the log report it.
func TestInjected(t *testing.T) {
	t.Parallel()
	for _, in := range injections {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			r := joinReplica(t, in.database(t), mirror.Config{})
			if err := r.Clock.Set(t.Context(), start); err != nil {
				t.Fatal(err)
			}
			r.bare(core.Namespace, "default")
			for _, c := range controller.Controllers(world.World{Kinds: r.Kinds}) {
				t.Run(c.Name, func(t *testing.T) {
					r := r
					r.T = t
					inject(t, r, c, in)
				})
			}
		})
	}
}

func inject(t *testing.T, r replica, c engine.Controller, in injection) {
	before := r.Revision()
	registry := prometheus.NewRegistry()
	var log logged
	r.Metrics, r.Log = engine.NewMetrics(registry), slog.New(slog.NewTextHandler(&log, nil))
	bad, good := c.Lock, []types.UID{}
	var names []string
	resource := resourceOf(c)
	if resource != "" {
		k := r.Kinds.ByResource(resource)
		bad = r.bare(k, c.Name+"-bad").UID
		for _, name := range []string{c.Name + "-a", c.Name + "-z"} {
			good, names = append(good, r.bare(k, name).UID), append(names, "done-"+name)
		}
	}
	r.rewake(c.Name, append(slices.Clone(good), bad)...)
	var w *engine.Worker
	var real stopwatch
	r.Real = real.now
	c = injected(c, bad, func() { in.strike(w, &real) })
	c.Batch = max(c.Batch, 4)
	w = engine.New(r.Deps, c)
	attempts := 0
	for atLeast := 1; atLeast <= 2; atLeast++ {
		turns := 0
		eventually(t, "only the object at fault is left", func() bool {
			left := r.left(c.Name)
			if attempts = left[bad]; len(left) == 1 && attempts >= atLeast {
				return true
			}
			if turns == 40 {
				t.Fatalf("after %d turns the wakeups are %v, want attempt %d of %s alone; logged %.2000s",
					turns, left, atLeast, bad, log.String())
			}
			turn, _ := w.Turn(t.Context()) // an error is a turn that was rolled back
			turns += min(1, len(turn.Claims))
			return false
		})
		r.RetryNow()
	}
	for attempt := 1; attempt <= attempts; attempt++ {
		lines := log.lines("level=ERROR", "retrying it later", fmt.Sprintf("attempt=%d ", attempt), string(bad))
		if len(lines) != 1 || strings.Contains(lines[0], "stack=") != in.stack {
			t.Errorf("logged %q, want one line, with a stack: %v", lines, in.stack)
		}
	}
	if n := counted(t, registry, "rowlock_worker_put_off_total"); n < float64(attempts) || in.stack && n > 2 {
		t.Errorf("put off %v times, after %d attempts", n, attempts)
	}
	metric := "rowlock_worker_ended_sessions_total"
	if in.stack {
		metric = "rowlock_worker_panics_total"
	}
	if n := counted(t, registry, metric); n < 2 {
		t.Errorf("%s is %v", metric, n)
	}
	var done, events int
	history := r.History(before)
	for _, line := range history {
		if slices.ContainsFunc(names, func(name string) bool {
			return strings.Contains(line, "created leases.coordination.k8s.io/default/"+name+" ")
		}) {
			done++
		}
		if strings.HasPrefix(line, "created event FailedSync sync failed (attempt ") {
			events++
		}
	}
	if wantEvents := attempts * min(1, len(good)); done != len(good) || events < wantEvents {
		t.Errorf("%d of %d others were synced, and %d Events written, want %d; history %q",
			done, len(good), events, wantEvents, history)
	}
}

// TestInjected_Slow makes one sync of each controller slow by the process's own clock. The turn
// commits the plans that it has made, the next takes fewer objects, the one after it more again, and
// every object is synced once.
func TestInjected_Slow(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	for _, c := range controller.Controllers(world.World{Kinds: r.Kinds}) {
		injectSlow(t, r, c)
	}
}

func injectSlow(t *testing.T, r replica, c engine.Controller) {
	const objects = 8
	registry := prometheus.NewRegistry()
	var log logged
	r.Metrics, r.Log = engine.NewMetrics(registry), slog.New(slog.NewTextHandler(&log, nil))
	slow, uids := c.Lock, []types.UID{c.Lock}
	if resource := resourceOf(c); resource != "" {
		uids = nil
		for i := range objects {
			uids = append(uids, r.bare(r.Kinds.ByResource(resource), fmt.Sprint(c.Name, "-", i)).UID)
		}
		slow = uids[objects/2]
	}
	r.rewake(c.Name, uids...)
	before := r.Revision()
	var real stopwatch
	r.Real = real.now
	c = injected(c, slow, func() { real.pass(1100 * time.Millisecond) })
	c.Batch = objects
	w := engine.New(r.Deps, c)
	limit := objects
	for turns := 0; len(r.left(c.Name)) > 0; turns++ {
		if turns == objects {
			t.Fatalf("%s: after %d turns the wakeups are %v", c.Name, turns, r.left(c.Name))
		}
		turn := r.Turn(w)
		n := len(turn.Claims)
		if n == 0 || n > limit {
			t.Errorf("%s: turn %d claimed %d objects, want 1 to %d", c.Name, turns, n, limit)
		}
		limit = min(objects, 2*limit)
		if turns == 0 {
			limit = max(1, n/2)
			if c.Lock == "" && turn.Claims[n-1].UID != slow { // under a lock, all are one decision
				t.Errorf("%s: the slow turn claimed %v, want %s to be the last", c.Name, turn.Claims, slow)
			}
		}
		if n := counted(t, registry, "rowlock_worker_batch_limit"); n != float64(limit) {
			t.Errorf("%s: after turn %d the next may take %v objects, want %d", c.Name, turns, n, limit)
		}
	}
	history := strings.Join(r.History(before), "\n")
	for i := range uids {
		done := fmt.Sprintf("created leases.coordination.k8s.io/default/done-%s-%d ", c.Name, i)
		if n := strings.Count(history, done); resourceOf(c) != "" && n != 1 {
			t.Errorf("%s: object %d was synced %d times; history %s", c.Name, i, n, history)
		}
	}
	for _, metric := range []string{"rowlock_worker_put_off_total", "rowlock_worker_failures_total", "rowlock_worker_ended_sessions_total"} {
		if n := counted(t, registry, metric); n != 0 {
			t.Errorf("%s: %s is %v; logged %s", c.Name, metric, n, log.String())
		}
	}
}

// TestInjected_TwoReplicas makes the sync of one object fail in two replicas that work at the same
// time: each attempt is put off once, in whichever replica, and the other objects are synced.
func TestInjected_TwoReplicas(t *testing.T) {
	t.Parallel()
	for _, in := range injections {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			url := in.database(t)
			one := joinReplica(t, url, mirror.Config{})
			two := joinReplica(t, url, mirror.Config{})
			one.bare(core.Namespace, "default")
			bad := one.bare(core.ConfigMap, "bad").UID
			uids := []types.UID{bad}
			for i := range 20 {
				uids = append(uids, one.bare(core.ConfigMap, fmt.Sprint("good-", i)).UID)
			}
			one.rewake("test", uids...)
			var log logged
			for _, r := range []replica{one, two} {
				r.Log = slog.New(slog.NewTextHandler(&log, nil))
				var w *engine.Worker
				w = engine.New(r.Deps, injected(testController(nil), bad, func() { in.strike(w, &stopwatch{}) }))
				r.Run(w.Run)
			}
			var left map[types.UID]int
			eventually(t, "only the object at fault is left, and has failed four times", func() bool {
				left = one.left("test")
				return len(left) == 1 && left[bad] >= 4
			})
			for attempt := 1; attempt <= 3; attempt++ {
				if lines := log.lines("level=ERROR", "retrying it later", fmt.Sprintf("attempt=%d ", attempt), string(bad)); len(lines) != 1 {
					t.Errorf("logged %q, want one line for attempt %d", lines, attempt)
				}
			}
			done := 0
			for _, line := range one.History(0) {
				if strings.Contains(line, "created leases.coordination.k8s.io/default/done-good-") {
					done++
				}
			}
			if done != 20 {
				t.Errorf("%d of 20 others were synced", done)
			}
		})
	}
}
