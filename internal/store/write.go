package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
)

// request is one change that waits to be written.
type request struct {
	change Change
	answer chan answer // buffer of one, for the one answer
	stale  time.Time   // since when it has been computed with outdated quotas; zero if it is not
}

type answer struct {
	version *object.Version
	err     error
}

// Write commits one change and returns the version as the log holds it; for Deleted that is the
// tombstone. It blocks until the change is durable. Writes that wait at the same time are committed
// together, each judged alone.
//
// Errors: ErrExists, ErrGone, ErrNamespaceNotFound, ErrNamespaceTerminating, ErrDefinitionNotFound,
// ErrDefinitionTerminating, ErrReserved, ErrBusy, ErrUnavailable, ErrUnknownOutcome,
// *ConflictError, *kind.Exceeded, ctx's error if it ends before the write was begun, and the
// database's own.
func (s *Store) Write(ctx context.Context, c Change) (*object.Version, error) {
	r := &request{change: c, answer: make(chan answer, 1)}
	select {
	case s.requests <- r:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	// Once begun, the write is waited for: the timeouts of the database connection bound it, and
	// reporting "timeout" for a write that took place would be wrong and is easy to avoid.
	a := <-r.answer
	if a.err != nil {
		return nil, fmt.Errorf("write %s: %w", c.Key(), a.err)
	}
	return a.version, nil
}

// writeLoop takes the waiting writes, one batch after another, until ctx ends.
func (s *Store) writeLoop(ctx context.Context) {
	var left []*request // these arrived with a batch that already changes the same object
	for {
		if len(left) == 0 {
			select {
			case r := <-s.requests:
				left = append(left, r)
			case <-ctx.Done():
				return
			}
		}
		requests := s.gather(left)
		left = nil
		s.contained(requests, func() { left = s.writeBatch(ctx, requests) })
	}
}

// contained calls f. If f panics, the requests that it has not answered get ErrUnknownOutcome.
func (s *Store) contained(requests []*request, f func()) {
	err := contain.Call(func() error { f(); return nil })
	var p *contain.Panic
	if !errors.As(err, &p) {
		return
	}
	s.log.Error("a write panicked", "changes", len(requests), "error", err, "stack", string(p.Stack))
	for _, r := range requests {
		select {
		case r.answer <- answer{err: fmt.Errorf("%w: %w", ErrUnknownOutcome, err)}:
		default: // already answered
		}
	}
}

// gather adds to the requests all that wait right now, up to a full batch.
func (s *Store) gather(requests []*request) []*request {
	for len(requests) < s.config.MaxBatch {
		select {
		case r := <-s.requests:
			requests = append(requests, r)
		default:
			return requests
		}
	}
	return requests
}

// writeBatch commits the requests, answers them, and returns those that must wait for the next
// batch because this one already changes their object or takes their name (S1).
func (s *Store) writeBatch(ctx context.Context, requests []*request) (left []*request) {
	batch := s.NewBatch("")
	var in []*request
	refused := map[*request]error{}
	if err := contain.Call(func() error {
		for _, r := range requests {
			if batch.Has(r.change) {
				left = append(left, r)
			} else if _, err := batch.Add(r.change, 0, "", time.Time{}); err != nil {
				refused[r] = err
			} else {
				in = append(in, r)
			}
		}
		return nil
	}); err != nil && len(requests) > 1 {
		for _, r := range requests { // a failure of one must not affect the others
			s.writeBatch(ctx, []*request{r})
		}
		return nil
	} else if err != nil {
		in, refused[requests[0]] = nil, err
	}
	for r, err := range refused {
		r.answer <- answer{err: err}
	}
	if len(in) == 0 {
		return left
	}
	applied, err := s.applyAlone(ctx, batch)
	if err != nil && len(in) > 1 && rolledBack(err) {
		for _, r := range in { // one of them is at fault: the others must not fail with it
			s.writeBatch(ctx, []*request{r})
		}
		return left
	}
	if err != nil {
		s.answerFailed(ctx, in, err)
		return left
	}
	s.report(applied) // before any request is answered, so that clients read their own writes at once
	s.answer(ctx, in, applied)
	return answerStale(left, in, applied)
}

// answerStale answers those of the requests left for the next batch whose objects are newer than
// they expect, as this batch shows, and returns the others. The database would refuse each of them
// in a batch of its own.
func answerStale(left, in []*request, a Applied) (others []*request) {
	if len(left) == 0 {
		return nil
	}
	newest := make(map[types.UID]object.Revision, len(in))
	for _, v := range a.Versions {
		if v.Verb != object.Deleted {
			newest[v.UID] = v.Revision
		}
	}
	heads := a.heads
	for i, r := range in {
		if a.Outcomes[i] == Moved {
			newest[r.change.uid()] = object.Revision(heads[0])
			heads = heads[1:]
		}
	}
	for _, r := range left {
		revision, known := newest[r.change.uid()]
		if !known || r.change.Old == nil || r.change.Old.Revision >= revision {
			others = append(others, r)
			continue
		}
		r.answer <- answer{err: &ConflictError{Key: r.change.Key(), Current: revision}}
	}
	return others
}

// applyAlone applies the batch in its own transaction: one statement, one message.
func (s *Store) applyAlone(ctx context.Context, b *Batch) (Applied, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return Applied{}, notBegun{err}
	}
	defer conn.Release()
	var a Applied
	var m pgx.Batch
	if err := b.queue(&m, &a); err != nil {
		return Applied{}, notBegun{err}
	}
	// Once sent, the message is waited for even if ctx ends: giving up would leave the outcome
	// unknown.
	if err := b.send(context.WithoutCancel(ctx), conn.Conn(), &m); err != nil {
		return Applied{}, err
	}
	return a, nil
}

