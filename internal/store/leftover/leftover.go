// Package leftover deletes what removed objects leave behind in the database.
package leftover

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/store"
)

// The statements, each in its own file and named like the rows that it deletes.
var (
	//go:embed files.sql
	sqlFiles string
	//go:embed faults.sql
	sqlFaults string
	//go:embed calls.sql
	sqlCalls string
	//go:embed traffic.sql
	sqlTraffic string
	//go:embed sessions.sql
	sqlSessions string
	//go:embed memories.sql
	sqlMemories string
)

const (
	// page is how many rows one statement of Remove reads.
	page = 500
	// every is the pause between two passes of Run, in real time.
	every = 5 * time.Minute
)

// Remover deletes what is left behind. It is safe for concurrent use.
type Remover struct {
	pool *pgxpool.Pool
	log  *slog.Logger
}

// New makes a Remover over a migrated database.
func New(pool *pgxpool.Pool, log *slog.Logger) *Remover { return &Remover{pool, log} }

// Remove deletes the files of nodes that are gone, the counts of faults that are gone, the calls of
// and sessions in Pods that are gone, old request counts, and the memories of objects that are
// gone. Workers delete the memories of objects that they remove, but removals by clients leave them
// behind. It reads all memories, page by page; any number of processes may call it at once.
func (r *Remover) Remove(ctx context.Context) error {
	if _, err := r.pool.Exec(ctx, sqlFiles); err != nil {
		return fmt.Errorf("remove the files of nodes that are gone: %w", err)
	}
	if _, err := r.pool.Exec(ctx, sqlFaults); err != nil {
		return fmt.Errorf("remove the counts of faults that are gone: %w", err)
	}
	if _, err := r.pool.Exec(ctx, sqlCalls, page); err != nil {
		return fmt.Errorf("remove the calls of Pods that are gone: %w", err)
	}
	if _, err := r.pool.Exec(ctx, sqlTraffic, store.TrafficKept, page); err != nil {
		return fmt.Errorf("remove old request counts: %w", err)
	}
	if _, err := r.pool.Exec(ctx, sqlSessions, page); err != nil {
		return fmt.Errorf("remove the sessions in Pods that are gone: %w", err)
	}
	after := pgtype.UUID{Valid: true}
	for {
		var n int
		last := pgtype.UUID{}
		if err := r.pool.QueryRow(ctx, sqlMemories, after, page).Scan(&n, &last); err != nil {
			return fmt.Errorf("remove the memories of objects that are gone: %w", err)
		}
		if n < page {
			return nil
		}
		after = last
	}
}

// Run calls Remove at once and then every five minutes, until ctx ends. Every process may run it.
// It returns nil.
func (r *Remover) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.Remove(ctx); err != nil && ctx.Err() == nil {
			r.log.Warn("memories of what is gone were not removed", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
	return nil
}
