package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// replica is a process's storage: a store that writes, and a mirror that follows.
type replica struct {
	*store.Store
	*mirror.Mirror
}

// newReplica starts a replica on the database. With hinted, the mirror receives the store's own
// commits; without, it only reads the log.
func newReplica(t testing.TB, url string, hinted bool, config mirror.Config) replica {
	t.Helper()
	pool := openPool(t, url)
	var r replica
	logger := slog.New(slog.DiscardHandler)
	r.Store = store.New(pool, builtin.Catalogue(), controller.NewRouter(), store.Config{}, func(v []*object.Version, _ []string) {
		if hinted {
			r.Committed(v)
		} else {
			r.Kick()
		}
	}, logger)
	r.Mirror = mirror.New(r.Store, config, logger)
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = r.Store.Run(ctx) })
	wg.Go(func() { _ = r.Mirror.Run(ctx) })
	t.Cleanup(func() { stop(); wg.Wait() })
	eventually(t, "the mirror is loaded", func() bool { return r.Ready() == nil })
	return r
}

func openPool(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	const patience = time.Minute
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so within %v: %s", patience, what)
		}
	}
}

func create(t testing.TB, r replica, name string) *object.Version {
	t.Helper()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(uuid.Must(uuid.NewV7()).String())}}
	return write(t, r, store.Change{Verb: object.Created, Type: typeOf("configmaps"), New: cm})
}

func write(t testing.TB, r replica, c store.Change) *object.Version {
	t.Helper()
	v, err := r.Write(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func update(t testing.TB, r replica, old *object.Version, value string) *object.Version {
	t.Helper()
	cm := old.Object().DeepCopyObject().(*corev1.ConfigMap)
	cm.Data = map[string]string{"value": value}
	return write(t, r, store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: cm})
}

func remove(t testing.TB, r replica, old *object.Version) *object.Version {
	t.Helper()
	return write(t, r, store.Change{Verb: object.Deleted, Type: old.Type, Old: old})
}

func typeOf(resource string) *object.Type { return &builtin.Catalogue().ByResource(resource).Type }

// makeNamespace creates the namespace that the tests write to.
func makeNamespace(t testing.TB, r replica) {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: types.UID(uuid.Must(uuid.NewV7()).String())}}
	write(t, r, store.Change{Verb: object.Created, Type: typeOf("namespaces"), New: ns})
}

func TestFresh_ReadsOwnWritesOnAnyReplica(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	a := newReplica(t, url, true, mirror.Config{})
	b := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, a)
	for i := range 50 {
		v := create(t, a, fmt.Sprint("cm-", i))
		for name, r := range map[string]replica{"the writer": a, "the other": b} {
			if err := r.Fresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := r.Get(v.Key()); got == nil || got.Revision != v.Revision {
				t.Fatalf("%s does not see the write at revision %d", name, v.Revision)
			}
		}
	}
}

// TestWatch_AgainstTheModel: while writers change objects at random, watchers that start at random
// revisions, on a replica that receives its own commits and on one that reads the log, see exactly
// the log's changes after their start.
func TestWatch_AgainstTheModel(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	writer := newReplica(t, url, true, mirror.Config{WindowBytes: 64 << 10})
	reader := newReplica(t, url, false, mirror.Config{WindowBytes: 64 << 10, Poll: 10 * time.Millisecond})
	makeNamespace(t, writer)

	const writers, steps = 4, 250
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 1))
			live := map[string]*object.Version{}
			for range steps {
				name := fmt.Sprintf("cm-%d-%d", w, random.IntN(5))
				switch old := live[name]; {
				case old == nil:
					live[name] = create(t, writer, name)
				case random.IntN(3) == 0:
					remove(t, writer, old)
					delete(live, name)
				default:
					live[name] = update(t, writer, old, fmt.Sprint(random.Int()))
				}
			}
		})
	}
	end := object.Revision(1 + writers*steps)
	wg.Go(func() { // both release what they can meanwhile
		for writer.Mirror.Revision() < end {
			writer.Tidy(t.Context())
			reader.Tidy(t.Context())
			time.Sleep(20 * time.Millisecond)
		}
	})
	for i := range 12 {
		wg.Go(func() {
			r := []replica{writer, reader}[i%2]
			start := object.Revision(rand.IntN(int(end)))
			if err := r.WaitFor(t.Context(), start); err != nil && !errors.Is(err, mirror.ErrTooLarge) {
				t.Error(err)
			}
			judge(t, r, start, end)
		})
	}
	wg.Wait()
}

