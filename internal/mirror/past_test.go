package mirror_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// TestAt_AgainstTheLog reads the past in any order, forwards and backwards, near and far, in one
// namespace and in all, and compares each state with the log.
func TestAt_AgainstTheLog(t *testing.T) {
	t.Parallel()
	r := newReplica(t, pgtest.NewURL(t), true, mirror.Config{})
	makeNamespace(t, r)
	random := rand.New(rand.NewPCG(1, 2))
	live := map[string]*object.Version{}
	for range 150 {
		name := fmt.Sprint("c-", random.IntN(12)) // names are reused
		switch old := live[name]; {
		case old == nil:
			live[name] = create(t, r, name)
		case random.IntN(3) == 0:
			remove(t, r, old)
			delete(live, name)
		default:
			live[name] = update(t, r, old, fmt.Sprint(random.Int()))
		}
	}
	newest := r.Mirror.Revision()
	said := func(v *object.Version) string {
		return fmt.Sprint(v.Key(), " ", v.UID, " ", v.Revision, " ", string(v.Body()))
	}
	for range 80 {
		revision := 1 + object.Revision(random.Int64N(int64(newest)))
		namespace := []string{"", "default", "nowhere"}[random.IntN(3)]
		if random.IntN(5) == 0 {
			r.Tidy(t.Context())
		}
		snapshot, err := r.Mirror.At(t.Context(), "configmaps", namespace, revision)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		snapshot.Ascend(object.Key{}, func(v *object.Version) bool { got = append(got, said(v)); return true })
		versions, err := r.Store.At(t.Context(), "configmaps", namespace, revision)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			want = append(want, said(v))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("at revision %d, in %q, there were\n%q\nand not\n%q", revision, namespace, got, want)
		}
	}
	compacted := newest / 2
	if _, err := r.Compact(t.Context(), compacted); err != nil {
		t.Fatal(err)
	}
	r.Tidy(t.Context())
	for _, revision := range []object.Revision{1, compacted - 1} {
		if _, err := r.Mirror.At(t.Context(), "configmaps", "", revision); !errors.Is(err, store.ErrCompacted) {
			t.Errorf("revision %d, before the compaction, is answered with %v", revision, err)
		}
	}
	if _, err := r.Mirror.At(t.Context(), "configmaps", "", newest+1); !errors.Is(err, store.ErrFuture) {
		t.Errorf("a revision to come is answered with %v", err)
	}
	if s, err := r.Mirror.At(t.Context(), "configmaps", "", newest); err != nil || s.Len() != len(live) {
		t.Errorf("the newest state cannot be read: %v", err)
	}
}

// BenchmarkAt reads 10,000 Pods as they were long ago, in a log of 100,000 changes: all of them for
// the first time, another page of them, and the changes before and after.
func BenchmarkAt(b *testing.B) {
	const objects, changes = 10_000, 100_000
	url := pgtest.NewURL(b)
	pool := openPool(b, url)
	body := `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"pod","namespace":"default","annotations":{"text":"` + strings.Repeat("what a Pod says of itself, ", 140) + `"}}}`
	for _, sql := range []string{
		fmt.Sprintf(`INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body)
			SELECT i, clock_timestamp(), 0, ('00000000-0000-7000-8000-' || lpad(((i * 7919) %% %d)::text, 12, '0'))::uuid, CASE WHEN i <= %d THEN 'c' ELSE 'u' END::"char",
				'pods', 'default', 'pod-' || (i * 7919) %% %d, 'test', '%s' FROM generate_series(1, %d) AS i`, objects, objects, objects, body, changes),
		`INSERT INTO objects (uid, revision, terminating, resource, namespace, name)
			SELECT uid, max(revision), false, 'pods', 'default', max(name) FROM log GROUP BY uid`,
		fmt.Sprintf(`UPDATE revision SET value = %d, at = clock_timestamp()`, changes),
		`VACUUM ANALYZE log`,
	} {
		if _, err := pool.Exec(b.Context(), sql); err != nil {
			b.Fatal(err)
		}
	}
	r := newReplica(b, url, true, mirror.Config{Poll: time.Hour})
	read := func(b *testing.B, revision object.Revision) {
		b.Helper()
		s, err := r.Mirror.At(b.Context(), "pods", "", revision)
		if err != nil || s.Len() != objects {
			b.Fatal(s, err)
		}
	}
	b.Run("anew", func(b *testing.B) {
		for i := range b.N {
			read(b, object.Revision(20_000+23_456*(i%3)))
		}
	})
	b.Run("page", func(b *testing.B) {
		read(b, changes/2)
		b.ResetTimer()
		for range b.N {
			read(b, changes/2)
		}
	})
	b.Run("step", func(b *testing.B) {
		read(b, changes/2)
		b.ResetTimer()
		for i := range b.N {
			read(b, object.Revision(changes/2+i%100-50))
		}
	})
	b.Run("play", func(b *testing.B) {
		read(b, changes/2)
		b.ResetTimer()
		for i := range b.N {
			read(b, object.Revision(changes/2+500*(i%20)))
		}
	})
}
