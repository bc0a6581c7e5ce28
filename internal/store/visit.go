package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
)

// Visited is what a visit reads.
type Visited struct {
	Revision object.Revision // of the object
	Memory   []byte          // the memory beside it, or nil
	Now      time.Time       // cluster time
	Sessions []int           // the sessions in the Pod that have a client on some process, in no order

	transaction string // its number, as text
}

// Left is what a visit writes.
type Left struct {
	Memory []byte    // nil for no change
	Wake   time.Time // when the controller must sync the object at the latest; zero if it need not

	Begun, Over []int // sessions that now have a client on this process, and sessions without any client left
	Audible     []int // sessions that have output to collect, wherever their client is: see Config.Audible
}

// Visit lets a caller other than a controller change the memory beside an object. It calls f under
// the object's lock with the current memory; f returns the new one. The time that f takes counts
// towards the transaction's timeout (S15), so it must be quick. Visit waits for the lock, as writes
// do. It takes two messages, or one if nothing changes.
//
// If the connection is lost around the commit, the outcome is looked up. Errors: ErrGone, ErrBusy,
// ErrUnavailable, f's, ErrUnknownOutcome and the database's. After all but the last two, nothing
// has changed; after ErrUnavailable and ErrBusy, f may be called again.
func (s *Store) Visit(ctx context.Context, controller string, uid types.UID, f func(Visited) (Left, error)) error {
	id := ParseUID(uid)
	if !id.Valid {
		return ErrGone
	}
	waiting, cancel := context.WithTimeout(ctx, s.config.BusyTimeout)
	defer cancel()
	var left Left
	woken, at := false, entering
	var v Visited
	err := s.pool.AcquireFunc(waiting, func(conn *pgxpool.Conn) (err error) {
		committing := context.WithoutCancel(ctx) // from the commit on, the outcome would be unknown
		if v, err = beginVisit(waiting, conn.Conn(), id); err == nil {
			if err = contain.Call(func() (err error) { left, err = f(v); return err }); err != nil {
				at = inside
			}
		}
		if err != nil || left.nothing() {
			_, rollback := conn.Exec(committing, "ROLLBACK")
			return cmp.Or(err, rollback)
		}
		at = leaving
		return conn.SendBatch(committing, s.leaveVisit(left, v, id, controller, &woken)).Close()
	})
	if err != nil {
		if err = s.judge(ctx, at, id, v, left, err); err == nil {
			woken = !left.Wake.IsZero() // if the outcome of the wakeup is unknown, assume that it was inserted
		}
	}
	switch {
	case err == nil:
		if woken {
			s.report(Applied{Woken: []string{controller}})
		}
		s.tellAudible(uid, left.Audible)
		return nil
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return ErrBusy
	case errors.Is(err, pgx.ErrNoRows):
		return ErrGone
	}
	return fmt.Errorf("store: visit %s: %w", uid, err)
}

// nothing reports whether the visit has changed nothing.
func (l *Left) nothing() bool { return l.Memory == nil && len(l.Begun)+len(l.Over) == 0 }

// leaveVisit returns the message that ends a visit.
func (s *Store) leaveVisit(left Left, v Visited, id pgtype.UUID, controller string, woken *bool) *pgx.Batch {
	m := &pgx.Batch{}
	if left.Memory != nil {
		m.Queue(sqlRemember, []pgtype.UUID{id}, []int64{int64(v.Revision)}, [][]byte{left.Memory})
	}
	if wake := left.Wake; !wake.IsZero() {
		if wake.Before(v.Now) {
			wake = v.Now
		}
		m.Queue(sqlVisitWake, id, controller, wake, int64(v.Revision)).Exec(func(t pgconn.CommandTag) error {
			*woken = t.RowsAffected() > 0
			return nil
		})
	}
	if len(left.Begun) > 0 {
		m.Queue(sqlSessionsBegun, id, left.Begun, s.config.Replica)
	}
	if len(left.Over) > 0 {
		m.Queue(sqlSessionsOver, id, left.Over)
	}
	m.Queue("COMMIT")
	return m
}

// beginVisit begins a transaction, locks the object and then, in another statement, reads its
// state: in one message.
func beginVisit(ctx context.Context, conn *pgx.Conn, id pgtype.UUID) (v Visited, err error) {
	var m pgx.Batch
	var revision int64
	m.Queue("BEGIN")
	m.Queue(sqlLockHead, id).QueryRow(func(row pgx.Row) error { return row.Scan(&revision) })
	m.Queue(sqlVisit, id).QueryRow(func(row pgx.Row) error { return row.Scan(&v.Now, &v.transaction, &v.Memory, &v.Sessions) })
	err = conn.SendBatch(ctx, &m).Close()
	v.Revision, v.Now = object.Revision(revision), v.Now.UTC()
	return v, err
}

// tellAudible notifies the process of sessions that have output to collect.
func (s *Store) tellAudible(pod types.UID, sessions []int) {
	if len(sessions) > 0 && s.config.Audible != nil {
		s.config.Audible(pod, sessions)
	}
}

// outcomePause is the pause between two queries for a transaction that is still under way, in real
// time.
const outcomePause = 20 * time.Millisecond

// stage is how far a visit has come.
type stage int

const (
	entering stage = iota // nothing has been written
	inside                // f has failed
	leaving               // the writes and the commit may have been sent
)

// judge resolves the error that ended a visit: nil if the visit was committed after all,
// ErrUnavailable if it was not and may be repeated, ErrUnknownOutcome if neither is certain. Other
// errors stay as they are.
func (s *Store) judge(ctx context.Context, at stage, id pgtype.UUID, v Visited, left Left, err error) error {
	switch {
	case at == inside || !pg.IsRetryable(err):
		return err
	case at == entering || pg.NothingSent(err) || !pg.IsConnectionLoss(err) || left.Memory == nil: // recording sessions is idempotent
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	s.log.Warn("connection lost around the commit of a visit; looking up its outcome", "error", err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.BusyTimeout)
	defer cancel()
	for {
		status, written, lookup := s.visitOutcome(ctx, id, v.transaction)
		switch {
		case lookup == nil && status == "committed" && written:
			return nil
		case lookup == nil && status == "aborted", pg.IsInvalidSetting(lookup): // no transaction has had this number yet
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		case lookup == nil && status != "in progress", lookup != nil && !pg.IsRetryable(lookup):
			return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
		case <-time.After(outcomePause):
		}
	}
}

// visitOutcome returns the status of a transaction, empty if it is too old to be known, and whether
// it wrote the memory beside the object.
func (s *Store) visitOutcome(ctx context.Context, id pgtype.UUID, transaction string) (status string, written bool, err error) {
	err = s.pool.QueryRow(ctx, sqlVisitOutcome, id, transaction).Scan(&status, &written)
	return status, written, err
}