// judge watches from start to end and compares the events with the log: ordered, unique, reliable,
// and each change with the version before it.
func judge(t *testing.T, r replica, start, end object.Revision) {
	w, err := r.Watch("configmaps", "", start)
	if err != nil {
		t.Error(err)
		return
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	seen := map[types.UID]*object.Version{}
	for next := max(start, 1) + 1; next <= end; next++ {
		e, err := w.Next(ctx)
		if err != nil {
			t.Errorf("after revision %d: %v", next-1, err)
			return
		}
		if e.New.Revision != next {
			t.Errorf("got revision %d, want %d", e.New.Revision, next)
			return
		}
		if (e.Old == nil) != (e.New.Verb == object.Created) {
			t.Errorf("revision %d is %q, with the old version %v", next, e.New.Verb, e.Old)
		}
		if last := seen[e.New.UID]; last != nil && (e.Old == nil || e.Old.Revision != last.Revision) {
			t.Errorf("revision %d does not follow revision %d of its object", next, last.Revision)
		}
		if e.New.Size() == 0 {
			t.Errorf("revision %d has no body", next)
		}
		seen[e.New.UID] = e.New
	}
}

// TestS8_AWatchFromBeforeTheCompactionEnds: it does not skip what is gone.
func TestS8_AWatchFromBeforeTheCompactionEnds(t *testing.T) {
	t.Parallel()
	r := newReplica(t, pgtest.NewURL(t), true, mirror.Config{WindowBytes: 1})
	makeNamespace(t, r)
	v := create(t, r, "a")
	first := v.Revision
	for i := range 20 {
		v = update(t, r, v, fmt.Sprint(i))
	}
	if _, err := r.Compact(t.Context(), v.Revision-5); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		after object.Revision
		want  error
	}{
		{"before the compaction", first, store.ErrCompacted},
		{"from the compaction on", v.Revision - 5, nil},
	} {
		w, err := r.Watch("configmaps", "", test.after)
		if err == nil {
			_, err = w.Next(t.Context())
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
		_, err = r.Mirror.At(t.Context(), "configmaps", "", test.after)
		if !errors.Is(err, test.want) {
			t.Errorf("an exact read %s: got %v, want %v", test.name, err, test.want)
		}
	}
}

// TestS12_ADatabaseThatWentBack: it is noticed, watches end, and the mirror holds what the database
// holds.
func TestS12_ADatabaseThatWentBack(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	r := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, r)
	kept := create(t, r, "kept")
	lost := create(t, r, "lost")
	w, err := r.Watch("configmaps", "", lost.Revision)
	if err != nil {
		t.Fatal(err)
	}
	pool := openPool(t, url)
	for _, statement := range []string{
		"DELETE FROM objects WHERE name = 'lost'", "DELETE FROM log WHERE name = 'lost'", "UPDATE revision SET value = value - 1",
	} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	r.Interrupted() // as after any reconnect
	if _, err := w.Next(t.Context()); !errors.Is(err, store.ErrCompacted) {
		t.Errorf("the watch ended with %v, want %v", err, store.ErrCompacted)
	}
	eventually(t, "the mirror is loaded again", func() bool { return r.Ready() == nil })
	if r.Get(kept.Key()) == nil || r.Get(lost.Key()) != nil {
		t.Error("the mirror does not hold what the database holds")
	}
}
