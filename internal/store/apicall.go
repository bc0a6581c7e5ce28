package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
)

// APIServer names the work queue of Pods' requests to the API server. It stands where other work
// has a controller's name.
const APIServer = "apiserver"

// openAPICalls is how many taken but unanswered requests one read returns.
const openAPICalls = 200

// APICall is a request of a Pod to the API server that a replica has taken.
type APICall struct {
	Caller types.UID
	Number int       // the question's number in the caller's machine
	At     time.Time // cluster time of the question
	Query  []byte    // as the kubelet encoded it; nil in the results of OpenAPICalls

	Server int32 // the replica's number; see Config.Replica
}

// TakeAPICalls takes at most `most` requests that have arrived and that no replica has taken,
// oldest first. From then on only this replica executes them, once.
func (s *Store) TakeAPICalls(ctx context.Context, most int) ([]APICall, error) {
	rows, err := s.pool.Query(ctx, sqlAPICallsTake, plan.APIServer, s.config.Replica, most)
	if err != nil {
		return nil, fmt.Errorf("store: take requests to the API: %w", err)
	}
	taken, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (APICall, error) {
		c := APICall{Server: s.config.Replica}
		err := row.Scan(&c.Caller, &c.Number, &c.At, &c.Query)
		c.At = c.At.UTC()
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("store: take requests to the API: %w", err)
	}
	slices.SortFunc(taken, func(a, b APICall) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Number, b.Number))
	})
	return taken, nil
}

// OpenAPICalls returns when the next request arrives that no replica has taken, zero if there is
// none, and the requests that were taken and not answered, at most 200.
func (s *Store) OpenAPICalls(ctx context.Context) (next time.Time, taken []APICall, err error) {
	rows, err := s.pool.Query(ctx, sqlAPICallsOpen, plan.APIServer, openAPICalls)
	if err != nil {
		return time.Time{}, nil, fmt.Errorf("store: open requests to the API: %w", err)
	}
	var due, at pgtype.Timestamptz
	var caller pgtype.Text
	var number pgtype.Int8
	var server pgtype.Int4
	if _, err := pgx.ForEachRow(rows, []any{&due, &caller, &number, &at, &server}, func() error {
		if next = due.Time.UTC(); caller.Valid {
			taken = append(taken, APICall{Caller: types.UID(caller.String), Number: int(number.Int64), At: at.Time.UTC(), Server: server.Int32})
		}
		return nil
	}); err != nil {
		return time.Time{}, nil, fmt.Errorf("store: open requests to the API: %w", err)
	}
	if !due.Valid {
		next = time.Time{}
	}
	return next, taken, nil
}

// AnswerAPICall answers a request that c.Server has taken and wakes the Pod that waits for it. It
// does nothing if no Pod waits any more, or if the request has been answered.
func (s *Store) AnswerAPICall(ctx context.Context, c APICall, answer []byte) error {
	var woken []string
	if err := s.pool.QueryRow(ctx, sqlAnswerAPICall, c.Server, c.Caller, c.Number, c.At, answer).Scan(&woken); err != nil {
		return fmt.Errorf("store: answer request %d of %s to the API: %w", c.Number, c.Caller, err)
	}
	s.report(Applied{Woken: woken})
	return nil
}

// Replica returns the number of this process: see Config.Replica.
func (s *Store) Replica() int32 { return s.config.Replica }
