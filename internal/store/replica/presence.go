package replica

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// presenceClass is the class of the locks that show which processes are present.
const presenceClass int32 = 0x0badcafe

//go:embed presences.sql
var sqlPresences string

// Presences returns the processes that are present now, by their Hints.Replica. A process that has
// died is missing as soon as the database notices that its connections are gone: at once if the
// process ended, after two to three seconds if its host did.
func (h *Hints) Presences(ctx context.Context) ([]int32, error) {
	rows, err := h.pool.Query(ctx, sqlPresences, presenceClass)
	if err != nil {
		return nil, fmt.Errorf("read presences: %w", err)
	}
	replicas, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("read presences: %w", err)
	}
	out := make([]int32, len(replicas))
	for i, r := range replicas {
		out[i] = int32(r) //nolint:gosec // it was one
	}
	return out, nil
}
