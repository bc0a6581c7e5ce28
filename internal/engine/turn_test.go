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
	looks := 0
	w := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		if looks++; looks == 1 {
			r.Wake(o)
		}
		return plan.Plan{}
	}))
	r.Turn(w)
	if diff := cmp.Diff([]due{{Name: "a"}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups after the first look (-want +got):\n%s", diff)
	}
	r.Turn(w)
	r.Turn(w)
	if diff := cmp.Diff([]due(nil), r.Wakeups(), cmpopts.EquateEmpty()); diff != "" || looks != 2 {
		t.Errorf("%d looks; wakeups (-want +got):\n%s", looks, diff)
	}
}

// TestTurn_LeavesOutAlone: a change that cannot be made now is left out alone, and its object
// synced again.
func TestTurn_LeavesOutAlone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		// What another process does to the object x before or during the sync; end ends the
		// hindrance.
		before, during func(t *testing.T, other replica, x *object.Version) (end func())
	}{
		{name: "an object that is locked", before: lockRow},
		{name: "an object that is locked during the look", during: lockRow},
		{name: "an object that moves on during the look", during: func(_ *testing.T, r replica, x *object.Version) func() {
			r.Touch(x, "by a client")
			return func() {}
		}},
		{name: "an object that goes during the look", during: func(_ *testing.T, r replica, x *object.Version) func() {
			r.Remove(x)
			return func() {}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			other := joinReplica(t, r.URL, mirror.Config{})
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Wake(parent)
			end := func() {}
			if test.before != nil {
				end = test.before(t, other, x)
			}
			looks := 0
			w := engine.New(r.Deps, testController(func(v mirror.View, _ *object.Version, _ time.Time) plan.Plan {
				if looks++; looks == 1 && test.during != nil {
					end = test.during(t, other, x)
				}
				var p plan.Plan
				if now := v.UID(x.UID); now != nil {
					p.Updates = []plan.Update{{Object: touched(now, "planned")}}
					p.Events = []plan.Event{said(now, "Touched", "touched x")}
				}
				if looks == 1 {
					p.Creates = []plan.Create{{Object: configMap("child")}}
					made := said(parent, "Made", "made %s")
					made.MessageOfCreate = 1
					p.Events = append(p.Events, made)
				}
				return p
			}))
			r.Turn(w)
			want := []string{"created configmaps/default/child by test-controller", "created event Made made child x1 by test-controller"}
			if diff := cmp.Diff(want, by(r.History(parent.Revision), "test-controller")); diff != "" {
				t.Errorf("history of the first look (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]due{{Name: "parent", Retry: true}}, r.Wakeups()); diff != "" {
				t.Errorf("wakeups after the first look (-want +got):\n%s", diff)
			}
			end()
			if err := r.Mirror.Fresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := r.Revision()
			r.RetryNow()
			r.Turn(w)
			want = []string{"updated configmaps/default/x by test-controller", "created event Touched touched x x1 by test-controller"}
			if strings.Contains(test.name, "goes") {
				want = nil
			}
			if diff := cmp.Diff(want, r.History(after), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("history of the second look (-want +got):\n%s", diff)
			}
			if left := r.Wakeups(); len(left) != 0 {
				t.Errorf("wakeups are left: %v", left)
			}
		})
	}
}

// TestTurn_LeavesOutWhatNeedsIt: a change is not made if one that it needs is left out, and its
// event is not written.
func TestTurn_LeavesOutWhatNeedsIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		during func(r replica, x *object.Version)
		want   []string
	}{
		{"nothing is in the way", func(replica, *object.Version) {}, []string{
			"deleted configmaps/default/x by test-controller", "created configmaps/default/child by test-controller",
			"updated configmaps/default/parent by test-controller", "created event Made made child x1 by test-controller",
		}},
		{"what is to be deleted has moved on", func(r replica, x *object.Version) { r.Touch(x, "by a client") }, nil},
		{"the name is taken", func(r replica, _ *object.Version) { r.ConfigMap("child") }, []string{"deleted configmaps/default/x by test-controller"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			other := joinReplica(t, r.URL, mirror.Config{})
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Wake(parent)
			w := engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
				test.during(other, x)
				made := said(o, "Made", "made %s")
				made.MessageOfCreate = 1
				return plan.Plan{
					Updates: []plan.Update{{Object: touched(o, "made a child"), NeedsCreate: 1}},
					Creates: []plan.Create{{Object: configMap("child"), NeedsDelete: 1}},
					Deletes: []plan.Delete{{Object: v.UID(x.UID).Object()}},
					Events:  []plan.Event{made},
				}
			}))
			r.Turn(w)
			if diff := cmp.Diff(test.want, by(r.History(x.Revision), "test-controller"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			want := []due(nil)
			if len(test.want) < 4 {
				want = []due{{Name: "parent", Retry: true}}
			}
			if diff := cmp.Diff(want, r.Wakeups(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("wakeups (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTurn_TellsOfNoUpdateThatIsLeftOut: an event is not written until the update that it reports
// is made.
func TestTurn_TellsOfNoUpdateThatIsLeftOut(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	other := joinReplica(t, r.URL, mirror.Config{})
	parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
	r.Wake(parent)
	first := true
	w := engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
		current := v.UID(x.UID)
		if first {
			other.Touch(x, "by a client")
		}
		first = false
		scaled := said(o, "Scaled", "scaled x")
		scaled.OfUpdate = x.UID
		return plan.Plan{Updates: []plan.Update{{Object: touched(current, "scaled")}}, Events: []plan.Event{scaled}}
	}))
	r.Turn(w)
	if h := by(r.History(x.Revision), "test-controller"); len(h) > 0 {
		t.Errorf("the first look did %v", h)
	}
	if err := r.Mirror.Fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.RetryNow()
	r.Turn(w)
	want := []string{"updated configmaps/default/x by test-controller", "created event Scaled scaled x x1 by test-controller"}
	if diff := cmp.Diff(want, by(r.History(x.Revision), "test-controller")); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
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

// lockRow locks the object in a transaction of another process.
func lockRow(t *testing.T, r replica, x *object.Version) (end func()) {
	tx, err := r.Pool.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), "SELECT FROM objects WHERE uid = $1 FOR NO KEY UPDATE", x.UID)
	}
	if err != nil {
		t.Errorf("lock %s: %v", x.Key(), err)
	}
	return func() { _ = tx.Rollback(t.Context()) } // a transaction ended by its session's time limit is over too
}

