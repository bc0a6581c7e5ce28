package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/object"
)

const (
	// compactPage is how many revisions one transaction of Compact covers: few enough to finish in
	// milliseconds, so that no old snapshot slows the counter (S13).
	compactPage = 2000
	// compactPause is the pause before trying again while another process compacts.
	compactPause = 10 * time.Millisecond
)

// errCompacting says that another process is compacting right now.
var errCompacting = errors.New("another process is compacting")

// Compact deletes the versions that were superseded at or below a revision, page by page; each page
// and its bound are one transaction. It may be interrupted, and continues where it stopped the next
// time. It does nothing for a revision that is in the future, or not newer than the last
// compaction. Concurrent calls take turns.
func (s *Store) Compact(ctx context.Context, to object.Revision) (removed int64, err error) {
	newest, compacted, err := s.Revision(ctx)
	if err != nil || to > newest {
		return 0, err
	}
	for compacted < to {
		reached, n, err := s.compactPage(ctx, to)
		switch {
		case errors.Is(err, errCompacting):
			pause(ctx, compactPause)
			if ctx.Err() != nil {
				return removed, ctx.Err()
			}
		case err != nil:
			return removed, err
		default:
			compacted, removed = reached, removed+n
		}
	}
	return removed, nil
}

// compactPage compacts the next page on the way to a revision, and returns the revision reached and
// the number of versions removed. It reads how far others have come under the lock, in a separate
// statement, so that no page is compacted twice.
func (s *Store) compactPage(ctx context.Context, to object.Revision) (reached object.Revision, removed int64, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		lock, err := tx.Exec(ctx, sqlLockHousekeeping)
		if err != nil {
			return err
		}
		if lock.RowsAffected() == 0 {
			return errCompacting
		}
		var newest, from object.Revision
		if err := tx.QueryRow(ctx, sqlRevision).Scan(&newest, &from); err != nil {
			return err
		}
		reached = max(from, min(from+compactPage, to))
		if reached == from {
			return nil
		}
		tag, err := tx.Exec(ctx, sqlCompact, from, reached)
		if err != nil {
			return err
		}
		removed = tag.RowsAffected()
		_, err = tx.Exec(ctx, sqlCompacted, reached)
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("store: compact to %d: %w", to, err)
	}
	return reached, removed, nil
}
