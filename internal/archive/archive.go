// Package archive keeps snapshots by name, in the database, so that every replica has them: it
// saves a cluster's state or a range of its log there, receives files from clients, and loads a
// state.
//
// A snapshot is a file as package snapshot writes it, in pieces of a megabyte. It exists when its
// row says that it is complete. A process that dies while writing, or that cannot reach the database
// afterwards, leaves a hidden row, which holds the name until Remove removes it, or the next save two
// minutes later. No transaction stays open while a client sends or reads.
package archive

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store/export"
	"github.com/rowlock/rowlock/internal/store/loader"
	"github.com/rowlock/rowlock/internal/wakeup"
)

var (
	//go:embed claim.sql
	sqlClaim string
	//go:embed tidy.sql
	sqlTidy string
	//go:embed abandon.sql
	sqlAbandon string
	//go:embed list.sql
	sqlList string
	//go:embed remove.sql
	sqlRemove string
)

// Archive is the snapshots of a cluster. It is safe for concurrent use.
type Archive struct {
	Pool *pgxpool.Pool
	// Exporter exports the cluster.
	Exporter *export.Exporter
	// Rules are the rules for a state, Routes what its controllers sync.
	Rules  snapshot.Rules
	Routes *wakeup.Router
	// Server is the version to write into files.
	Server string
	// Loaded is called after a state has been loaded into the cluster, and returns when that is
	// being served; may be nil.
	Loaded func(context.Context)
	Log    *slog.Logger
}

// Kept is a stored snapshot.
type Kept struct {
	id             uuid.UUID
	Name           string
	Saved          time.Time // real time
	Header         snapshot.Header
	Records, Bytes int64
}

// Range is the part of the cluster to save: its state at To, 0 for the newest, or with Log the
// changes after From up to To.
type Range struct {
	Log      bool
	From, To object.Revision
}

// Save saves a state or a range of the log under a name. passing keeps it out of lists, and removes
// it when it has not been used for an hour. Errors: ErrExists, ErrTooMany, store.ErrCompacted and
// store.ErrFuture.
func (a *Archive) Save(ctx context.Context, name string, passing bool, r Range) (Kept, error) {
	w, err := a.create(ctx, name, passing)
	if err != nil {
		return Kept{}, err
	}
	var file *snapshot.Writer
	begin := func() (snapshot.Sink, error) {
		if file != nil {
			if err := w.again(); err != nil {
				return nil, err
			}
		}
		file = snapshot.NewWriter(w)
		return file, nil
	}
	var h snapshot.Header
	if r.Log {
		_, _ = begin() // the first call cannot fail
		h, err = a.Exporter.Log(ctx, r.From, r.To, a.Server, file)
	} else {
		h, err = a.Exporter.State(ctx, r.To, a.Server, begin)
	}
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		err = w.whole(h, file.Records())
	}
	if err != nil {
		a.abandon(ctx, w)
		return Kept{}, fmt.Errorf("save the snapshot %s: %w", name, err)
	}
	return a.Find(ctx, name)
}

// abandon removes what was written of a snapshot. One that is complete stays, as the commit that
// completed it may have failed for its client only, and so does another of the same name. If abandon
// fails too, what is left is removed later.
func (a *Archive) abandon(ctx context.Context, w *writer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := a.Pool.Exec(ctx, sqlAbandon, w.id); err != nil {
		a.Log.Warn("what is left of a snapshot was not removed", "snapshot", w.id, "error", err)
	}
}

// create takes the name, and removes leftovers.
func (a *Archive) create(ctx context.Context, name string, passing bool) (*writer, error) {
	if _, err := a.Pool.Exec(ctx, sqlTidy); err != nil {
		return nil, fmt.Errorf("tidy up the snapshots: %w", err)
	}
	w := &writer{ctx: ctx, pool: a.Pool, id: uuid.New()}
	tag, err := a.Pool.Exec(ctx, sqlClaim, w.id, name, passing, MaxKept)
	switch {
	case pg.IsDuplicate(err):
		return nil, fmt.Errorf("save the snapshot %s: %w", name, ErrExists)
	case err != nil:
		return nil, fmt.Errorf("save the snapshot %s: %w", name, err)
	case tag.RowsAffected() == 0:
		return nil, ErrTooMany
	}
	return w, nil
}

