package archive

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/snapshot"
)

var (
	//go:embed piece.sql
	sqlPiece string
	//go:embed whole.sql
	sqlWhole string
	//go:embed again.sql
	sqlAgain string
	//go:embed read.sql
	sqlRead string
)

// pieceBytes is the size of the pieces.
const pieceBytes = 1 << 20

// writer writes the pieces of a snapshot, each in a transaction of its own.
type writer struct {
	ctx  context.Context //nolint:containedctx // of one snapshot, as io.Writer has none
	pool *pgxpool.Pool
	id   uuid.UUID
	next int32
	rest []byte
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for len(w.rest) >= pieceBytes {
		if err := w.send(w.rest[:pieceBytes]); err != nil {
			return 0, err
		}
		w.rest = append(w.rest[:0], w.rest[pieceBytes:]...)
	}
	return len(p), nil
}

func (w *writer) send(piece []byte) error {
	tag, err := w.pool.Exec(w.ctx, sqlPiece, w.id, w.next, piece)
	if err != nil {
		return fmt.Errorf("write piece %d: %w", w.next, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("write piece %d: %w: it was removed meanwhile", w.next, ErrNotFound)
	}
	w.next++
	return nil
}

// flush writes the last piece.
func (w *writer) flush() error {
	if len(w.rest) == 0 {
		return nil
	}
	rest := w.rest
	w.rest = nil
	return w.send(rest)
}

// again starts over.
func (w *writer) again() error {
	w.rest, w.next = nil, 0
	if _, err := w.pool.Exec(w.ctx, sqlAgain, w.id); err != nil {
		return fmt.Errorf("start over: %w", err)
	}
	return nil
}

// whole writes the last piece and marks the snapshot as complete.
func (w *writer) whole(h snapshot.Header, records int64) error {
	if err := w.flush(); err != nil {
		return err
	}
	h.Rowlock, h.Format = "snapshot", snapshot.Format
	header, err := json.Marshal(h)
	if err != nil {
		return err
	}
	tag, err := w.pool.Exec(w.ctx, sqlWhole, w.id, header, records)
	if err == nil && tag.RowsAffected() == 0 {
		err = fmt.Errorf("%w: it was removed meanwhile", ErrNotFound)
	}
	return err
}

// reader reads the pieces of a snapshot.
type reader struct {
	ctx  context.Context //nolint:containedctx // of one reading, as io.Reader has none
	pool *pgxpool.Pool
	id   uuid.UUID
	next int32
	left int64 // bytes of pieces not read yet
	rest []byte
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.left <= 0 {
			return 0, io.EOF
		}
		err := r.pool.QueryRow(r.ctx, sqlRead, r.id, r.next).Scan(&r.rest)
		if err == pgx.ErrNoRows { //nolint:errorlint // Scan gives it as it is
			return 0, fmt.Errorf("%w: it was removed meanwhile", ErrNotFound)
		}
		if err != nil {
			return 0, fmt.Errorf("read piece %d: %w", r.next, err)
		}
		r.next++
		r.left -= int64(len(r.rest))
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
