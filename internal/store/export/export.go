// Package export writes a cluster, or a range of its log, to a snapshot.
package export

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
)

// The statements, each in its own file.
var (
	//go:embed counter.sql
	sqlCounter string
	//go:embed heads_at.sql
	sqlHeadsAt string
	//go:embed memories.sql
	sqlMemories string
	//go:embed wakeups.sql
	sqlWakeups string
	//go:embed files.sql
	sqlFiles string
	//go:embed answers.sql
	sqlAnswers string
	//go:embed versions.sql
	sqlVersions string
	//go:embed log.sql
	sqlLog string
)

const (
	// pageSize is how many versions one statement of an export reads.
	pageSize = 500
	// attempts is how often an export starts because the log was compacted during it.
	attempts = 5
)

// Exporter exports a cluster. It is safe for concurrent use.
type Exporter struct {
	store *store.Store
	pool  *pgxpool.Pool
}

// New makes an Exporter of a store's database.
func New(s *store.Store, pool *pgxpool.Pool) *Exporter { return &Exporter{s, pool} }

// State writes all objects at one revision to the Sink that begin makes, and returns its header.
// At 0 that is the newest revision, with controllers' memories and wakeups; at an earlier revision
// it is the objects alone (Header.Past). If the log is compacted during the export, begin is called
// again for a new Sink. Errors: store.ErrCompacted, store.ErrFuture and those of the Sink.
//
// The revision, memories and wakeups are read in one short transaction. The versions, which are
// most of the data and never change, are read afterwards by number, page by page: no old snapshot
// slows the counter (S13).
func (e *Exporter) State(ctx context.Context, at object.Revision, server string, begin func() (snapshot.Sink, error)) (h snapshot.Header, err error) {
	for range attempts {
		var sink snapshot.Sink
		if sink, err = begin(); err != nil {
			return h, err
		}
		h, err = e.export(ctx, at, server, sink)
		if at > 0 || !errors.Is(err, store.ErrCompacted) {
			return h, err
		}
	}
	return h, err
}

func (e *Exporter) export(ctx context.Context, at object.Revision, server string, sink snapshot.Sink) (snapshot.Header, error) {
	h := snapshot.Header{Server: server, Contents: snapshot.State}
	var heads []int64
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, e.pool, options, func(tx pgx.Tx) error {
		var err error
		if err = readCounter(ctx, tx, &h); err != nil {
			return err
		}
		if at > 0 && at < h.Revision {
			heads, err = headsAt(ctx, tx, at, &h)
		} else if at > h.Revision {
			err = store.ErrFuture
		} else {
			heads, err = numbers(ctx, tx, store.SQLHeads)
		}
		if err != nil {
			return err
		}
		if err := sink.Begin(h); err != nil {
			return err
		}
		if h.Past {
			return nil
		}
		return exportBeside(ctx, tx, sink)
	})
	if err != nil {
		return h, fmt.Errorf("store: export: %w", err)
	}
	for len(heads) > 0 {
		page := heads[:min(len(heads), pageSize)]
		heads = heads[len(page):]
		if err := e.exportVersions(ctx, page, sink); err != nil {
			return h, fmt.Errorf("store: export: %w", err)
		}
	}
	return h, nil
}

// readCounter fills the header for the newest revision.
func readCounter(ctx context.Context, tx pgx.Tx, h *snapshot.Header) error {
	var compacted int64
	var committed *time.Time // infinite, and so unreadable, before the first commit
	var infinity pgtype.Timestamptz
	if err := tx.QueryRow(ctx, sqlCounter).Scan(&h.Revision, &compacted, &infinity, &h.Time, &h.Clock.Speed, &h.Clock.Pace, &h.Addresses); err != nil {
		return err
	}
	if infinity.InfinityModifier == pgtype.Finite {
		committed = &infinity.Time
	}
	h.Time = h.Time.UTC()
	h.Committed = h.Time
	if committed != nil {
		h.Committed = committed.UTC()
	}
	return nil
}

