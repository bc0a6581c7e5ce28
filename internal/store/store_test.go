package store_test

import (
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

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

// removeLeftovers deletes what removed objects have left behind.
func (f fixture) removeLeftovers() {
	f.T.Helper()
	if err := leftover.New(f.Pool, slog.New(slog.DiscardHandler)).Remove(f.T.Context()); err != nil {
		f.T.Fatal(err)
	}
}
