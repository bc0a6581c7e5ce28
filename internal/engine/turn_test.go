package engine_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/engine/enginetest"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/plan"
)

// said makes an event about an object.
func said(about *object.Version, reason, message string) plan.Event {
	return plan.Event{Regarding: about.Object(), Type: corev1.EventTypeNormal, Reason: reason, Message: message, Component: "test-controller"}
}

func TestTurn_PlanAndAcknowledgementCommitTogether(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	r.Exec(`CREATE TABLE acknowledged (id bigint, by xid8)`)
	r.Exec(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN INSERT INTO acknowledged VALUES (old.id, pg_current_xact_id()); RETURN NULL; END $$`)
	r.Exec(`CREATE TRIGGER note AFTER DELETE ON wakeups FOR EACH ROW WHEN (old.controller = 'test') EXECUTE FUNCTION note()`)
	parent := r.ConfigMap("parent")
	old := r.ConfigMap("old")
	r.Wake(parent, parent, old) // two wakeups of one object are one sync
	before := r.Revision()

	turn := r.Turn(engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
		if o.UID != parent.UID {
			return plan.Plan{}
		}
		child := configMap("")
		child.GenerateName = "child-"
		made := said(parent, "Made", "made %s")
		made.MessageOfCreate = 1
		removed := said(parent, "Removed", "removed old")
		removed.OfDelete = 1
		return plan.Plan{
			Updates: []plan.Update{{Object: touched(parent, "1")}},
			Creates: []plan.Create{{Object: child}},
			Deletes: []plan.Delete{{Object: v.UID(old.UID).Object()}},
			Events:  []plan.Event{made, removed, said(parent, "Updated", "updated itself")},
			WakeAt:  start.Add(time.Minute),
		}
	})))

	if len(turn.Claims) != 2 || len(turn.Claims[0].IDs) != 2 || len(turn.Planned) != 2 {
		t.Errorf("the turn was %+v", turn)
	}
	want := []string{
		"updated configmaps/default/parent by test-controller",
		"created configmaps/default/child-00001 by test-controller",
		"deleted configmaps/default/old by test-controller",
		"created event Made made child-00001 x1 by test-controller",
		"created event Removed removed old x1 by test-controller",
		"created event Updated updated itself x1 by test-controller",
	}
	if diff := cmp.Diff(want, r.History(before)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]due{{Name: "parent", After: time.Minute}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
	var transactions, causes, acknowledged int
	err := r.Pool.QueryRow(t.Context(), `SELECT count(DISTINCT x), count(DISTINCT cause), (SELECT count(*) FROM acknowledged) FROM (
		SELECT xmin::text AS x, cause FROM log WHERE revision > $1 UNION ALL SELECT by::text, $2 FROM acknowledged) AS all_`,
		before, parent.Revision).Scan(&transactions, &causes, &acknowledged)
	if err != nil || transactions != 1 || causes != 1 || acknowledged != 3 {
		t.Errorf("%d transactions, %d causes, %d wakeups acknowledged: want 1, 1, 3 (%v)", transactions, causes, acknowledged, err)
	}
}

func TestTurn_WakeupDuringALookIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Wake(o)
	syncs := 0
	w := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		if syncs++; syncs == 1 {
			r.Wake(o)
		}
		return plan.Plan{}
	}))
	r.Turn(w)
	if diff := cmp.Diff([]due{{Name: "a"}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups after the first sync (-want +got):\n%s", diff)
	}
	r.Turn(w)
	r.Turn(w)
	if diff := cmp.Diff([]due(nil), r.Wakeups(), cmpopts.EquateEmpty()); diff != "" || syncs != 2 {
		t.Errorf("%d syncs; wakeups (-want +got):\n%s", syncs, diff)
	}
}

// TestTurn_PausesInRealTime: a worker pauses in real time before it syncs again, whatever the clock
// does.
func TestTurn_PausesInRealTime(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0, 1, 100_000} {
		t.Run(fmt.Sprint("speed ", speed), func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Exec("UPDATE clock SET anchor_cluster = cluster_now(), anchor_real = clock_timestamp(), speed = $1", speed)
			r.Wake(parent)
			end := lockRow(t, r, x)
			defer end()
			w := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
				return plan.Plan{Updates: []plan.Update{{Object: touched(x, "planned")}}, Creates: []plan.Create{{Object: configMap("child")}}}
			}))
			before := time.Now()
			r.Turn(w)
			after := time.Now()
			var retry time.Time
			if err := r.Pool.QueryRow(t.Context(), "SELECT retry FROM wakeups WHERE controller = 'test'").Scan(&retry); err != nil {
				t.Fatal(err)
			}
			const pause = 15 * time.Millisecond
			if retry.Before(before.Add(pause-time.Millisecond)) || retry.After(after.Add(pause+time.Millisecond)) {
				t.Errorf("the pause is %v to %v, want %v", retry.Sub(after), retry.Sub(before), pause)
			}
		})
	}
}

// TestTurn_NothingToDo: a turn that finds no work is not contended: no other worker holds its lock.
func TestTurn_NothingToDo(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	lock := r.ConfigMap("lock")
	nothing := func(mirror.View, *object.Version, time.Time) plan.Plan { return plan.Plan{} }
	under, remembers := testController(nothing), testController(nothing)
	under.Lock, remembers.Remembers = lock.UID, true
	for name, c := range map[string]engine.Controller{"claim": testController(nothing), "claim_under": under, "claim with memory": remembers} {
		if turn := r.Turn(engine.New(r.Deps, c)); turn.Contended || len(turn.Claims) != 0 || !turn.NextDue.IsZero() || !turn.NextRetry.IsZero() {
			t.Errorf("%s: the turn is %+v", name, turn)
		}
	}
}

func TestTurn_WakeAt(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Wake(o)
	var syncs []time.Duration
	w := engine.New(r.Deps, testController(func(_ mirror.View, _ *object.Version, now time.Time) plan.Plan {
		syncs = append(syncs, now.Sub(start))
		if len(syncs) == 3 {
			return plan.Plan{}
		}
		return plan.Plan{WakeAt: now.Add(time.Hour)}
	}))
	// Times of decisions are whole seconds, because objects hold no others.
	for _, at := range []time.Duration{0, time.Hour - time.Millisecond, time.Hour, 2*time.Hour + 900*time.Millisecond, 9 * time.Hour} {
		r.Advance(at)
		r.Turn(w)
	}
	if diff := cmp.Diff([]time.Duration{0, time.Hour, 2 * time.Hour}, syncs); diff != "" {
		t.Errorf("syncs (-want +got):\n%s", diff)
	}
}

// TestTurn_GivesBackWhatTheMirrorHasNotReached: a claim that the mirror has not reached is given back.
// That is neither an error nor a warning: a busy process reads the log a little later.
func TestTurn_GivesBackWhatTheMirrorHasNotReached(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	held := joinReplica(t, r.URL, mirror.Config{})
	registry := prometheus.NewRegistry()
	var log logged
	held.Metrics, held.Log = engine.NewMetrics(registry), slog.New(slog.NewTextHandler(&log, nil))
	held.LogOf.Hold()
	o := r.ConfigMap("a")
	r.Wake(o)
	var seen []string
	w := engine.New(held.Deps, testController(func(_ mirror.View, o *object.Version, _ time.Time) plan.Plan {
		seen = append(seen, o.Name)
		return plan.Plan{}
	}))
	for _, atLeast := range []time.Duration{200 * time.Millisecond, 400 * time.Millisecond} { // longer each time
		began := time.Now()
		turn, err := w.Turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < atLeast {
			t.Errorf("the turn took %v", took)
		}
		if !turn.Behind || turn.Revision != o.Revision || len(seen) != 0 {
			t.Errorf("the turn is %+v, after syncs of %v", turn, seen)
		}
		// The mirror may use a connection of its own for a moment.
		enginetest.Eventually(t, "the turn has given its connection back", func() bool { return held.Pool.Stat().AcquiredConns() == 0 })
		if diff := cmp.Diff([]due{{Name: "a"}}, r.Wakeups()); diff != "" {
			t.Errorf("wakeups (-want +got):\n%s", diff)
		}
	}
	if n := counted(t, registry, "rowlock_worker_mirror_behind_total"); n != 2 || log.String() != "" {
		t.Errorf("counted %v, logged %q", n, log.String())
	}
	held.LogOf.Release()
	held.Turn(w) // waits a little, until the mirror is new enough
	if diff := cmp.Diff([]string{"a"}, seen); diff != "" || len(r.Wakeups()) != 0 {
		t.Errorf("wakeups %v; syncs (-want +got):\n%s", r.Wakeups(), diff)
	}
}

func TestTurn_AsksAgainWhenCreatesAreRefused(t *testing.T) {
	t.Parallel()
	now := metav1.Time{Time: start}
	tests := []struct {
		name  string
		plans []string // names to create, as namespace/name
		want  *plan.Refusal
	}{
		{"all are free", []string{"default/a", "default/b"}, nil},
		{"generated names are not looked for", []string{"default/*", "default/*"}, nil},
		{"a name is taken", []string{"default/a", "default/taken"}, &plan.Refusal{
			Admitted: 1, Reason: metav1.StatusReasonAlreadyExists, Message: `configmaps "taken" already exists`,
		}},
		{"one with a name is not valid, though the one before it is", []string{"default/a", "default/-"}, &plan.Refusal{
			Admitted: 1, Reason: metav1.StatusReasonInvalid,
			Message: `ConfigMap "-" is invalid: metadata.name: Invalid value: "-": a lowercase RFC 1123 subdomain must consist of ` +
				`lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
				`(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{"a namespace is being terminated", []string{"ending/a"}, &plan.Refusal{
			Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true,
			Message: `configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated`,
		}},
		{"the first refusal counts", []string{"default/a", "ending/taken", "default/taken"}, &plan.Refusal{
			Admitted: 1, Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true,
			Message: `configmaps "taken" is forbidden: unable to create new content in namespace ending because it is being terminated`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			r.Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ending", DeletionTimestamp: &now}})
			r.ConfigMap("taken")
			parent := r.ConfigMap("parent")
			r.Wake(parent)
			var asked []*plan.Refusal
			c := testController(nil)
			c.Reconcile = func(_ mirror.View, requests []engine.Request, _ time.Time) []engine.Planned {
				asked = append(asked, requests[0].Refused)
				var p plan.Plan
				for i, name := range test.plans {
					if refused := requests[0].Refused; refused != nil && i >= refused.Admitted {
						break
					}
					cm := configMap("")
					cm.Namespace, cm.Name, _ = strings.Cut(name, "/")
					if cm.Name == "*" {
						cm.Name, cm.GenerateName = "", "g-"
					}
					p.Creates = append(p.Creates, plan.Create{Object: cm})
				}
				return []engine.Planned{{UID: requests[0].UID, Plan: p}}
			}
			r.Turn(engine.New(r.Deps, c))
			want := []*plan.Refusal{nil}
			created := len(test.plans)
			if test.want != nil {
				want, created = append(want, test.want), test.want.Admitted
			}
			if diff := cmp.Diff(want, asked); diff != "" {
				t.Errorf("refusals in requests (-want +got):\n%s", diff)
			}
			if got := r.History(parent.Revision); len(got) != created {
				t.Errorf("written %q, want %d creations", got, created)
			}
		})
	}
}

func TestRun_EndsWhenNothingIsDue(t *testing.T) {
	t.Parallel()
	r := joinReplica(t, pgtest.NewURL(t), mirror.Config{})
	w := engine.New(r.Deps, testController(nil))
	r.Run(w.Run) // the end of the test waits for it
	w.Wake()
	w.Wake()
}

// TestTurn_LeavesTheRest: a slow turn leaves the rest of its objects to the next, without an error and
// without acknowledging them.
func TestTurn_LeavesTheRest(t *testing.T) {
	t.Parallel()
	for name, gather := range map[string]bool{"reconcile": false, "gather": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			registry := prometheus.NewRegistry()
			r.Metrics = engine.NewMetrics(registry)
			var all []*object.Version
			for i := range 8 {
				all = append(all, r.ConfigMap(fmt.Sprint("o-", i)))
			}
			var real stopwatch
			r.Real = real.now
			slow := 550 * time.Millisecond
			c := testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
				real.pass(slow)
				return plan.Plan{}
			})
			c.Batch = 8
			if gather {
				reconcile := c.Reconcile
				c.Reconcile, c.Gather = nil, func(v mirror.View, requests []engine.Request, now time.Time) (all []engine.Gathered) {
					for _, p := range reconcile(v, nil, now) {
						t.Error("planned without a request", p)
					}
					for _, q := range requests {
						all = append(all, engine.Gathered{UID: q.UID, Plan: func(*plan.Refusal) plan.Plan {
							real.pass(slow)
							return plan.Plan{}
						}})
					}
					return all
				}
			}
			r.Wake(all...)
			w := engine.New(r.Deps, c)
			if turn := r.Turn(w); len(turn.Claims) != 1 {
				t.Errorf("a slow turn claimed %d objects, want 1", len(turn.Claims))
			}
			if left := r.Wakeups(); len(left) != 7 {
				t.Errorf("%d wakeups are left, want 7", len(left))
			}
			slow = 0
			if turn := r.Turn(w); len(turn.Claims) != 7 {
				t.Errorf("the next turn claimed %d objects, want all 7", len(turn.Claims))
			}
		})
	}
}