// headsAt returns the revisions of the objects that existed at a revision, and sets the header to
// that revision.
func headsAt(ctx context.Context, tx pgx.Tx, at object.Revision, h *snapshot.Header) (heads []int64, err error) {
	rows, err := tx.Query(ctx, sqlHeadsAt, at)
	if err != nil {
		return nil, err
	}
	var compacted, newest object.Revision
	var revision *int64
	_, err = pgx.ForEachRow(rows, []any{&compacted, &newest, &revision}, func() error {
		if compacted > at {
			return store.ErrCompacted
		}
		if revision != nil {
			heads = append(heads, *revision)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var committed time.Time
	if err := tx.QueryRow(ctx, store.SQLLogTime, at).Scan(&committed); err != nil {
		return nil, err
	}
	h.Revision, h.Past, h.Time, h.Committed = at, true, committed.UTC(), committed.UTC()
	return heads, nil
}

func numbers(ctx context.Context, tx pgx.Tx, sql string) ([]int64, error) {
	rows, err := tx.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// exportBeside exports what is stored beside objects: memories, wakeups, files and answers.
func exportBeside(ctx context.Context, tx pgx.Tx, sink snapshot.Sink) error {
	var uid pgtype.UUID
	var m snapshot.Memory
	err := each(ctx, tx, sqlMemories, []any{&uid, &m.State}, func() error {
		given := snapshot.Memory{UID: types.UID(uid.String()), State: m.State}
		m.State = nil
		return sink.Put(snapshot.Record{Memory: &given})
	})
	if err != nil {
		return err
	}
	var w snapshot.Wakeup
	err = each(ctx, tx, sqlWakeups, []any{&w.Controller, &uid, &w.Due, &w.Attempt, &w.Cause}, func() error {
		given := w
		given.UID = types.UID(uid.String())
		if w.Due != nil {
			given.Due = new(w.Due.UTC())
		}
		w.Due = nil
		return sink.Put(snapshot.Record{Wakeup: &given})
	})
	if err != nil {
		return err
	}
	var f snapshot.File
	err = each(ctx, tx, sqlFiles, []any{&f.Node, &f.Path, &f.Mode, &f.UID, &f.GID, &f.Content}, func() error {
		given := f
		f.Content = nil
		return sink.Put(snapshot.Record{File: &given})
	})
	if err != nil {
		return err
	}
	return exportAnswers(ctx, tx, sink)
}

// exportAnswers exports the answers that callers have not collected yet. Other calls are made
// again.
func exportAnswers(ctx context.Context, tx pgx.Tx, sink snapshot.Sink) error {
	var caller, callee pgtype.UUID
	var a snapshot.Answer
	return each(ctx, tx, sqlAnswers, []any{&caller, &a.Number, &callee, &a.At, &a.Due, &a.Answer}, func() error {
		given := a
		given.Caller, given.Callee = types.UID(caller.String()), types.UID(callee.String())
		given.At, given.Due = a.At.UTC(), a.Due.UTC()
		a.Answer = nil
		return sink.Put(snapshot.Record{Answer: &given})
	})
}

func each(ctx context.Context, tx pgx.Tx, sql string, fields []any, f func() error) error {
	rows, err := tx.Query(ctx, sql)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, fields, f)
	return err
}

// row is a row of the log as an export reads it; all columns are NULL if the statement
// found none.
type row struct {
	revision                      *int64
	at                            *time.Time
	uid                           pgtype.UUID
	verb                          *string
	resource, space, name, writer *string
	cause                         *int64
	body                          []byte
}

func (r *row) fields() []any {
	return []any{&r.revision, &r.at, &r.uid, &r.verb, &r.resource, &r.space, &r.name, &r.writer, &r.cause, &r.body}
}

func (r *row) record() snapshot.Record {
	verb := object.Updated
	switch *r.verb {
	case "c":
		verb = object.Created
	case "d":
		verb = object.Deleted
	}
	v := snapshot.Version{
		Revision: object.Revision(*r.revision), At: r.at.UTC(), Verb: verb, Resource: *r.resource, Namespace: *r.space, Name: *r.name,
		UID: types.UID(r.uid.String()), Writer: *r.writer, Cause: object.Revision(*r.cause), Body: r.body,
	}
	r.body = nil
	return snapshot.Record{Version: &v}
}

func (e *Exporter) exportVersions(ctx context.Context, revisions []int64, sink snapshot.Sink) error {
	rows, err := e.pool.Query(ctx, sqlVersions, revisions)
	if err != nil {
		return err
	}
	var r row
	found := 0
	_, err = pgx.ForEachRow(rows, r.fields(), func() error {
		found++
		return sink.Put(r.record())
	})
	if err == nil && found < len(revisions) {
		err = store.ErrCompacted
	}
	return err
}

// Log writes the changes after one revision, up to another, to a Sink, in order; to = 0 means up to
// the newest. Errors: store.ErrCompacted, store.ErrFuture and those of the Sink.
func (e *Exporter) Log(ctx context.Context, from, to object.Revision, server string, sink snapshot.Sink) (h snapshot.Header, err error) {
	newest, compacted, err := e.store.Revision(ctx)
	switch {
	case err != nil:
		return h, err
	case compacted > from:
		return h, fmt.Errorf("store: export the log after %d: %w", from, store.ErrCompacted)
	case to > newest || from > newest:
		return h, fmt.Errorf("store: export the log up to %d: %w", max(from, to), store.ErrFuture)
	case to == 0:
		to = newest
	}
	h = snapshot.Header{Server: server, Contents: snapshot.Log, From: from, Revision: to}
	if h.Time, err = e.timeOf(ctx, to); err != nil {
		return h, err
	}
	if err := sink.Begin(h); err != nil {
		return h, err
	}
	for at := from; at < to; {
		if at, err = e.exportLogPage(ctx, at, to, sink); err != nil {
			return h, fmt.Errorf("store: export the log after %d: %w", at, err)
		}
	}
	return h, nil
}

// timeOf returns when a revision was committed, or the next retained one if it was compacted.
func (e *Exporter) timeOf(ctx context.Context, revision object.Revision) (at time.Time, err error) {
	if err := e.pool.QueryRow(ctx, store.SQLLogTime, revision).Scan(&at); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return at, fmt.Errorf("store: read the time of revision %d: %w", revision, err)
	}
	return at.UTC(), nil
}

func (e *Exporter) exportLogPage(ctx context.Context, at, to object.Revision, sink snapshot.Sink) (object.Revision, error) {
	rows, err := e.pool.Query(ctx, sqlLog, at, to, pageSize)
	if err != nil {
		return at, err
	}
	var compacted, newest object.Revision
	var r row
	reached, found := at, 0
	_, err = pgx.ForEachRow(rows, append([]any{&compacted, &newest}, r.fields()...), func() error {
		switch {
		case compacted > at:
			return store.ErrCompacted
		case r.revision == nil:
			return nil
		}
		reached, found = object.Revision(*r.revision), found+1
		return sink.Put(r.record())
	})
	if err == nil && found < pageSize {
		reached = to
	}
	return reached, err
}
