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

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

const (
	// callsOfPod bounds how many calls that a Pod has to answer are read at once, and callsMade how
	// many calls that it has made. A kubelet makes no more than that.
	callsOfPod = 50
	callsMade  = 100
	// callBytes bounds the size of one read of calls. Calls beyond it come without query and
	// answer.
	callBytes = 16 << 20
	// callBacklog bounds how many calls may wait at a Pod.
	callBacklog = 200
)

// Calls returns the calls that Pods must answer by now, ordered by time, and the calls that they
// have made, as last committed, in conn's open transaction. It reads at most 50 and 100 per Pod. A
// call without a query was cut off because the result grew too large. It takes no lock.
func (s *Store) Calls(ctx context.Context, conn *pgx.Conn, pods []types.UID, now time.Time) ([]plan.Call, error) {
	rows, err := conn.Query(ctx, sqlCalls, pods, callsOfPod, callBytes, callsMade, now)
	if err != nil {
		return nil, fmt.Errorf("store: read calls: %w", err)
	}
	calls, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c plan.Call, err error) {
		var number int64
		var due pgtype.Timestamptz // a call posted by an earlier version of Rowlock is always due
		err = row.Scan(&c.Caller, &number, &c.Callee, &c.At, &due, &c.Query, &c.Answer)
		c.Number, c.At, c.Due = int(number), c.At.UTC(), due.Time.UTC()
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("store: read calls: %w", err)
	}
	return calls, nil
}

// MoreCalls reports whether a Pod may have more calls to answer than were read.
func MoreCalls(toAnswer int) bool { return toAnswer >= callsOfPod }

// Exchange posts, answers or removes a call for the plan of a Pod that the transaction has locked.
// base is the revision that the plan was computed from: if the Pod has moved on, Exchange does
// nothing.
func (b *Batch) Exchange(by types.UID, base object.Revision, c plan.Call) {
	own, caller, callee := ParseUID(by), ParseUID(c.Caller), ParseUID(c.Callee)
	if own.Valid && caller.Valid && callee.Valid {
		b.calls.add(own, base, caller, callee, c)
	}
}

// callRows are the calls that a batch posts, answers or removes; by is the Pod whose plan says so.
type callRows struct {
	by, caller, callee []pgtype.UUID
	base, number       []int64
	at, due            []time.Time
	query, answer      [][]byte
	removed            []bool
	toAPI              bool // one of the posted calls is to the API server
}

func (r *callRows) add(by pgtype.UUID, base object.Revision, caller, callee pgtype.UUID, c plan.Call) {
	if c.Query == nil {
		c.Query = []byte{}
	}
	r.by, r.base, r.caller, r.callee = append(r.by, by), append(r.base, int64(base)), append(r.caller, caller), append(r.callee, callee)
	r.number, r.at, r.query = append(r.number, int64(c.Number)), append(r.at, c.At), append(r.query, c.Query)
	r.due, r.answer, r.removed = append(r.due, c.Due), append(r.answer, c.Answer), append(r.removed, c.Removed)
	r.toAPI = r.toAPI || c.Callee == plan.APIServer && c.Answer == nil && !c.Removed
}

func (r *callRows) args() arguments {
	return arguments{{"_by", r.by}, {"_base", r.base}, {"_caller", r.caller}, {"_number", r.number}, {"_callee", r.callee}, {"_at", r.at}, {"_due", r.due},
		{"_query", r.query}, {"_answer", r.answer}, {"_removed", r.removed}, {"_backlog", int64(callBacklog)}}
}

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
