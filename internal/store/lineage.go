package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
)

// lineageGap is how far the counter is advanced if the end of a history may be lost: further than a
// backup can lag behind. At ten thousand changes a second it is a day.
//
// Source: etcd's documentation, "Disaster recovery", etcdutl snapshot restore --bump-revision 1000000000 --mark-compacted
const lineageGap = 1_000_000_000

// addressGap is how many Pod addresses are skipped then: as many as replicas may have drawn, and not
// assigned, since the end was lost.
const addressGap = 1 << 16

// Recognise checks that the database is the one that its history was written to. In another one,
// restored from a backup or on a promoted server, clients may know revisions that do not exist or
// that belong to other changes. Recognise then advances the counter by lineageGap and compacts
// everything before: requests with an earlier revision get 410, and no revision is assigned twice. It
// also skips the Pod addresses that running replicas may still have drawn.
// Until then, apply refuses every write on a promoted server with ErrUnavailable. If the database is
// a copy, its forks are forgotten, because they belong to the original.
//
// It reports whether it has done so. Several replicas may call it at once. It cannot detect a
// restored copy of the server's files: see Renew.
func (s *Store) Recognise(ctx context.Context) (renewed bool, err error) {
	known, actual, err := s.lineage(ctx)
	switch {
	case err != nil:
		return false, fmt.Errorf("store: recognise the database: %w", err)
	case known == nil:
		if _, err := s.pool.Exec(ctx, sqlLineageKeep, actual); err != nil {
			return false, fmt.Errorf("store: recognise the database: %w", err)
		}
		return false, nil
	case *known == actual:
		return false, nil
	}
	if _, renewed, err = s.renew(ctx, *known, actual); err != nil {
		return false, fmt.Errorf("store: begin a new history: %w", err)
	}
	return renewed, nil
}

// Renew begins a new history in a migrated database, whether or not Recognise would detect a
// change, and returns the revision that it begins with. Running replicas load again.
func Renew(ctx context.Context, pool *pgxpool.Pool) (object.Revision, error) {
	s := &Store{pool: pool}
	for {
		known, actual, err := s.lineage(ctx)
		if err == nil && known == nil {
			_, err = pool.Exec(ctx, sqlLineageKeep, actual)
			known = &actual
		}
		if err != nil {
			return 0, fmt.Errorf("store: recognise the database: %w", err)
		}
		newest, renewed, err := s.renew(ctx, *known, actual)
		if err != nil {
			return 0, fmt.Errorf("store: begin a new history: %w", err)
		}
		if renewed {
			return newest, nil
		}
	}
}

// lineage reads which database the history was written to, nil if unknown, and which database this
// is.
func (s *Store) lineage(ctx context.Context) (known *string, actual string, err error) {
	err = s.pool.QueryRow(ctx, sqlLineage).Scan(&known, &actual)
	if pg.IsForbidden(err) || pg.IsUnsupported(err) {
		err = s.pool.QueryRow(ctx, sqlLineagePlain).Scan(&known, &actual)
	}
	return known, actual, err
}

// renew begins a new history, unless another process has done so meanwhile. It removes page by
// page, beforehand, what compaction has to remove; that may be interrupted and continues the next
// time.
func (s *Store) renew(ctx context.Context, known, actual string) (newest object.Revision, renewed bool, err error) {
	for {
		to, _, err := s.Revision(ctx)
		if err != nil {
			return 0, false, err
		}
		if _, err := s.Compact(ctx, to); err != nil {
			return 0, false, err
		}
		newest, renewed, err = s.renewOnce(ctx, known, actual)
		if !errors.Is(err, errCompacting) {
			return newest, renewed, err
		}
		if pause(ctx, compactPause); ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
	}
}

// renewOnce is the one transaction of renew. It excludes compaction, as Compact does, so that
// nothing waits while holding the counter.
func (s *Store) renewOnce(ctx context.Context, known, actual string) (newest object.Revision, renewed bool, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		lock, err := tx.Exec(ctx, sqlLockHousekeeping)
		if err != nil {
			return err
		}
		if lock.RowsAffected() == 0 {
			return errCompacting
		}
		row, err := tx.Exec(ctx, sqlLineageRenew, known, actual)
		if err != nil || row.RowsAffected() == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, sqlLineageForks, known, actual); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sqlLineageAddresses, addressGap); err != nil {
			return err
		}
		var compacted, last object.Revision
		if err := tx.QueryRow(ctx, sqlLineageAdvance, int64(lineageGap)).Scan(&compacted, &last, &newest); err != nil {
			return err
		}
		renewed = true
		_, err = tx.Exec(ctx, sqlCompact, compacted, last) // versions written since Compact
		return err
	})
	return newest, renewed, err
}
