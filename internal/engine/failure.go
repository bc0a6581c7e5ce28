package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// putOffTime bounds the transaction that puts off an object.
	putOffTime = 10 * time.Second
	// messageBytes bounds the text about a failure in an Event.
	// Source: kubernetes v1.36 pkg/apis/core/validation/events.go, NoteLengthLimit
	messageBytes = 1024
	// reasonFailedSync is the reason of the Event.
	// Source: kubernetes v1.36 pkg/kubelet/events/event.go, FailedSync
	reasonFailedSync = "FailedSync"
	// eventWarning is the type of the Event, core/v1's EventTypeWarning.
	eventWarning = "Warning"
)

// errEnded is the failure of an object whose turns the database ends.
var errEnded = errors.New("the sync exceeded the idle timeout of a transaction, or ended the session")

// failure is an object that could not be synced although it was alone in its turn.
type failure struct {
	claim wakeup.Claim
	now   time.Time // cluster time of the claim
	err   error
}

// judge decides what follows a failed turn. After a turn with several objects, fewer are taken
// next: half of them if the turn took too long or its session has ended, and each by itself after
// any other error. A single object is put off, by the caller, after it has returned the connection.
// A turn that failed because the server is exhausted (see pg.IsExhausted) is repeated as it was.
// The returned error is that of a turn that was rolled back and that is not reported otherwise.
func (w *Worker) judge(ctx context.Context, conn *pgx.Conn, claimed wakeup.Claimed, took time.Duration, cause error) (*failure, error) {
	var p *contain.Panic
	if errors.As(cause, &p) {
		w.Metrics.Panics.WithLabelValues(w.controller.Name).Inc()
	}
	lost := conn.IsClosed() || pg.IsConnectionLoss(cause)
	if !lost && rollback(ctx, conn) != nil {
		_ = conn.Close(ctx) // in the middle of a message, as after a panic: the transaction ends with the session
	}
	n, long := len(claimed.Claims), took > sessionTime
	if lost || long {
		w.Metrics.Ended.WithLabelValues(w.controller.Name).Inc()
	}
	switch {
	case !lost && pg.IsExhausted(cause): // no object is to blame
		return nil, cause
	case (lost || long) && n > 1:
		w.pace.ended(n)
		w.Metrics.batch(w.controller.Name, w.pace.limit())
		return nil, cause
	case n > 1:
		w.pace.oneByOne(n)
		w.Log.Warn("sync of several objects failed: retrying them one by one", "objects", n, "error", cause)
		return nil, nil
	case lost && !long && !w.pace.suspected(claimed.Claims[0].UID):
		return nil, cause
	case (lost || long) && p == nil:
		cause = fmt.Errorf("%w: %w", errEnded, cause)
	}
	return &failure{claimed.Claims[0], claimed.Now, cause}, nil
}

// putOff makes an object wait for its next attempt, and reports that in an Event, in the metrics
// and in one line of the log.
func (w *Worker) putOff(ctx context.Context, f *failure) error {
	ctx, cancel := context.WithTimeout(ctx, putOffTime)
	defer cancel()
	w.pace.fault(f.claim.UID)
	var of *object.Version
	w.Mirror.Read(func(v mirror.View) { of = v.UID(f.claim.UID) })
	var done bool
	err := w.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		err := contain.Call(func() (err error) {
			done, err = w.postpone(ctx, conn.Conn(), f, of)
			return err
		})
		if err == nil || of == nil || conn.Conn().IsClosed() {
			return err
		}
		w.Log.Error("could not record the Event of a failed sync", "uid", f.claim.UID, "error", err)
		if err := rollback(ctx, conn.Conn()); err != nil {
			return err
		}
		done, err = w.postpone(ctx, conn.Conn(), f, nil)
		return err
	})
	if err != nil {
		return fmt.Errorf("postpone the sync of %s, which failed (%w): %w", f.claim.UID, f.err, err)
	}
	if done {
		w.report(f, of)
	}
	return nil
}

// postpone replaces the wakeups of a claim by a retry, and records the Event if it is given the
// object. If another worker has acknowledged all of them since the claim was given up, it does
// nothing and returns false.
func (w *Worker) postpone(ctx context.Context, conn *pgx.Conn, f *failure, of *object.Version) (done bool, err error) {
	c := f.claim
	if err := wakeup.Hold(ctx, conn, cmp.Or(w.controller.Lock, c.UID)); err != nil {
		return false, err
	}
	left, err := wakeup.Remaining(ctx, conn, c.IDs)
	if err != nil {
		return false, err
	}
	if len(left) == 0 {
		return false, rollback(ctx, conn)
	}
	batch := w.Store.NewBatch(w.controller.Name)
	batch.Acknowledge(left...)
	batch.Retry(c.UID, c.Attempt+1, c.Cause)
	if of != nil && of.Type.Plural != "events" {
		pl := planning{applier: &w.applier, about: about{cause: c.Cause, attempt: c.Attempt, now: f.now}, batch: batch, uid: c.UID}
		if err := pl.event(w.failedSync(f, of), 0); err != nil {
			return false, err
		}
	}
	_, err = w.Store.Commit(ctx, conn, batch)
	return err == nil, err
}

// failedSync returns the Event of a failed sync.
func (w *Worker) failedSync(f *failure, of *object.Version) plan.Event {
	e := plan.Event{
		Regarding: of.Object(), Type: eventWarning, Reason: reasonFailedSync, Component: w.controller.UserAgent,
		Message: printable(fmt.Sprintf("sync failed (attempt %d, next in %s): %v", f.claim.Attempt+1, wakeup.BackOff(f.claim.Attempt+1), f.err)),
	}
	if w.controller.Host != nil {
		e.Host = w.controller.Host(e.Regarding)
	}
	return e
}

// printable returns a text in a form that an Event may hold.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > messageBytes {
		const cut = "..."
		text = strings.ToValidUTF8(text[:messageBytes-len(cut)], "") + cut
	}
	return text
}

// report counts and logs an object that was put off.
func (w *Worker) report(f *failure, of *object.Version) {
	w.Metrics.Failures.WithLabelValues(w.controller.Name).Inc()
	w.Metrics.PutOff.WithLabelValues(w.controller.Name).Inc()
	attempt := f.claim.Attempt + 1
	args := []any{"uid", f.claim.UID, "attempt", attempt, "pause", wakeup.BackOff(attempt), "error", f.err}
	if of != nil {
		args = append(args, "object", of.Key())
	}
	var p *contain.Panic
	if errors.As(f.err, &p) {
		args = append(args, "stack", string(p.Stack))
	}
	w.Log.Error("sync of an object failed: retrying it later", args...)
}
