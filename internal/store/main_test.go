package store_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
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