// rolledBack reports whether the server refused the transaction, so that nothing of it was
// committed.
func rolledBack(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && !pg.IsConnectionLoss(err)
}

// notBegun wraps an error from before anything was sent.
type notBegun struct{ error }

func (e notBegun) Unwrap() error { return e.error }

// answer gives each request of a committed batch its outcome.
func (s *Store) answer(ctx context.Context, in []*request, a Applied) {
	versions, heads := a.Versions, a.heads
	for i, r := range in {
		switch a.Outcomes[i] {
		case Kept:
			r.answer <- answer{version: versions[0]}
			versions = versions[1:]
		case Moved:
			r.answer <- answer{err: &ConflictError{Key: r.change.Key(), Current: object.Revision(heads[0])}}
			heads = heads[1:]
		case Busy:
			s.busy.Go(func() { s.contained([]*request{r}, func() { s.writeBusy(ctx, r) }) })
		case OtherQuotas:
			s.busy.Go(func() { s.contained([]*request{r}, func() { s.writeAgain(ctx, r) }) })
		case OverQuota:
			r.answer <- answer{err: a.exceeded[int32(i+1)]}
		default:
			r.answer <- answer{err: a.Outcomes[i].err()}
		}
	}
}

// err returns the error that clients get for an outcome other than Kept, Moved or Busy.
func (o Outcome) err() error {
	switch o {
	case NameTaken:
		return ErrExists
	case NamespaceNotFound:
		return ErrNamespaceNotFound
	case NamespaceTerminating:
		return ErrNamespaceTerminating
	case DefinitionNotFound:
		return ErrDefinitionNotFound
	case DefinitionTerminating:
		return ErrDefinitionTerminating
	case Gone:
		return ErrGone
	case Reserved:
		return ErrReserved
	case Busy:
		return ErrBusy
	default:
		return fmt.Errorf("unexpected outcome %q", byte(o))
	}
}

