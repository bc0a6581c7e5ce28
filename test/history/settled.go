package history

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"
)

//go:embed settled.sql
var sqlSettled string

// Settled reads from the database what a cluster that has been left alone must not have: due work,
// rows about objects that are gone, heads that differ from the log. The log must not have been
// compacted.
func Settled(ctx context.Context, conn interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}) ([]Violation, error) {
	rows, err := conn.Query(ctx, sqlSettled)
	if err != nil {
		return nil, fmt.Errorf("see whether the cluster has settled: %w", err)
	}
	var found []Violation
	var what string
	var n int64
	if _, err := pgx.ForEachRow(rows, []any{&what, &n}, func() error {
		found = append(found, Violation{Message: fmt.Sprintf("there are %d %s", n, what)})
		return nil
	}); err != nil {
		return nil, fmt.Errorf("see whether the cluster has settled: %w", err)
	}
	return found, nil
}
