// Package enginetest provides a replica for tests of turns: its storage, its mirror and a paused
// clock, on a database of its own.
package enginetest

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/apimachinery"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

// Start is the cluster time at which the clocks of tests are paused: later than the creation of any
// test database.
var Start = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)

// Replica is one process of a cluster: its storage, and what its workers share.
type Replica struct {
	engine.Deps
	T     testing.TB
	URL   string
	LogOf *HeldLog // the log that the mirror follows
}

// HeldLog is the store's log. While it is held, the mirror sees nothing new.
type HeldLog struct {
	*store.Store
	held atomic.Bool
}

// Hold hides everything new from now on.
func (l *HeldLog) Hold() { l.held.Store(true) }

// Release shows it again.
func (l *HeldLog) Release() { l.held.Store(false) }

// After implements mirror.Log.
func (l *HeldLog) After(ctx context.Context, after object.Revision, limit int) ([]*object.Version, error) {
	versions, err := l.Store.After(ctx, after, limit)
	if l.held.Load() {
		return nil, err
	}
	return versions, err
}

// New starts a replica on a database of its own, with the namespace "default", at a paused time.
func New(t testing.TB) Replica {
	t.Helper()
	r := Join(t, pgtest.NewURL(t), mirror.Config{})
	if err := r.Clock.Set(t.Context(), Start); err != nil {
		t.Fatal(err)
	}
	r.Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}})
	return r
}

// Join starts one more replica on a database.
func Join(t testing.TB, url string, config mirror.Config) Replica {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url, MaxConns: 12})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	clock, err := clock.Open(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	var suffixes atomic.Int64
	r := Replica{T: t, URL: url}
	r.Deps = engine.Deps{
		Pool: pool, Clock: clock, Kinds: builtin.Catalogue(), Recorder: engine.NewRecorder(0),
		ManagerOf: controller.ManagerOf, Metrics: engine.NewMetrics(prometheus.NewRegistry()), Log: slog.New(slog.DiscardHandler),
		Draw: engine.Draw{UID: NewUID, Suffix: func() string { return fmt.Sprintf("%05d", suffixes.Add(1)) }},
	}
	quotas := &apimachinery.Quotas{}
	r.Store = store.New(pool, r.Kinds, controller.NewRouter(), store.Config{Quotas: quotas},
		func(v []*object.Version, _ []string) { r.Mirror.Committed(v) }, r.Log)
	config.Indexes = mirror.Indexes()
	r.LogOf = &HeldLog{Store: r.Store}
	config.Observers = append(config.Observers, quotas)
	r.Mirror = mirror.New(r.LogOf, config, r.Log)
	quotas.Connect(r.Mirror)
	r.Run(r.Store.Run, r.Mirror.Run)
	Eventually(t, "the mirror is loaded", func() bool { return r.Mirror.Ready() == nil })
	return r
}

// Run runs the parts until the test ends.
func (r Replica) Run(parts ...func(context.Context) error) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, part := range parts {
		running.Go(func() { _ = part(ctx) })
	}
	r.T.Cleanup(func() { stop(); running.Wait() })
}

// NewUID returns a new uid.
func NewUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

// Eventually waits until a condition holds.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}

// KindOf returns the kind of an object by its Go type.
func (r Replica) KindOf(o object.Object) *kind.Kind {
	for _, k := range r.Kinds.All() {
		if k.Stored == nil && fmt.Sprintf("%T", k.New()) == fmt.Sprintf("%T", o) {
			return k
		}
	}
	r.T.Fatalf("%T is not a kind of the catalogue", o)
	return nil
}

// Create stores an object as a client does.
func (r Replica) Create(o object.Object) *object.Version {
	r.T.Helper()
	if o.GetUID() == "" {
		o.SetUID(NewUID())
	}
	return r.Write(store.Change{Verb: object.Created, Type: &r.KindOf(o).Type, New: o, Writer: "client"})
}

// Write makes a change as a client does.
func (r Replica) Write(c store.Change) *object.Version {
	r.T.Helper()
	v, err := r.Store.Write(context.Background(), c)
	if err != nil {
		r.T.Fatal(err)
	}
	return v
}

// Remove removes an object as a client does.
func (r Replica) Remove(v *object.Version) *object.Version {
	r.T.Helper()
	return r.Write(store.Change{Verb: object.Deleted, Type: v.Type, Old: v, Writer: "client"})
}

// ConfigMap creates a ConfigMap in the namespace "default".
func (r Replica) ConfigMap(name string) *object.Version {
	r.T.Helper()
	return r.Create(ConfigMap(name))
}

// ConfigMap makes a ConfigMap in the namespace "default".
func ConfigMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

// Touched returns a copy of a ConfigMap with a value written into it.
func Touched(v *object.Version, value string) *corev1.ConfigMap {
	cm := v.Object().DeepCopyObject().(*corev1.ConfigMap)
	cm.Data = map[string]string{"value": value}
	return cm
}