// writeBusy writes a request whose object was locked, in its own transaction: the only one that may
// wait for a row (S2).
func (s *Store) writeBusy(ctx context.Context, r *request) {
	waiting, cancel := context.WithTimeout(ctx, s.config.BusyTimeout)
	defer cancel()
	batch := s.NewBatch("")
	if _, err := batch.Add(r.change, 0, "", time.Time{}); err != nil {
		r.answer <- answer{err: err}
		return
	}
	var a Applied
	begun := false
	err := s.pool.AcquireFunc(waiting, func(conn *pgxpool.Conn) error {
		begun = true
		tx, err := conn.Begin(waiting)
		if err != nil {
			return notBegun{err}
		}
		committing := context.WithoutCancel(ctx) // from here on the outcome would be unknown
		defer tx.Rollback(committing)            //nolint:errcheck // after COMMIT there is nothing to roll back; before, the error in hand says more
		var revision int64
		if err := tx.QueryRow(waiting, sqlLockHead, r.change.uid()).Scan(&revision); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return notBegun{err}
		}
		var m pgx.Batch
		if err := batch.queue(&m, &a); err != nil {
			return notBegun{err}
		}
		m.Queue("COMMIT")
		return batch.send(committing, tx.Conn(), &m)
	})
	if err != nil && !begun {
		err = notBegun{err}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.answer <- answer{err: ErrBusy}
	case err != nil:
		s.answerFailed(ctx, []*request{r}, err)
	case a.Outcomes[0] == Busy: // impossible: the lock is ours
		r.answer <- answer{err: ErrBusy}
	default:
		s.report(a)
		s.answer(ctx, []*request{r}, a)
	}
}

// answerFailed answers the requests of a batch that ended in an error. If the connection was lost,
// the transaction may still have committed: each change is looked up (S11).
func (s *Store) answerFailed(ctx context.Context, in []*request, err error) {
	var early notBegun
	if errors.As(err, &early) || pg.NothingSent(err) || !pg.IsConnectionLoss(err) {
		if pg.IsRetryable(err) {
			err = fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		for _, r := range in {
			r.answer <- answer{err: err}
		}
		return
	}
	s.log.Warn("connection lost around a commit; looking up its outcome", "changes", len(in), "error", err)
	for _, r := range in {
		version, lookup := s.findWrite(ctx, r.change)
		switch {
		case lookup != nil:
			r.answer <- answer{err: fmt.Errorf("%w: %w", ErrUnknownOutcome, errors.Join(err, lookup))}
		case version == nil:
			r.answer <- answer{err: fmt.Errorf("%w: %w", ErrUnknownOutcome, err)}
		default:
			r.answer <- answer{version: version}
		}
	}
}

// findWrite looks for a change in the log: a creation by the uid that was assigned beforehand, any
// other change by its base revision and the id of the request. Without a request id, the same
// change of two clients to the same revision looks like one, and only one of them may get the
// success.
func (s *Store) findWrite(ctx context.Context, c Change) (*object.Version, error) {
	base := object.Revision(0)
	if c.Verb != object.Created {
		if base = c.Old.Revision; object.ParseWriter(c.Writer, c.Cause).Request == "" {
			return nil, nil //nolint:nilnil // no error: nothing was found, which is what was asked
		}
	}
	body, err := encodeBody(c)
	if err != nil {
		return nil, err
	}
	var revision object.Revision
	var at time.Time
	err = s.pool.QueryRow(ctx, sqlFindWrite, c.Type.Resource(), c.uid(), base, c.Verb.Letter(), c.Writer).Scan(&revision, &at)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // as above
	}
	if err != nil {
		return nil, fmt.Errorf("look up the write: %w", err)
	}
	return c.version(revision, at, body), nil
}

// writeAgain writes a request again that was computed with outdated quotas, as soon as the current
// ones are known.
func (s *Store) writeAgain(ctx context.Context, r *request) {
	if r.stale.IsZero() {
		r.stale = time.Now()
	}
	waiting, cancel := context.WithDeadline(ctx, r.stale.Add(s.config.BusyTimeout))
	defer cancel()
	if err := s.config.Quotas.Fresh(waiting); err != nil {
		r.answer <- answer{err: fmt.Errorf("%w: %w", ErrUnavailable, err)}
		return
	}
	select {
	case s.requests <- r:
	case <-waiting.Done():
		r.answer <- answer{err: ErrBusy}
	}
}
