package replica

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"
)

var (
	//go:embed abandoned.sql
	sqlAbandoned string
	//go:embed forget.sql
	sqlForget string
)

// abandonedPage is how many abandoned sessions one read returns.
const abandonedPage = 200

// Sessions are the sessions in Pods that have a client on some replica. Visits record them: see
// store.Left. It is safe for concurrent use.
type Sessions struct{ pool *pgxpool.Pool }

// NewSessions makes Sessions over a migrated database.
func NewSessions(pool *pgxpool.Pool) *Sessions { return &Sessions{pool} }

// Abandoned returns, by Pod, sessions whose client was connected to a process that is no
// longer present, at most 200.
func (s *Sessions) Abandoned(ctx context.Context, present []int32) (map[types.UID][]int, error) {
	rows, err := s.pool.Query(ctx, sqlAbandoned, append([]int32{}, present...), abandonedPage) // NULL would match nothing
	if err != nil {
		return nil, fmt.Errorf("abandoned sessions: %w", err)
	}
	abandoned := map[types.UID][]int{}
	var pod types.UID
	var id int
	if _, err := pgx.ForEachRow(rows, []any{&pod, &id}, func() error {
		abandoned[pod] = append(abandoned[pod], id)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("abandoned sessions: %w", err)
	}
	return abandoned, nil
}

// Forget deletes sessions in a Pod that is gone or has ended.
func (s *Sessions) Forget(ctx context.Context, pod types.UID, sessions ...int) error {
	if _, err := s.pool.Exec(ctx, sqlForget, pod, sessions); err != nil {
		return fmt.Errorf("forget sessions in %s: %w", pod, err)
	}
	return nil
}
