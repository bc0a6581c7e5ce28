package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"
)

// FaultCount is how often a fault has been considered, and how often it has happened, across all replicas.
type FaultCount struct{ Seen, Hits int64 }

// TakeFault takes a turn of a fault: n is the turn's number, hits how often the fault has happened, this time included. Drawn, where it
// is not nil, says of a turn whether it is a hit; all others are. ok is false where the fault is gone or has had its count, of which 0
// is none. It returns when the turn is durable.
func (s *Store) TakeFault(ctx context.Context, uid types.UID, count int64, drawn func(n int64) bool) (c FaultCount, hit, ok bool, err error) {
	if drawn == nil {
		err = s.pool.QueryRow(ctx, sqlFaultHit, uid, count).Scan(&c.Seen, &c.Hits)
		hit = true
	} else {
		err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := tx.QueryRow(ctx, sqlFaultTurn, uid, count).Scan(&c.Seen, &c.Hits); err != nil {
				return err
			}
			if hit = drawn(c.Seen); !hit {
				return nil
			}
			c.Hits++
			_, err := tx.Exec(ctx, sqlFaultDrawn, uid)
			return err
		})
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return FaultCount{}, false, false, nil
	case err != nil:
		return FaultCount{}, false, false, fmt.Errorf("store: take a turn of fault %s: %w", uid, err)
	}
	return c, hit, true, nil
}

// FaultCounts are those of the faults that have been considered at all.
func (s *Store) FaultCounts(ctx context.Context, uids []types.UID) (map[types.UID]FaultCount, error) {
	rows, err := s.pool.Query(ctx, sqlFaultCounts, uids)
	if err != nil {
		return nil, fmt.Errorf("store: read the counts of faults: %w", err)
	}
	counts := map[types.UID]FaultCount{}
	var uid types.UID
	var c FaultCount
	_, err = pgx.ForEachRow(rows, []any{&uid, &c.Seen, &c.Hits}, func() error {
		counts[uid] = c
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store: read the counts of faults: %w", err)
	}
	return counts, nil
}
