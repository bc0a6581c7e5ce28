package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

const (
	// callsOfPod is how many calls are read at once that a Pod has to answer, and callsMade of
	// those that it has made, which are no more than a kubelet makes.
	callsOfPod = 50
	callsMade  = 100
	// callBytes bounds what one reading of calls holds: those behind it come without query and answer.
	callBytes = 16 << 20
	// callBacklog is how many calls may wait at a Pod.
	callBacklog = 200
)

// Calls are the calls that Pods have to answer by now, in the order of their times, and those that
// they have made, as they are last committed in conn's open transaction. Of each Pod 50 and 100 are
// read at most; a call that comes without a query was left out, as there were too many bytes. It
// takes no lock.
func (s *Store) Calls(ctx context.Context, conn *pgx.Conn, pods []types.UID, now time.Time) ([]plan.Call, error) {
	rows, err := conn.Query(ctx, sqlCalls, pods, callsOfPod, callBytes, callsMade, now)
	if err != nil {
		return nil, fmt.Errorf("store: read calls: %w", err)
	}
	calls, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c plan.Call, err error) {
		var number int64
		var due pgtype.Timestamptz // a call that an earlier version has posted is due since ever
		err = row.Scan(&c.Caller, &number, &c.Callee, &c.At, &due, &c.Query, &c.Answer)
		c.Number, c.At, c.Due = int(number), c.At.UTC(), due.Time.UTC()
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("store: read calls: %w", err)
	}
	return calls, nil
}

// MoreCalls says whether calls that were read may be fewer than a Pod has to answer.
func MoreCalls(toAnswer int) bool { return toAnswer >= callsOfPod }

// Exchange posts a call, answers or removes it, for the plan of a Pod that the transaction has locked. base is the revision that the plan
// was computed from: if the Pod has moved on, nothing is done.
func (b *Batch) Exchange(by types.UID, base object.Revision, c plan.Call) {
	own, caller, callee := parseUID(by), parseUID(c.Caller), parseUID(c.Callee)
	if own.Valid && caller.Valid && callee.Valid {
		b.calls.add(own, base, caller, callee, c)
	}
}

// callRows are calls that a batch posts, answers or removes; by is the Pod whose plan says so.
type callRows struct {
	by, caller, callee []pgtype.UUID
	base, number       []int64
	at, due            []time.Time
	query, answer      [][]byte
	removed            []bool
	toAPI              bool // a call to the API server is posted
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
