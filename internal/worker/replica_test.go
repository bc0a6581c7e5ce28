package worker_test

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
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/worker"
)

// start is the cluster time at which clocks of tests stand still: later than all that databases were made at.
var start = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)

// replica is a process of a cluster: its storage, and what its workers share.
type replica struct {
	worker.Deps
	t   testing.TB
	url string
	log *heldLog // what the mirror follows
}

// heldLog is the store's log, of which the mirror sees nothing new while it is held.
type heldLog struct {
	*store.Store
	held atomic.Bool
}

func (l *heldLog) hold()    { l.held.Store(true) }
func (l *heldLog) release() { l.held.Store(false) }

// After implements mirror.Log.
func (l *heldLog) After(ctx context.Context, after object.Revision, limit int) ([]*object.Version, error) {
	versions, err := l.Store.After(ctx, after, limit)
	if l.held.Load() {
		return nil, err
	}
	return versions, err
}

// newReplica starts a replica on a database of its own, with the namespace "default", at a time that stands still.
func newReplica(t testing.TB) replica {
	t.Helper()
	r := joinReplica(t, pgtest.NewURL(t), mirror.Config{})
	if err := r.Clock.Set(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	r.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}})
	return r
}

// joinReplica starts one more replica on a database.
func joinReplica(t testing.TB, url string, config mirror.Config) replica {
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
	r := replica{t: t, url: url}
	r.Deps = worker.Deps{
		Pool: pool, Clock: clock, Kinds: kind.Default(), Recorder: worker.NewRecorder(0),
		Metrics: worker.NewMetrics(prometheus.NewRegistry()), Log: slog.New(slog.DiscardHandler),
		Draw: worker.Draw{UID: newUID, Suffix: func() string { return fmt.Sprintf("%05d", suffixes.Add(1)) }},
	}
	quotas := &worker.Quotas{}
	r.Store = store.New(pool, r.Kinds, store.Config{Quotas: quotas}, func(v []*object.Version, _ []string) { r.Mirror.Committed(v) }, r.Log)
	config.Indexes = mirror.Indexes()
	r.log = &heldLog{Store: r.Store}
	config.Observers = append(config.Observers, quotas)
	r.Mirror = mirror.New(r.log, config, r.Log)
	quotas.Connect(r.Mirror)
	r.run(r.Store.Run, r.Mirror.Run)
	eventually(t, "the mirror is loaded", func() bool { return r.Mirror.Ready() == nil })
	return r
}

// run runs the parts until the test ends.
func (r replica) run(parts ...func(context.Context) error) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, part := range parts {
		running.Go(func() { _ = part(ctx) })
	}
	r.t.Cleanup(func() { stop(); running.Wait() })
}

func newUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}

// kindOf is the kind of an object by its Go type.
func (r replica) kindOf(o object.Object) *kind.Kind {
	for _, k := range r.Kinds.All() {
		if k.Stored == nil && fmt.Sprintf("%T", k.New()) == fmt.Sprintf("%T", o) {
			return k
		}
	}
	r.t.Fatalf("%T is no kind of the catalogue", o)
	return nil
}

// create stores an object as a client does.
func (r replica) create(o object.Object) *object.Version {
	r.t.Helper()
	if o.GetUID() == "" {
		o.SetUID(newUID())
	}
	return r.write(store.Change{Verb: object.Created, Type: &r.kindOf(o).Type, New: o, Writer: "client"})
}

