package cluster_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
)

// TestStalled: health checks, metrics and the clock's page, which the dashboard reads, show a
// controller whose turn does not end, once that has lasted for engine.StalledAfter, and no longer
// when it makes progress. The server stays ready.
func TestStalled(t *testing.T) {
	t.Parallel()
	s := newStepped(t)
	i := slices.IndexFunc(s.cluster.Workers(), func(w *engine.Worker) bool { return w.Name() == names.ReplicaSet })
	w := s.cluster.Workers()[i]
	var passed atomic.Int64
	w.Real = func() time.Time { return s.now.Add(time.Duration(passed.Load())) }
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = w.Run(ctx) })
	defer running.Wait()
	defer stop()

	blocker, err := pgx.Connect(t.Context(), s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer blocker.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // the session ends either way
	// Claims lock rows of this table; plain reads continue.
	if _, err := blocker.Exec(t.Context(), "BEGIN; LOCK TABLE objects IN EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	clustertest.Await(t, "the worker's claim waits", func(ctx context.Context) bool {
		w.Wake()
		var n int
		err := blocker.QueryRow(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'objects'::regclass AND mode = 'RowShareLock'").Scan(&n)
		return err == nil && n > 0
	})
	passed.Add(int64(engine.StalledAfter - time.Second))
	s.wantStalled(nil)
	passed.Add(int64(2 * time.Second))
	s.wantStalled([]v1.StalledController{{Controller: names.ReplicaSet, Seconds: 61}})

	if _, err := blocker.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	clustertest.Await(t, "the worker gets on", func(context.Context) bool { return w.Unmoved() == 0 })
	s.wantStalled(nil)
}

// wantStalled compares the controllers that the server reports as stalled.
func (s *stepped) wantStalled(want []v1.StalledController) {
	s.t.Helper()
	code, line, unmoved := http.StatusOK, "[+]controllers ok", `rowlock_worker_unmoved_seconds{controller="replicaset"} 61`
	if len(want) > 0 {
		code, line = http.StatusServiceUnavailable, "[-]controllers failed: replicaset without progress for 1m1s (not decisive)"
	}
	if got, body := s.site.Try(http.MethodGet, "/readyz?verbose", ""); got != http.StatusOK || !strings.Contains(string(body), line+"\n") {
		s.t.Errorf("/readyz?verbose answers %d %s, want %s", got, body, line)
	}
	if got, body := s.site.Try(http.MethodGet, "/readyz/controllers", ""); got != code {
		s.t.Errorf("/readyz/controllers answers %d %s, want %d", got, body, code)
	}
	if _, body := s.site.Try(http.MethodGet, "/metrics", ""); strings.Contains(string(body), unmoved+"\n") != (len(want) > 0) {
		s.t.Errorf("the metrics are\n%s", body)
	}
	var clock v1.Clock
	s.site.Get(v1.ClockPath, &clock)
	if diff := cmp.Diff(want, clock.Stalled); diff != "" {
		s.t.Errorf("the clock's page (-want +got):\n%s", diff)
	}
}
