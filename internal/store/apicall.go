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

// APIServer is the name under which the requests of Pods to the API server are work, as controllers' names are.
const APIServer = "apiserver"

// openAPICalls is how many requests that were taken and not answered are read at once.
const openAPICalls = 200

// APICall is a request of a Pod to the API server that a replica has taken.
type APICall struct {
	Caller types.UID
	Number int       // of the question in the caller's machine
	At     time.Time // cluster time of the question
	Query  []byte    // as the kubelet has encoded it; nil in what OpenAPICalls gives

	Server int32 // the replica, by its number; see Config.Replica
}

// TakeAPICalls takes requests that have arrived and that no replica has taken, the oldest first: most of them at most. From then on this
// replica alone executes them, once.
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

// OpenAPICalls says when the next request arrives that no replica has taken, zero for none, and
// which were taken and not answered, 200 of them at most.
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

// AnswerAPICall answers a request that c.Server has taken, and wakes the Pod that waits for it.
// Nothing happens if no Pod waits for it any more, or it has an answer.
func (s *Store) AnswerAPICall(ctx context.Context, c APICall, answer []byte) error {
	var woken []string
	if err := s.pool.QueryRow(ctx, sqlAnswerAPICall, c.Server, c.Caller, c.Number, c.At, answer).Scan(&woken); err != nil {
		return fmt.Errorf("store: answer request %d of %s to the API: %w", c.Number, c.Caller, err)
	}
	s.report(Applied{Woken: woken})
	return nil
}

// Replica is the process's number: see Config.Replica.
func (s *Store) Replica() int32 { return s.config.Replica }