// Receive stores a file from a client if it is complete and, if it is a state, can be loaded. It
// holds one line of it at a time. Errors: those of package snapshot, ErrExists, ErrTooMany,
// ErrTooLarge and those of r.
func (a *Archive) Receive(ctx context.Context, name string, passing bool, r io.Reader) (Kept, error) {
	w, err := a.create(ctx, name, passing)
	if err != nil {
		return Kept{}, err
	}
	bounded := &boundedReader{r: r, left: MaxBytes}
	h, records, err := a.judge(io.TeeReader(bounded, w))
	if err == nil {
		err = w.flush()
	}
	if err == nil {
		err = w.whole(h, records)
	}
	if err != nil {
		a.abandon(ctx, w)
		return Kept{}, fmt.Errorf("keep the snapshot %s: %w", name, err)
	}
	return a.Find(ctx, name)
}

// boundedReader fails, rather than end, if there is too much.
type boundedReader struct {
	r    io.Reader
	left int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, ErrTooLarge
	}
	return n, err
}

// nowhere is a Sink that only counts.
type nowhere struct{ records int64 }

func (*nowhere) Begin(snapshot.Header) error { return nil }

func (n *nowhere) Put(snapshot.Record) error { n.records++; return nil }

// judge reads a file to its end.
func (a *Archive) judge(r io.Reader) (snapshot.Header, int64, error) {
	file, err := snapshot.NewReader(r)
	if err != nil {
		return snapshot.Header{}, 0, err
	}
	var count nowhere
	if file.Header.Contents == snapshot.Log {
		for err == nil {
			if _, err = file.Next(); err == nil {
				count.records++
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return file.Header, count.records, err
	}
	err = snapshot.Copy(snapshot.NewChecker(a.Rules, &count), file)
	return file.Header, count.records, err
}

// List returns the stored snapshots, by name.
func (a *Archive) List(ctx context.Context) ([]Kept, error) { return a.list(ctx, "") }

// Find returns the snapshot with a name, or ErrNotFound.
func (a *Archive) Find(ctx context.Context, name string) (Kept, error) {
	all, err := a.list(ctx, name)
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Kept{}, err
	}
	return all[0], nil
}

func (a *Archive) list(ctx context.Context, name string) ([]Kept, error) {
	rows, err := a.Pool.Query(ctx, sqlList, name)
	if err != nil {
		return nil, fmt.Errorf("list the snapshots: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k Kept, err error) {
		var header []byte
		if err := row.Scan(&k.id, &k.Name, &k.Saved, &header, &k.Records, &k.Bytes); err != nil {
			return k, err
		}
		k.Saved = k.Saved.UTC()
		return k, json.Unmarshal(header, &k.Header)
	})
	if err != nil {
		return nil, fmt.Errorf("list the snapshots: %w", err)
	}
	return all, nil
}

// Remove removes a snapshot, complete or not, or returns ErrNotFound.
func (a *Archive) Remove(ctx context.Context, name string) error {
	var n int
	if err := a.Pool.QueryRow(ctx, sqlRemove, name).Scan(&n); err != nil {
		return fmt.Errorf("remove the snapshot %s: %w", name, err)
	}
	if n == 0 {
		return ErrNotFound
	}
	return nil
}

// Open reads a snapshot's file, one piece at a time. If it is removed meanwhile, the reader fails
// with ErrNotFound.
func (a *Archive) Open(ctx context.Context, k Kept) io.Reader {
	return &reader{ctx: ctx, pool: a.Pool, id: k.id, left: k.Bytes}
}

// Load replaces the cluster's state with a snapshot's. Errors: those of package snapshot,
// loader.ErrNotEmpty, loader.ErrBusy, store.ErrReserved and ErrNotFound; after any of them,
// nothing has changed.
func (a *Archive) Load(ctx context.Context, name string, o loader.Options) (snapshot.Header, error) {
	h, err := a.LoadInto(ctx, a.Pool, name, o)
	if err == nil && a.Loaded != nil {
		a.Loaded(ctx)
	}
	return h, err
}

// LoadInto is Load into another database.
func (a *Archive) LoadInto(ctx context.Context, pool *pgxpool.Pool, name string, o loader.Options) (snapshot.Header, error) {
	k, err := a.Find(ctx, name)
	if err != nil {
		return snapshot.Header{}, err
	}
	if err := Load(ctx, a.Open(ctx, k), pool, a.Rules, a.Routes, o); err != nil {
		return snapshot.Header{}, fmt.Errorf("load the snapshot %s: %w", name, err)
	}
	return k.Header, nil
}

// Load replaces the state of a database's cluster with a file's.
func Load(ctx context.Context, r io.Reader, pool *pgxpool.Pool, rules snapshot.Rules, routes *wakeup.Router, o loader.Options) error {
	file, err := snapshot.NewReader(r)
	if err != nil {
		return err
	}
	into, err := loader.New(ctx, pool, rules.Kinds, routes, o)
	if err != nil {
		return err
	}
	defer into.Close()
	if err := snapshot.Copy(snapshot.NewChecker(rules, into), file); err != nil {
		return err
	}
	return into.Finish()
}
