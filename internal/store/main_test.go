package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// holderVariable makes the test binary a process that claims work in the database it names, and
// then does nothing.
const holderVariable = "ROWLOCK_TEST_HOLD_CLAIM"

func TestMain(m *testing.M) {
	if url := os.Getenv(holderVariable); url != "" {
		holdClaim(url)
	}
	goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...)
}

// holdClaim prints how many objects it has claimed, and waits to be killed.
func holdClaim(url string) {
	ctx := context.Background()
	pool, err := pg.Open(ctx, pg.Config{URL: url})
	if err != nil {
		panic(err)
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		panic(err)
	}
	claimed, err := wakeup.Take(ctx, conn.Conn(), names.ReplicaSet, "", 10)
	if err != nil {
		panic(err)
	}
	fmt.Println("claimed", len(claimed.Claims))
	select {}
}

// fixture is a running store.
type fixture struct{ storetest.Fixture }

// newBatch makes a batch of a controller, or of clients.
func newBatch(controller string) *store.Batch {
	return store.NewBatch(builtin.Catalogue(), storetest.Routes, controller)
}

func newStore(t testing.TB, config store.Config) fixture {
	t.Helper()
	return fixture{storetest.New(t, config)}
}

func newReplica(t testing.TB, url string, config store.Config) fixture {
	t.Helper()
	return fixture{storetest.NewReplica(t, url, config)}
}

func newStoreOver(t testing.TB, pool *pgxpool.Pool, config store.Config) fixture {
	t.Helper()
	return fixture{storetest.NewOver(t, pool, config)}
}

// live reads the newest versions of all objects.
func (f fixture) live() []*object.Version {
	f.T.Helper()
	revisions, err := f.Heads(f.T.Context())
	if err != nil {
		f.T.Fatal(err)
	}
	versions, err := f.Bodies(f.T.Context(), revisions)
	if err != nil {
		f.T.Fatal(err)
	}
	return versions
}

// removeLeftovers deletes what removed objects have left behind.
func (f fixture) removeLeftovers() {
	f.T.Helper()
	if err := leftover.New(f.Pool, slog.New(slog.DiscardHandler)).Remove(f.T.Context()); err != nil {
		f.T.Fatal(err)
	}
}