// Touch writes a value into a ConfigMap as a client does.
func (r Replica) Touch(v *object.Version, value string) *object.Version {
	r.T.Helper()
	return r.Write(store.Change{Verb: object.Updated, Type: v.Type, Old: v, New: Touched(v, value), Writer: "client"})
}

// Wake asks the test's controller to sync objects now.
func (r Replica) Wake(versions ...*object.Version) {
	revisions, uids := make([]int64, len(versions)), make([]string, len(versions))
	for i, v := range versions {
		revisions[i], uids[i] = int64(v.Revision), string(v.UID)
	}
	r.Exec(`INSERT INTO wakeups (due, cause, uid, attempt, controller)
		SELECT cluster_now(), v.revision, v.uid, 0, 'test' FROM unnest($1::bigint[], $2::uuid[]) AS v (revision, uid)`, revisions, uids)
}

// Exec runs a statement, which must not fail.
func (r Replica) Exec(sql string, args ...any) {
	r.T.Helper()
	if _, err := r.Pool.Exec(context.Background(), sql, args...); err != nil {
		r.T.Errorf("%s: %v", sql, err)
	}
}

// Due is a wakeup of the test's controller.
type Due struct {
	Name    string        // of the object
	After   time.Duration // from the start; 0 if the sync is put off in real time
	Retry   bool          // it is put off
	Attempt int
}

// Wakeups returns the wakeups of the test's controller, in due order.
func (r Replica) Wakeups() []Due {
	r.T.Helper()
	rows, err := r.Pool.Query(r.T.Context(), `SELECT o.name, coalesce(w.due, $1), w.retry IS NOT NULL, w.attempt FROM wakeups w
		JOIN objects o ON o.uid = w.uid WHERE w.controller = 'test' ORDER BY w.due, o.name`, Start)
	if err != nil {
		r.T.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w Due, err error) {
		var at time.Time
		err = row.Scan(&w.Name, &at, &w.Retry, &w.Attempt)
		w.After = at.Sub(Start)
		return w, err
	})
	if err != nil {
		r.T.Fatal(err)
	}
	return all
}

// RetryNow ends the pauses of syncs that are put off.
func (r Replica) RetryNow() {
	r.T.Helper()
	r.Exec("UPDATE wakeups SET retry = '2000-01-01' WHERE retry IS NOT NULL")
}

// History returns what was written after a revision: "created configmaps/default/a by client", and
// for events their text.
func (r Replica) History(after object.Revision) []string {
	r.T.Helper()
	rows, err := r.Pool.Query(r.T.Context(), `SELECT CASE verb WHEN 'c' THEN 'created' WHEN 'u' THEN 'updated' ELSE 'deleted' END || ' ' ||
		CASE WHEN resource = 'events' THEN format('event %s %s x%s', body::json ->> 'reason', body::json ->> 'message', body::json ->> 'count')
		ELSE resource || '/' || CASE namespace WHEN '' THEN '' ELSE namespace || '/' END || name END || ' by ' || writer
		FROM log WHERE revision > $1 ORDER BY revision`, after)
	if err != nil {
		r.T.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		r.T.Fatal(err)
	}
	return all
}

// Revision returns the newest revision of the database.
func (r Replica) Revision() object.Revision {
	r.T.Helper()
	revision, _, err := r.Store.Revision(r.T.Context())
	if err != nil {
		r.T.Fatal(err)
	}
	return revision
}

// Advance moves the paused clock to a time after the start.
func (r Replica) Advance(to time.Duration) {
	r.T.Helper()
	if err := r.Clock.Set(r.T.Context(), Start.Add(to)); err != nil {
		r.T.Fatal(err)
	}
}

// View reads the mirror once it has everything that was committed.
func (r Replica) View(f func(mirror.View)) {
	r.T.Helper()
	if err := r.Mirror.Fresh(r.T.Context()); err != nil {
		r.T.Fatal(err)
	}
	r.Mirror.Read(f)
}

// Sync is a reconciler of one object.
type Sync func(v mirror.View, o *object.Version, now time.Time) plan.Plan

// Controller makes the test's own controller, called "test".
func Controller(f Sync) engine.Controller {
	return engine.Controller{
		Name: "test", UserAgent: "test-controller", Primary: "*", Batch: 16,
		Reconcile: func(v mirror.View, requests []engine.Request, now time.Time) []engine.Planned {
			var planned []engine.Planned
			for _, l := range requests {
				if o := v.UID(l.UID); o != nil {
					planned = append(planned, engine.Planned{UID: l.UID, Plan: f(v, o, now)})
				}
			}
			return planned
		},
	}
}

// Turn takes one turn, which must not fail. If the turn gave its claims back, because the mirror of
// a slow machine was behind, it is repeated.
func (r Replica) Turn(w *engine.Worker) engine.Turn {
	r.T.Helper()
	for {
		t, err := w.Turn(r.T.Context())
		if err != nil {
			r.T.Fatalf("turn: %v", err)
		}
		if !t.Behind {
			return t
		}
	}
}
