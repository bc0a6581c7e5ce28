package store

import (
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
)

// Visited is what a visit finds.
type Visited struct {
	Revision object.Revision // of the object
	Memory   []byte          // what is remembered beside it; nil for nothing
	Now      time.Time       // cluster time
}

// Visit has somebody who is no controller change what is remembered beside an object: f is called under the object's lock, with
// what is remembered, and gives what is to be remembered from now on, nil for no change, and when the controller is to sync the object at the latest, zero
// for no need. What f takes is taken from the transaction's time (S15), so it must be quick. It waits for the lock, as writes do.
//
// Errors: ErrGone, ErrBusy, f's, and the database's; after those of f and the first two nothing has changed.
func (s *Store) Visit(ctx context.Context, controller string, uid types.UID, f func(Visited) (memory []byte, wake time.Time, err error)) error {
	id := parseUID(uid)
	if !id.Valid {
		return ErrGone
	}
	waiting, cancel := context.WithTimeout(ctx, s.config.BusyTimeout)
	defer cancel()
	woken := false
	err := s.pool.AcquireFunc(waiting, func(conn *pgxpool.Conn) error {
		tx, err := conn.Begin(waiting)
		if err != nil {
			return err
		}
		committing := context.WithoutCancel(ctx) // from here on the outcome would be unknown
		defer tx.Rollback(committing)            //nolint:errcheck // after COMMIT there is nothing to roll back; before, the error in hand says more
		v, err := lockForVisit(waiting, tx, id)
		if err != nil {
			return err
		}
		var memory []byte
		var wake time.Time
		if err := contain.Call(func() (err error) { memory, wake, err = f(v); return err }); err != nil || memory == nil {
			return err
		}
		var m pgx.Batch
		m.Queue(sqlRemember, []pgtype.UUID{id}, []int64{int64(v.Revision)}, [][]byte{memory})
		if !wake.IsZero() {
			if wake.Before(v.Now) {
				wake = v.Now
			}
			m.Queue(sqlVisitWake, id, controller, wake, int64(v.Revision)).Exec(func(t pgconn.CommandTag) error {
				woken = t.RowsAffected() > 0
				return nil
			})
		}
		m.Queue("COMMIT")
		return tx.Conn().SendBatch(committing, &m).Close()
	})
	switch {
	case err == nil:
		if woken {
			s.report(Applied{Woken: []string{controller}})
		}
		return nil
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return ErrBusy
	case errors.Is(err, pgx.ErrNoRows):
		return ErrGone
	}
	return fmt.Errorf("store: visit %s: %w", uid, err)
}

// lockForVisit locks the object and then, in another statement, reads what is there.
func lockForVisit(ctx context.Context, tx pgx.Tx, id pgtype.UUID) (v Visited, err error) {
	var m pgx.Batch
	var revision int64
	m.Queue(sqlLockHead, id).QueryRow(func(row pgx.Row) error { return row.Scan(&revision) })
	m.Queue(sqlVisit, id).QueryRow(func(row pgx.Row) error { return row.Scan(&v.Now, &v.Memory) })
	err = tx.SendBatch(ctx, &m).Close()
	v.Revision, v.Now = object.Revision(revision), v.Now.UTC()
	return v, err
}