func (r replica) write(c store.Change) *object.Version {
	r.t.Helper()
	v, err := r.Store.Write(context.Background(), c)
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// remove removes an object as a client does.
func (r replica) remove(v *object.Version) *object.Version {
	r.t.Helper()
	return r.write(store.Change{Verb: object.Deleted, Type: v.Type, Old: v, Writer: "client"})
}

// configMap creates a ConfigMap in the namespace "default".
func (r replica) configMap(name string) *object.Version {
	r.t.Helper()
	return r.create(configMap(name))
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

// touched is a copy of a ConfigMap with a value written into it.
func touched(v *object.Version, value string) *corev1.ConfigMap {
	cm := v.Object().DeepCopyObject().(*corev1.ConfigMap)
	cm.Data = map[string]string{"value": value}
	return cm
}

// touch writes a value into a ConfigMap as a client does.
func (r replica) touch(v *object.Version, value string) *object.Version {
	r.t.Helper()
	return r.write(store.Change{Verb: object.Updated, Type: v.Type, Old: v, New: touched(v, value), Writer: "client"})
}

// wake asks the test's controller to look at objects now.
func (r replica) wake(versions ...*object.Version) {
	revisions, uids := make([]int64, len(versions)), make([]string, len(versions))
	for i, v := range versions {
		revisions[i], uids[i] = int64(v.Revision), string(v.UID)
	}
	r.exec(`INSERT INTO wakeups (due, cause, uid, attempt, controller)
		SELECT cluster_now(), v.revision, v.uid, 0, 'test' FROM unnest($1::bigint[], $2::uuid[]) AS v (revision, uid)`, revisions, uids)
}

func (r replica) exec(sql string, args ...any) {
	r.t.Helper()
	if _, err := r.Pool.Exec(context.Background(), sql, args...); err != nil {
		r.t.Errorf("%s: %v", sql, err)
	}
}

// due is a wakeup of the test's controller.
type due struct {
	Name    string        // of the object
	After   time.Duration // from the start; 0 where the look is put off in real time
	Retry   bool          // it is
	Attempt int
}

// wakeups are those of the test's controller, in the order in which they are due.
func (r replica) wakeups() []due {
	r.t.Helper()
	rows, err := r.Pool.Query(r.t.Context(), `SELECT o.name, coalesce(w.due, $1), w.retry IS NOT NULL, w.attempt FROM wakeups w
		JOIN objects o ON o.uid = w.uid WHERE w.controller = 'test' ORDER BY w.due, o.name`, start)
	if err != nil {
		r.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w due, err error) {
		var at time.Time
		err = row.Scan(&w.Name, &at, &w.Retry, &w.Attempt)
		w.After = at.Sub(start)
		return w, err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// retryNow ends the pauses of the looks that are put off.
func (r replica) retryNow() {
	r.t.Helper()
	r.exec("UPDATE wakeups SET retry = '2000-01-01' WHERE retry IS NOT NULL")
}

// history is what was written after a revision: "created configmaps/default/a by client", and of events what they say.
func (r replica) history(after object.Revision) []string {
	r.t.Helper()
	rows, err := r.Pool.Query(r.t.Context(), `SELECT CASE verb WHEN 'c' THEN 'created' WHEN 'u' THEN 'updated' ELSE 'deleted' END || ' ' ||
		CASE WHEN resource = 'events' THEN format('event %s %s x%s', body ->> 'reason', body ->> 'message', body ->> 'count')
		ELSE resource || '/' || CASE namespace WHEN '' THEN '' ELSE namespace || '/' END || name END || ' by ' || writer
		FROM log WHERE revision > $1 ORDER BY revision`, after)
	if err != nil {
		r.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// revision is the newest revision of the database.
func (r replica) revision() object.Revision {
	r.t.Helper()
	revision, _, err := r.Store.Revision(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return revision
}

// advance moves the standing clock to a time after the start.
func (r replica) advance(to time.Duration) {
	r.t.Helper()
	if err := r.Clock.Set(r.t.Context(), start.Add(to)); err != nil {
		r.t.Fatal(err)
	}
}

// view reads the mirror when it has all that was committed.
func (r replica) view(f func(mirror.View)) {
	r.t.Helper()
	if err := r.Mirror.Fresh(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.Mirror.Read(f)
}

// look is a reconciler of one object.
type look func(v mirror.View, o *object.Version, now time.Time) plan.Plan

// controller is a controller of the test's own, called "test".
func controller(f look) worker.Controller {
	return worker.Controller{Name: "test", UserAgent: "test-controller", Batch: 16, Reconcile: func(v mirror.View, looks []worker.Look, now time.Time) []worker.Planned {
		var planned []worker.Planned
		for _, l := range looks {
			if o := v.UID(l.UID); o != nil {
				planned = append(planned, worker.Planned{UID: l.UID, Plan: f(v, o, now)})
			}
		}
		return planned
	}}
}

// turn takes one turn, which must not fail, and returns the names of the objects that were looked at and planned for.
func (r replica) turn(w *worker.Worker) worker.Turn {
	r.t.Helper()
	t, err := w.Turn(r.t.Context())
	if err != nil {
		r.t.Fatalf("turn: %v", err)
	}
	return t
}
