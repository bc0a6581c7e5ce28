package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/object"
)

// compactPage is how many revisions one transaction of Compact looks at: few enough to finish in milliseconds, so that
// no old snapshot slows the counter (S13).
const compactPage = 2000

// Compact forgets what was superseded at or below a revision, page by page, each page and its bound in one transaction.
// It may be interrupted, and goes on where it was the next time. A revision that is not newer than the last
// compaction, or lies in the future, compacts nothing. Two at a time do no harm but wait for each other.
func (s *Store) Compact(ctx context.Context, to object.Revision) (removed int64, err error) {
	newest, from, err := s.Revision(ctx)
	if err != nil || to > newest {
		return 0, err
	}
	for from < to {
		next := min(from+compactPage, to)
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, sqlCompact, from, next)
			if err != nil {
				return err
			}
			removed += tag.RowsAffected()
			_, err = tx.Exec(ctx, sqlCompacted, next)
			return err
		})
		if err != nil {
			return removed, fmt.Errorf("store: compact %d to %d: %w", from, next, err)
		}
		from = next
	}
	return removed, nil
}
