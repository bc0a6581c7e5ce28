package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/object"
)

// Tail reads up to limit entries that were committed after a revision, in order and without gaps.
// Errors: ErrCompacted, and ErrFuture if the database does not have the revision itself.
func (s *Store) Tail(ctx context.Context, after object.Revision, limit int) ([]Entry, error) {
	rows, err := s.pool.Query(ctx, sqlLogEntries, after, after+object.Revision(limit), nil, "", "", limit, false, "")
	if err != nil {
		return nil, fmt.Errorf("store: read the log after %d: %w", after, err)
	}
	out, err := s.entries(rows, after)
	if err != nil {
		return nil, fmt.Errorf("store: read the log after %d: %w", after, err)
	}
	return out, nil
}

// EntryStep is one change and the version before it, which is nil for a creation or if it has been
// compacted.
type EntryStep struct {
	Entry
	New, Old *object.Version // New is nil if a removal left the last state in Old
}

// Change reads one change. Errors: ErrCompacted if it may have existed, ErrFuture if it does not
// exist yet.
func (s *Store) Change(ctx context.Context, revision object.Revision) (EntryStep, error) {
	var r entryRow
	var before row
	var compacted, newest object.Revision
	dest := append([]any{&compacted, &newest}, r.fields()...)
	err := s.pool.QueryRow(ctx, sqlLogEntry, revision).Scan(append(dest, &r.body, &before.revision, &before.at, &before.body)...)
	switch {
	case err != nil:
	case revision > newest:
		err = ErrFuture
	case r.revision == nil:
		err = ErrCompacted
	}
	if err != nil {
		return EntryStep{}, fmt.Errorf("store: read the change %d: %w", revision, err)
	}
	e, err := s.entry(r)
	if err != nil {
		return EntryStep{}, err
	}
	out := EntryStep{Entry: e}
	if r.body != nil {
		if out.New, err = s.version(r.row); err != nil {
			return out, err
		}
	}
	if before.revision != nil && e.Verb != object.Created {
		r.revision, r.at, r.body = before.revision, before.at, before.body
		out.Old, err = s.version(r.row)
	}
	return out, err
}

// Bodies reads versions in full, by their revisions, in order. It leaves out versions that no
// longer exist, and removals whose last state is the version before.
func (s *Store) Bodies(ctx context.Context, revisions []object.Revision) ([]*object.Version, error) {
	rows, err := s.pool.Query(ctx, sqlLogBodies, revisions)
	if err != nil {
		return nil, fmt.Errorf("store: read %d versions: %w", len(revisions), err)
	}
	var out []*object.Version
	var r row
	_, err = pgx.ForEachRow(rows, r.fields(), func() error {
		v, err := s.version(r)
		r.body = nil // the version owns it now
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: read %d versions: %w", len(revisions), err)
	}
	return out, nil
}

// Causes reads a change and the chain of its causes, the change first, up to limit entries. If
// there are fewer, the last entry has no cause because a client made it, because nothing asked for
// it, or because its cause has been compacted. Errors: as for Change.
func (s *Store) Causes(ctx context.Context, revision object.Revision, limit int) ([]Entry, error) {
	rows, err := s.pool.Query(ctx, sqlLogCauses, revision, limit)
	if err != nil {
		return nil, fmt.Errorf("store: read what led to %d: %w", revision, err)
	}
	var out []Entry
	var r entryRow
	var compacted, newest object.Revision
	_, err = pgx.ForEachRow(rows, append([]any{&compacted, &newest}, r.fields()...), func() error {
		switch {
		case revision > newest:
			return ErrFuture
		case r.revision == nil:
			return ErrCompacted
		}
		e, err := s.entry(r)
		out = append(out, e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: read what led to %d: %w", revision, err)
	}
	return out, nil
}

// Point says when the log reached a revision.
type Point struct {
	Revision object.Revision
	At       time.Time // cluster time
}

// Points returns up to n points of the log, spread evenly over what is retained, and the oldest and
// newest.
func (s *Store) Points(ctx context.Context, n int) (oldest, newest Point, points []Point, err error) {
	rows, err := s.pool.Query(ctx, sqlLogPoints, n)
	if err != nil {
		return oldest, newest, nil, fmt.Errorf("store: read points of the log: %w", err)
	}
	var revision *int64
	var at *time.Time
	var committed *time.Time
	_, err = pgx.ForEachRow(rows, []any{&oldest.Revision, &newest.Revision, &committed, &revision, &at}, func() error {
		if revision != nil {
			points = append(points, Point{object.Revision(*revision), *at})
		}
		return nil
	})
	if err != nil {
		return oldest, newest, nil, fmt.Errorf("store: read points of the log: %w", err)
	}
	if committed != nil {
		newest.At = *committed
	}
	oldest.At = newest.At
	if len(points) > 0 {
		oldest.At = points[0].At
	}
	return oldest, newest, points, nil
}
