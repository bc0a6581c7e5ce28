package store

import (
	"context"
	"fmt"
	"time"
	"unique"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Revision returns the newest committed revision, and the compaction revision: versions superseded
// at or below it are gone.
func (s *Store) Revision(ctx context.Context) (newest, compacted object.Revision, err error) {
	if err := s.pool.QueryRow(ctx, sqlRevision).Scan(&newest, &compacted); err != nil {
		return 0, 0, fmt.Errorf("store: read the revision: %w", err)
	}
	return newest, compacted, nil
}

// Size returns how many bytes the database takes on disk.
func (s *Store) Size(ctx context.Context) (bytes int64, err error) {
	if err := s.pool.QueryRow(ctx, sqlSize).Scan(&bytes); err != nil {
		return 0, fmt.Errorf("store: read the database's size: %w", err)
	}
	return bytes, nil
}

// row is a row of the log; all columns are NULL if the statement found none.
type row struct {
	revision              *int64
	at                    *time.Time
	uid                   pgtype.UUID
	verb                  *string
	resource, space, name *string
	body                  []byte
}

func (r *row) fields() []any {
	return []any{&r.revision, &r.at, &r.uid, &r.verb, &r.resource, &r.space, &r.name, &r.body}
}

// version converts the row to a version. A tombstone without a body has none here: its last state
// is the version before it.
func (s *Store) version(r row) (*object.Version, error) {
	t, err := s.typeOf(*r.resource, *r.space != "", r.body)
	if err != nil {
		return nil, err
	}
	name, uid := together(*r.name, types.UID(r.uid.String()))
	v := &object.Version{
		Type: t, Namespace: unique.Make(*r.space).Value(), Name: name, UID: uid,
		Revision: object.Revision(*r.revision), Verb: object.Verb((*r.verb)[0]), At: object.MomentOf(*r.at),
	}
	v.SetBody(r.body)
	return v, nil
}

// together returns a name and a UID that share one allocation: the mirror holds very many.
func together(name string, uid types.UID) (string, types.UID) {
	both := name + string(uid)
	return both[:len(name)], types.UID(both[len(name):])
}

// Heads returns the revisions of all live objects, in order.
func (s *Store) Heads(ctx context.Context) ([]object.Revision, error) {
	rows, err := s.pool.Query(ctx, SQLHeads)
	if err != nil {
		return nil, fmt.Errorf("store: read heads: %w", err)
	}
	heads, err := pgx.CollectRows(rows, pgx.RowTo[object.Revision])
	if err != nil {
		return nil, fmt.Errorf("store: read heads: %w", err)
	}
	return heads, nil
}

// After reads up to limit rows of the log that are newer than a revision, in order and without
// gaps. Errors: ErrCompacted if some of them are gone, ErrFuture if the database does not have the
// revision itself.
func (s *Store) After(ctx context.Context, after object.Revision, limit int) ([]*object.Version, error) {
	rows, err := s.pool.Query(ctx, sqlLogAfter, after, limit)
	if err != nil {
		return nil, fmt.Errorf("store: read the log after %d: %w", after, err)
	}
	out, err := s.retained(rows, after)
	if err != nil {
		return nil, fmt.Errorf("store: read the log after %d: %w", after, err)
	}
	return out, nil
}

// retained reads rows that begin with the compaction revision and the newest revision, from the
// same snapshot as the rest. It returns ErrCompacted or ErrFuture if the revision is no longer
// retained or not assigned yet.
func (s *Store) retained(rows pgx.Rows, revision object.Revision) (out []*object.Version, err error) {
	var r row
	var compacted, newest object.Revision
	_, err = pgx.ForEachRow(rows, append([]any{&compacted, &newest}, r.fields()...), func() error {
		switch {
		case compacted > revision:
			return ErrCompacted
		case revision > newest:
			return ErrFuture
		case r.revision == nil:
			return nil
		}
		v, err := s.version(r)
		out = append(out, v)
		r.body = nil
		return err
	})
	return out, err
}

// Holds reports whether the log still has the row that it had at a revision, or has compacted it.
// False means that the row came from another database, or another state of it (S12). Several
// histories may assign one revision to the same object, so the commit time is compared as well.
func (s *Store) Holds(ctx context.Context, revision object.Revision, uid types.UID, at time.Time) (held bool, err error) {
	if err := s.pool.QueryRow(ctx, sqlLogRow, revision, uid, at).Scan(&held); err != nil {
		return false, fmt.Errorf("store: look for revision %d: %w", revision, err)
	}
	return held, nil
}

// At reads all objects of a resource as they were at a revision, in no particular order; namespace
// "" means all. Errors: ErrCompacted if the revision is no longer retained, ErrFuture if it does
// not exist yet.
func (s *Store) At(ctx context.Context, resource, namespace string, revision object.Revision) ([]*object.Version, error) {
	rows, err := s.pool.Query(ctx, sqlAt, resource, revision, namespace)
	if err != nil {
		return nil, fmt.Errorf("store: read %s at %d: %w", resource, revision, err)
	}
	out, err := s.retained(rows, revision)
	if err != nil {
		return nil, fmt.Errorf("store: read %s at %d: %w", resource, revision, err)
	}
	return out, nil
}

// Difference is an object that may differ between two revisions: its version at the one asked for,
// nil if it did not exist.
type Difference struct {
	Namespace, Name string
	UID             types.UID
	Version         *object.Version
}

// AtFrom reads how a resource at a revision differs from another revision, earlier or later;
// namespace "" means all. Its cost is what was committed in between. Errors: ErrCompacted if one of
// the revisions is no longer retained, ErrFuture if one does not exist yet.
func (s *Store) AtFrom(ctx context.Context, resource, namespace string, from, revision object.Revision) ([]Difference, error) {
	low, high := min(from, revision), max(from, revision)
	rows, err := s.pool.Query(ctx, sqlAtFrom, resource, low, high, revision, namespace)
	if err != nil {
		return nil, fmt.Errorf("store: read %s at %d from %d: %w", resource, revision, from, err)
	}
	var r row
	var space, name *string
	var uid pgtype.UUID
	var compacted, newest object.Revision
	var out []Difference
	_, err = pgx.ForEachRow(rows, append([]any{&compacted, &newest, &space, &name, &uid}, r.fields()...), func() error {
		switch {
		case compacted > low:
			return ErrCompacted
		case high > newest:
			return ErrFuture
		case !uid.Valid:
			return nil
		}
		d := Difference{Namespace: *space, Name: *name, UID: types.UID(uid.String())}
		if r.revision != nil {
			v, err := s.version(r)
			if err != nil {
				return err
			}
			d.Version, r.body = v, nil
		}
		out = append(out, d)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store: read %s at %d from %d: %w", resource, revision, from, err)
	}
	return out, nil
}

// Step is one change and the version before it, nil for a creation.
type Step struct {
	New, Old *object.Version
}

// Changes reads up to limit changes of a resource that are newer than a revision, in order, and
// returns how far the page reaches: with fewer than limit changes, to the newest revision.
// ErrCompacted says that some of them are gone.
func (s *Store) Changes(ctx context.Context, resource string, after object.Revision, limit int) (steps []Step, upTo object.Revision, err error) {
	rows, err := s.pool.Query(ctx, sqlChanges, resource, after, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("store: read changes of %s after %d: %w", resource, after, err)
	}
	var r, before row
	var compacted, newest object.Revision
	dest := append([]any{&compacted, &newest}, r.fields()...)
	_, err = pgx.ForEachRow(rows, append(dest, &before.revision, &before.at, &before.body), func() error {
		if compacted > after {
			return ErrCompacted
		}
		if r.revision == nil {
			return nil
		}
		step, err := s.step(r, before)
		steps = append(steps, step)
		r.body, before.body = nil, nil
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("store: read changes of %s after %d: %w", resource, after, err)
	}
	if len(steps) == limit {
		return steps, steps[limit-1].New.Revision, nil
	}
	return steps, max(newest, after), nil
}

func (s *Store) step(r, before row) (Step, error) {
	v, err := s.version(r)
	if err != nil || before.revision == nil || v.Verb == object.Created {
		return Step{New: v}, err
	}
	r.revision, r.at, r.body = before.revision, before.at, before.body
	old, err := s.version(r)
	if err != nil {
		return Step{}, err
	}
	old.Verb = object.Updated
	if v.Body() == nil {
		v.Succeed(old)
	}
	return Step{New: v, Old: old}, nil
}
