package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/object"
)

// Tail reads all that was committed after a revision, up to limit entries, in order and without
// gaps. Errors: ErrCompacted, and ErrFuture where the database does not have the revision itself.
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

// EntryStep is one change with the version before it, nil for a creation and where that has been compacted.
type EntryStep struct {
	Entry
	New, Old *object.Version // New is nil where a removal left the last state to Old
}

// Change reads one change. Errors: ErrCompacted where it may have been there, ErrFuture where it is still to come.
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

// Bodies reads versions in full, by their revisions, in order. Those that are not there any more,
// and removals that left their last state to the version before, are left out.
func (s *Store) Bodies(ctx context.Context, revisions []object.Revision) ([]*object.Version, error) {
	rows, err := s.pool.Query(ctx, sqlLogBodies, revisions)
	if err != nil {
		return nil, fmt.Errorf("store: read %d versions: %w", len(revisions), err)
	}
	var out []*object.Version
	var r row
	_, err = pgx.ForEachRow(rows, r.fields(), func() error {
		v, err := s.version(r)
		r.body = nil // it is the version's now
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: read %d versions: %w", len(revisions), err)
	}
	return out, nil
}

// Causes reads a change and what led to it, the change first, up to limit entries. With fewer, the
// last was a client's, or nobody asked for it, or what led to it has been compacted. Errors: as
// those of Change.
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

// Point says when the log had come to a revision.
type Point struct {
	Revision object.Revision
	At       time.Time // cluster time
}

// Points are up to n points of the log, evenly over what is retained, with the oldest and the newest.
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
