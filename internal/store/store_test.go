package store_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// fixture is a store on a database of its own, with the namespace "default".
type fixture struct {
	*store.Store
	t    testing.TB
	pool *pgxpool.Pool
}

func newStore(t testing.TB, config store.Config) fixture {
	t.Helper()
	pool := pgtest.New(t)
	f := fixture{t: t, pool: pool, Store: store.New(pool, kind.Default(), config, nil, slog.New(slog.DiscardHandler))}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = f.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	f.mustWrite(create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}))
	return f
}

func (f fixture) mustWrite(c store.Change) *object.Version {
	f.t.Helper()
	v, err := f.Write(f.t.Context(), c)
	if err != nil {
		f.t.Fatalf("write: %v", err)
	}
	return v
}

func typeOf(resource string) *object.Type { return &kind.Default().ByResource(resource).Type }

func create(resource string, o object.Object) store.Change {
	o.SetUID(types.UID(uuid.Must(uuid.NewV7()).String()))
	return store.Change{Verb: object.Created, Type: typeOf(resource), New: o, Writer: "test"}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func createConfigMap(name string) store.Change { return create("configmaps", configMap(name)) }

// update changes a ConfigMap's data.
func update(old *object.Version, value string) store.Change {
	cm := old.Object().DeepCopyObject().(*corev1.ConfigMap)
	cm.Data = map[string]string{"value": value}
	return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: cm, Writer: "test"}
}

func remove(old *object.Version) store.Change {
	return store.Change{Verb: object.Deleted, Type: old.Type, Old: old, Writer: "test"}
}
