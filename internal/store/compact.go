package store

import (
	"context"
	"errors"
	"fmt"
	"sort"
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
	// compactEvery is the pause between two passes of RunCompaction.
	compactEvery = 30 * time.Second
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

// Retention says which revisions stay readable: those younger than Age or the newest Revisions,
// whichever are more, but never more than Most. 0 in Age or Revisions keeps everything, and so does
// the zero Retention.
type Retention struct {
	Age       time.Duration // in cluster time
	Revisions object.Revision
	// Most bounds the log while all of it is young; a revision takes about a kilobyte. 0 means no
	// bound.
	Most object.Revision
}

// DefaultRetention keeps an hour or 100,000 revisions, whichever is more, but at most two million.
var DefaultRetention = Retention{Age: time.Hour, Revisions: 100_000, Most: 2_000_000}

// all reports whether nothing is ever compacted.
func (r Retention) all() bool { return r.Age <= 0 || r.Revisions <= 0 }

// Target returns the revision up to which the log may be compacted at a moment of cluster time; 0
// if nothing may be. at returns when a revision was committed, for revisions after compacted and up
// to newest, and never decreases. It is called about as often as newest has binary digits.
func (r Retention) Target(newest, compacted object.Revision, now time.Time, at func(object.Revision) (time.Time, error)) (object.Revision, error) {
	last := newest - r.Revisions // the newest that may go by count
	if r.all() || last <= compacted {
		return 0, nil
	}
	var failed error
	old := sort.Search(int(last-compacted), func(i int) bool { // how many of (compacted, last] are too old
		if failed != nil {
			return true
		}
		t, err := at(last - object.Revision(i))
		failed = err
		return err == nil && !t.After(now.Add(-r.Age))
	})
	if failed != nil {
		return 0, failed
	}
	target := last - object.Revision(old)
	if r.Most > 0 {
		target = max(target, newest-r.Most)
	}
	if target > compacted {
		return target, nil
	}
	return 0, nil
}

// CompactOld compacts what Config.Retention does not keep at a moment of cluster time, and returns
// the revision that it compacted up to, 0 for nothing. If another process is compacting, it does
// nothing.
func (s *Store) CompactOld(ctx context.Context, now time.Time) (object.Revision, error) {
	newest, compacted, err := s.Revision(ctx)
	if err != nil {
		return 0, err
	}
	to, err := s.config.Retention.Target(newest, compacted, now, func(r object.Revision) (time.Time, error) {
		return s.logTime(ctx, r)
	})
	if err != nil || to == 0 {
		return 0, err
	}
	for compacted < to {
		reached, _, err := s.compactPage(ctx, to)
		if errors.Is(err, errCompacting) {
			return compacted, nil
		}
		if err != nil {
			return compacted, err
		}
		compacted = reached
	}
	return compacted, nil
}

// logTime returns when the first retained row from a revision on was committed.
func (s *Store) logTime(ctx context.Context, revision object.Revision) (at time.Time, err error) {
	if err := s.pool.QueryRow(ctx, SQLLogTime, revision).Scan(&at); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, fmt.Errorf("store: read the time of revision %d: %w", revision, err)
	}
	return at, nil
}

// RunCompaction compacts, at once and then every half minute, what Config.Retention does not keep,
// until ctx ends. now returns cluster time. Every process may run it: they take turns page by page
// under one row lock. It returns nil.
func (s *Store) RunCompaction(ctx context.Context, now func() time.Time) error {
	if s.config.Retention.all() {
		return nil
	}
	for ctx.Err() == nil {
		if _, err := s.CompactOld(ctx, now()); err != nil && ctx.Err() == nil {
			s.log.Warn("the log was not compacted", "error", err)
		}
		pause(ctx, compactEvery)
	}
	return nil
}
