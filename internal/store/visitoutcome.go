package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/rowlock/rowlock/internal/pg"
)

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
