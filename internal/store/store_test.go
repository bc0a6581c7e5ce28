package store_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// fixture is a store on its own database, with the namespace "default".
type fixture struct {
	*store.Store
	t    testing.TB
	pool *pgxpool.Pool
}

var routes = controller.NewRouter()

// newBatch makes a batch of a controller, or of clients.
func newBatch(controller string) *store.Batch {
	return store.NewBatch(builtin.Catalogue(), routes, controller)
}

func newStore(t testing.TB, config store.Config) fixture {
	t.Helper()
	f := newReplica(t, pgtest.NewURL(t), config)
	f.mustWrite(create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}))
	return f
}

// newReplica makes a store on a database that may have others.
func newReplica(t testing.TB, url string, config store.Config) fixture {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url, MaxConns: 16})
	if err != nil {
		t.Fatal(err)
	}
	return newStoreOver(t, pool, config)
}

// newStoreOver makes a store over a pool, and closes the pool at the end.
func newStoreOver(t testing.TB, pool *pgxpool.Pool, config store.Config) fixture {
	t.Helper()
	f := fixture{t: t, pool: pool, Store: store.New(pool, builtin.Catalogue(), routes, config, nil, slog.New(slog.DiscardHandler))}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = f.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done; pool.Close() })
	return f
}

// url names the fixture's database.
func (f fixture) url() string { return f.pool.Config().ConnString() }

func (f fixture) mustWrite(c store.Change) *object.Version {
	f.t.Helper()
	v, err := f.Write(f.t.Context(), c)
	if err != nil {
		f.t.Fatalf("write: %v", err)
	}
	return v
}

func (f fixture) mustExec(sql string, args ...any) {
	f.t.Helper()
	if _, err := f.pool.Exec(f.t.Context(), sql, args...); err != nil {
		f.t.Fatalf("%s: %v", sql, err)
	}
}

// number returns the result of a query for one number.
func (f fixture) number(sql string, args ...any) (n int64) {
	f.t.Helper()
	if err := f.pool.QueryRow(f.t.Context(), sql, args...).Scan(&n); err != nil {
		f.t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// session returns a session with a worker's settings, for the length of the test.
func (f fixture) session() *pgx.Conn {
	f.t.Helper()
	conn, err := f.pool.Acquire(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	raw := conn.Hijack()
	f.t.Cleanup(func() { _ = raw.Close(context.Background()) })
	return raw
}

// conn returns a session whose transactions may idle longer than a worker's, as the test may.
func (f fixture) conn() *pgx.Conn {
	f.t.Helper()
	conn := f.session()
	if _, err := conn.Exec(f.t.Context(), "SET idle_in_transaction_session_timeout = '2min'"); err != nil {
		f.t.Fatal(err)
	}
	return conn
}

// claim takes due work, which stays claimed until the connection's transaction ends.
func (f fixture) claim(conn *pgx.Conn, controller string, lock types.UID) wakeup.Claimed {
	f.t.Helper()
	claimed, err := wakeup.Take(f.t.Context(), conn, controller, lock, 100)
	if err != nil {
		f.t.Fatal(err)
	}
	return claimed
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}

func typeOf(resource string) *object.Type { return &builtin.Catalogue().ByResource(resource).Type }

func create(resource string, o object.Object) store.Change {
	o.SetUID(newUID())
	return store.Change{Verb: object.Created, Type: typeOf(resource), New: o, Writer: "test"}
}

func newUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func createConfigMap(name string) store.Change { return create("configmaps", configMap(name)) }

// createPod makes a Pod without a controller, with the label app.
func createPod(name, app string) store.Change {
	return create("pods", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"app": app}}})
}

// createReplicaSet makes a ReplicaSet that selects the label app.
func createReplicaSet(name, app string) store.Change {
	return create("replicasets.apps", &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
	})
}

// update changes a ConfigMap's data.
func update(old *object.Version, value string) store.Change {
	cm := old.Object().DeepCopyObject().(*corev1.ConfigMap)
	cm.Data = map[string]string{"value": value}
	return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: cm, Writer: "test"}
}

// touch changes an annotation of any object.
func touch(old *object.Version, value string) store.Change {
	o := old.Object().DeepCopyObject().(object.Object)
	o.SetAnnotations(map[string]string{"value": value})
	return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: o, Writer: "test"}
}

func remove(old *object.Version) store.Change {
	return store.Change{Verb: object.Deleted, Type: old.Type, Old: old, Writer: "test"}
}
