// Package faultcount counts how often faults of the API were considered and how often they hit, in
// the database and so across all replicas.
package faultcount

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"
)

// The statements, each in its own file.
var (
	//go:embed hit.sql
	sqlHit string
	//go:embed turn.sql
	sqlTurn string
	//go:embed drawn.sql
	sqlDrawn string
	//go:embed counts.sql
	sqlCounts string
)

// Counts are the counts of all faults. It is safe for concurrent use.
type Counts struct{ pool *pgxpool.Pool }

// New makes Counts over a migrated database.
func New(pool *pgxpool.Pool) *Counts { return &Counts{pool} }

// Count says how often a fault was considered and how often it hit, across all replicas.
type Count struct{ Seen, Hits int64 }

// Take counts one turn of a fault, and returns its counts with this turn. If drawn is not nil, it
// decides by the number of the turn whether the turn is a hit; otherwise every turn is one. ok is
// false if the fault no longer exists or has reached its count (0 means no limit). It returns when
// the turn is durable.
func (c *Counts) Take(ctx context.Context, uid types.UID, count int64, drawn func(n int64) bool) (n Count, hit, ok bool, err error) {
	if drawn == nil {
		err = c.pool.QueryRow(ctx, sqlHit, uid, count).Scan(&n.Seen, &n.Hits)
		hit = true
	} else {
		err = pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
			if err := tx.QueryRow(ctx, sqlTurn, uid, count).Scan(&n.Seen, &n.Hits); err != nil {
				return err
			}
			if hit = drawn(n.Seen); !hit {
				return nil
			}
			n.Hits++
			_, err := tx.Exec(ctx, sqlDrawn, uid)
			return err
		})
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Count{}, false, false, nil
	case err != nil:
		return Count{}, false, false, fmt.Errorf("fault counts: take a turn of fault %s: %w", uid, err)
	}
	return n, hit, true, nil
}

// Of returns the counts of those faults that have been considered at least once.
func (c *Counts) Of(ctx context.Context, uids []types.UID) (map[types.UID]Count, error) {
	rows, err := c.pool.Query(ctx, sqlCounts, uids)
	if err != nil {
		return nil, fmt.Errorf("fault counts: read the counts of faults: %w", err)
	}
	counts := map[types.UID]Count{}
	var uid types.UID
	var n Count
	_, err = pgx.ForEachRow(rows, []any{&uid, &n.Seen, &n.Hits}, func() error {
		counts[uid] = n
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("fault counts: read the counts of faults: %w", err)
	}
	return counts, nil
}
