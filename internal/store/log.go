package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Entry is a row of the log without its body: which change it was, who made it and what caused it.
type Entry struct {
	Type            *object.Type
	Namespace, Name string
	UID             types.UID
	Revision        object.Revision
	Verb            object.Verb
	At              time.Time // cluster time
	Writer          object.Writer
	Cause           object.Revision // as in Change
}

// LogQuery asks for entries between two revisions, exclusive; 0 means no bound. Resources restricts
// them to some resources, nil meaning all; empty strings do not restrict.
type LogQuery struct {
	After, Before   object.Revision
	Resources       []string
	Namespace, Name string
	UID             types.UID
	Verb            object.Verb // only changes with this verb
	Requests        bool        // only changes by clients' requests themselves, not by controllers or kubelets
	Newest          bool        // newest first
	Limit           int
	// Patience is how long a page keeps reading, in real time; zero means two seconds.
	Patience time.Duration
}

// LogPage is the result of a LogQuery.
type LogPage struct {
	Entries []Entry
	// Next is the After, or with Newest the Before, that continues where the page ends; 0 if there
	// is nothing more.
	Next object.Revision
	// Oldest is the oldest revision that can be read exactly, Newest the newest.
	Oldest, Newest object.Revision
}

const (
	// logStep bounds how many revisions a statement walks past: their rows are interleaved with
	// bodies.
	logStep     = 5000
	logPatience = 2 * time.Second
)

// Log reads a page of the log. Its cost is the part of the log that it walks past. It ends after
// some time with what it has found; Next then says where to continue. For a single object, by uid,
// the cost is the number of that object's changes. Errors: ErrCompacted if what comes after After
// is gone.
func (s *Store) Log(ctx context.Context, q LogQuery) (LogPage, error) {
	newest, compacted, err := s.Revision(ctx)
	if err != nil {
		return LogPage{}, err
	}
	page := LogPage{Oldest: max(compacted, min(newest, 1)), Newest: newest}
	if q.After > 0 && q.After < compacted {
		return page, fmt.Errorf("store: read the log after %d: %w", q.After, ErrCompacted)
	}
	from, to := max(q.After, compacted), newest
	if q.Before > 0 {
		to = min(newest, q.Before-1)
	}
	switch {
	case from >= to, q.Resources != nil && len(q.Resources) == 0:
		return page, nil
	case q.UID != "":
		err = s.logOf(ctx, q, from, to, &page)
	default:
		err = s.walk(ctx, q, from, to, &page)
	}
	if errors.Is(err, ErrCompacted) && q.After == 0 {
		return s.Log(ctx, q) // it was compacted meanwhile, which happens twice a minute: start from the new beginning
	}
	if err != nil {
		return page, fmt.Errorf("store: read the log from %d to %d: %w", from, to, err)
	}
	if page.Next == 0 && len(page.Entries) == q.Limit {
		page.Next = page.Entries[q.Limit-1].Revision
	}
	if page.Next == to && !q.Newest || page.Next == from+1 && q.Newest {
		page.Next = 0
	}
	return page, nil
}

// logOf reads the entries of one object.
func (s *Store) logOf(ctx context.Context, q LogQuery, from, to object.Revision, page *LogPage) error {
	uid := ParseUID(q.UID)
	if !uid.Valid {
		return nil
	}
	of := q.Resources
	if of == nil {
		for _, k := range s.kinds.Stored() {
			of = append(of, k.Resource())
		}
	}
	rows, err := s.pool.Query(ctx, sqlLogEntriesOf, from, to, of, uid, q.Namespace, q.Name, q.Newest, q.Limit, q.Requests, q.Verb.Letter())
	if err != nil {
		return err
	}
	page.Entries, err = s.entries(rows, from)
	return err
}

// walk reads step by step until the page is full or time is up.
func (s *Store) walk(ctx context.Context, q LogQuery, from, to object.Revision, page *LogPage) error {
	began := time.Now()
	for from < to && len(page.Entries) < q.Limit {
		low, high, sql := from, min(to, from+logStep), sqlLogEntries
		if q.Newest {
			low, high, sql = max(from, to-logStep), to, sqlLogEntriesBack
		}
		rows, err := s.pool.Query(ctx, sql, low, high, q.Resources, q.Namespace, q.Name, q.Limit-len(page.Entries), q.Requests, q.Verb.Letter())
		if err != nil {
			return err
		}
		found, err := s.entries(rows, low)
		if errors.Is(err, ErrCompacted) && q.Newest {
			return nil // it is gone meanwhile, with everything older
		}
		if err != nil {
			return err
		}
		page.Entries = append(page.Entries, found...)
		if q.Newest {
			to = low
		} else {
			from = high
		}
		if len(page.Entries) < q.Limit && time.Since(began) > cmp.Or(q.Patience, logPatience) {
			if page.Next = from; q.Newest {
				page.Next = to + 1
			}
			return nil
		}
	}
	return nil
}

// entryRow is a row of the log as entries are read; all columns are NULL if the statement found
// none.
type entryRow struct {
	row
	writer *string
	cause  *int64
}

func (r *entryRow) fields() []any {
	return []any{&r.revision, &r.at, &r.uid, &r.verb, &r.resource, &r.space, &r.name, &r.writer, &r.cause}
}

func (s *Store) entry(r entryRow) (Entry, error) {
	v, err := s.version(r.row)
	if err != nil {
		return Entry{}, err
	}
	cause := object.Revision(*r.cause)
	return Entry{
		Type: v.Type, Namespace: v.Namespace, Name: v.Name, UID: v.UID, Revision: v.Revision, Verb: v.Verb, At: v.At.Time(),
		Writer: object.ParseWriter(*r.writer, cause), Cause: cause,
	}, nil
}

// entries reads rows that begin with the compaction revision and the newest revision; after must
// lie between the two.
func (s *Store) entries(rows pgx.Rows, after object.Revision) (out []Entry, err error) {
	var r entryRow
	var compacted, newest object.Revision
	_, err = pgx.ForEachRow(rows, append([]any{&compacted, &newest}, r.fields()...), func() error {
		switch {
		case compacted > after:
			return ErrCompacted
		case newest < after:
			return ErrFuture
		case r.revision == nil:
			return nil
		}
		e, err := s.entry(r)
		out = append(out, e)
		return err
	})
	return out, err
}

// Matches reports whether an entry satisfies the query, wherever it is.
func (q LogQuery) Matches(e Entry) bool {
	return (q.Resources == nil || slices.Contains(q.Resources, e.Type.Resource())) && (q.Namespace == "" || q.Namespace == e.Namespace) &&
		(q.Name == "" || q.Name == e.Name) && (q.UID == "" || q.UID == e.UID) &&
		(!q.Requests || e.Cause == 0) && (q.Verb == 0 || q.Verb == e.Verb)
}
