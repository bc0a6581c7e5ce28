package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"
)

// FaultCount says how often a fault was considered and how often it hit, across all replicas.
type FaultCount struct{ Seen, Hits int64 }

// TakeFault counts one turn of a fault. n is the turn's number; hits is how often the fault has
// hit, including this time. If drawn is not nil, it decides which turns are hits; otherwise every
// turn is a hit. ok is false if the fault no longer exists or has reached its count (0 means no
// limit). It returns when the turn is durable.
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

// FaultCounts returns the counts of those faults that have been considered at least once.
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