// by returns the lines of a history that one writer wrote.
func by(history []string, writer string) (own []string) {
	for _, line := range history {
		if strings.HasSuffix(line, " by "+writer) {
			own = append(own, line)
		}
	}
	return own
}

// TestTurn_OneChangeANameAndTransaction: the second of two plans for one name is left out, and its
// object synced again.
func TestTurn_OneChangeANameAndTransaction(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	a, b := r.ConfigMap("a"), r.ConfigMap("b")
	r.Wake(a, b)
	w := engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
		if v.Get(object.Key{Resource: "configmaps", Namespace: "default", Name: "both"}) != nil {
			return plan.Plan{}
		}
		made := said(o, "Made", o.Name+" made %s")
		made.MessageOfCreate = 1
		return plan.Plan{Creates: []plan.Create{{Object: configMap("both")}}, Events: []plan.Event{made}}
	}))
	r.Turn(w)
	want := []string{"created configmaps/default/both by test-controller", "created event Made a made both x1 by test-controller"}
	if diff := cmp.Diff(want, r.History(b.Revision)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]due{{Name: "b", Retry: true}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

// TestTurn_NothingToDo: this is not the same as a lock that another holds.
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
	var looks []time.Duration
	w := engine.New(r.Deps, testController(func(_ mirror.View, _ *object.Version, now time.Time) plan.Plan {
		looks = append(looks, now.Sub(start))
		if len(looks) == 3 {
			return plan.Plan{}
		}
		return plan.Plan{WakeAt: now.Add(time.Hour)}
	}))
	// Times of decisions are whole seconds, because objects hold no others.
	for _, at := range []time.Duration{0, time.Hour - time.Millisecond, time.Hour, 2*time.Hour + 900*time.Millisecond, 9 * time.Hour} {
		r.Advance(at)
		r.Turn(w)
	}
	if diff := cmp.Diff([]time.Duration{0, time.Hour, 2 * time.Hour}, looks); diff != "" {
		t.Errorf("looks (-want +got):\n%s", diff)
	}
}

// TestTurn_GivesBackWhatTheMirrorHasNotReached: this is neither an error nor a warning: a busy
// process reads the log a little later.
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
		{"a name is taken", []string{"default/a", "default/taken"},
			&plan.Refusal{Admitted: 1, Reason: metav1.StatusReasonAlreadyExists, Message: `configmaps "taken" already exists`}},
		{"one with a name is not valid, though the one before it is", []string{"default/a", "default/-"},
			&plan.Refusal{Admitted: 1, Reason: metav1.StatusReasonInvalid, Message: `ConfigMap "-" is invalid: metadata.name: Invalid value: "-": ` +
				`a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
				`(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`}},
		{"a namespace is being terminated", []string{"ending/a"},
			&plan.Refusal{Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true,
				Message: `configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated`}},
		{"the first refusal counts", []string{"default/a", "ending/taken", "default/taken"},
			&plan.Refusal{Admitted: 1, Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true,
				Message: `configmaps "taken" is forbidden: unable to create new content in namespace ending because it is being terminated`}},
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
			c.Reconcile = func(_ mirror.View, looks []engine.Request, _ time.Time) []engine.Planned {
				asked = append(asked, looks[0].Refused)
				var p plan.Plan
				for i, name := range test.plans {
					if refused := looks[0].Refused; refused != nil && i >= refused.Admitted {
						break
					}
					cm := configMap("")
					cm.Namespace, cm.Name, _ = strings.Cut(name, "/")
					if cm.Name == "*" {
						cm.Name, cm.GenerateName = "", "g-"
					}
					p.Creates = append(p.Creates, plan.Create{Object: cm})
				}
				return []engine.Planned{{UID: looks[0].UID, Plan: p}}
			}
			r.Turn(engine.New(r.Deps, c))
			want := []*plan.Refusal{nil}
			created := len(test.plans)
			if test.want != nil {
				want, created = append(want, test.want), test.want.Admitted
			}
			if diff := cmp.Diff(want, asked); diff != "" {
				t.Errorf("looks (-want +got):\n%s", diff)
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
