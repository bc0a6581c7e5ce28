package wakeup

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

//go:embed remaining.sql
var sqlRemaining string

// BackOff returns the pause, in real time, before a sync with this many failures is retried: 5 ms,
// doubling up to 1,000 s. It equals the SQL function back_off.
func BackOff(attempt int) time.Duration {
	const first, last = 5 * time.Millisecond, 1000 * time.Second
	if attempt < 1 {
		return 3 * first // has not failed: other transactions were in its way
	}
	if attempt > 18 {
		return last
	}
	return min(first<<(attempt-1), last)
}

// Remaining returns which of the wakeups still exist. They wait for the caller's transaction, which
// holds the lock that they are claimed under: another worker may have acknowledged the others
// before.
func Remaining(ctx context.Context, conn *pgx.Conn, ids []int64) ([]int64, error) {
	rows, err := conn.Query(ctx, sqlRemaining, ids)
	if err != nil {
		return nil, fmt.Errorf("read the wakeups of a claim: %w", err)
	}
	left, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("read the wakeups of a claim: %w", err)
	}
	return left, nil
}
