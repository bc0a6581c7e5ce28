package wakeup_test

import (
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestBackOff: it returns the same as the SQL function.
func TestBackOff(t *testing.T) {
	t.Parallel()
	pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewURL(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, attempt := range []int{-1, 0, 1, 2, 3, 10, 17, 18, 19, 20, 21, 22, 40, 1 << 30} {
		var want time.Duration
		if err := pool.QueryRow(t.Context(), "SELECT back_off($1)", attempt).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := wakeup.BackOff(attempt); got != want {
			t.Errorf("BackOff(%d) is %v, back_off says %v", attempt, got, want)
		}
	}
}
