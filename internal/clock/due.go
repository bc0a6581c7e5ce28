package clock

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

var (
	//go:embed due.sql
	sqlDue string
	//go:embed failing.sql
	sqlFailing string
)

// Work is a sync that a controller must do for an object.
type Work struct {
	At         time.Time // cluster time; for a failed sync, real time
	Controller string
	Resource   string // deployments.apps; for a row that is only a lock, locks.rowlock
	Namespace  string
	Name       string
	Attempt    int // how often it has failed
}

// Due returns what is due next, or already: at most limit syncs, in due order.
func (c *Clock) Due(ctx context.Context, limit int) ([]Work, error) {
	rows, err := c.pool.Query(ctx, sqlDue, limit)
	if err != nil {
		return nil, fmt.Errorf("read what is due: %w", err)
	}
	var all []Work
	var w Work
	_, err = pgx.ForEachRow(rows, []any{&w.At, &w.Controller, &w.Resource, &w.Namespace, &w.Name}, func() error {
		w.At = w.At.UTC()
		all = append(all, w)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what is due: %w", err)
	}
	return all, nil
}

// Failing returns the syncs that have failed and will be retried: at most limit, most failures
// first, and how many there are altogether.
func (c *Clock) Failing(ctx context.Context, limit int) (all []Work, total int, err error) {
	rows, err := c.pool.Query(ctx, sqlFailing, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("read what fails: %w", err)
	}
	var w Work
	_, err = pgx.ForEachRow(rows, []any{&w.At, &w.Controller, &w.Resource, &w.Namespace, &w.Name, &w.Attempt, &total}, func() error {
		w.At = w.At.UTC()
		all = append(all, w)
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read what fails: %w", err)
	}
	return all, total, nil
}
