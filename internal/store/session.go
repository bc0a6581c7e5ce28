package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"
)

// abandonedPage is how many abandoned sessions one read returns.
const abandonedPage = 200

// Presences returns the processes that are present now, by their Hints.Replica. A process that has
// died is missing as soon as the database notices that its connections are gone: at once if the
// process ended, after two to three seconds if its host did.
func (s *Store) Presences(ctx context.Context) ([]int32, error) {
	rows, err := s.pool.Query(ctx, sqlPresences, presenceClass)
	if err != nil {
		return nil, fmt.Errorf("store: read presences: %w", err)
	}
	replicas, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("store: read presences: %w", err)
	}
	out := make([]int32, len(replicas))
	for i, r := range replicas {
		out[i] = int32(r) //nolint:gosec // it was one
	}
	return out, nil
}

// AbandonedSessions returns, by Pod, sessions whose client was connected to a process that is no
// longer present, at most 200.
func (s *Store) AbandonedSessions(ctx context.Context, present []int32) (map[types.UID][]int, error) {
	rows, err := s.pool.Query(ctx, sqlSessionsAbandoned, append([]int32{}, present...), abandonedPage) // NULL would match nothing
	if err != nil {
		return nil, fmt.Errorf("store: abandoned sessions: %w", err)
	}
	abandoned := map[types.UID][]int{}
	var pod types.UID
	var id int
	if _, err := pgx.ForEachRow(rows, []any{&pod, &id}, func() error {
		abandoned[pod] = append(abandoned[pod], id)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("store: abandoned sessions: %w", err)
	}
	return abandoned, nil
}

// ForgetSessions deletes sessions in a Pod that is gone or has ended.
func (s *Store) ForgetSessions(ctx context.Context, pod types.UID, sessions ...int) error {
	if _, err := s.pool.Exec(ctx, sqlSessionsOver, pod, sessions); err != nil {
		return fmt.Errorf("store: forget sessions in %s: %w", pod, err)
	}
	return nil
}
