// Package traffic reads the requests between Pods that the store counts.
package traffic

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

//go:embed read.sql
var sqlRead string

// Reader reads the counts. It is safe for concurrent use.
type Reader struct{ pool *pgxpool.Pool }

// New makes a Reader of a migrated database.
func New(pool *pgxpool.Pool) *Reader { return &Reader{pool} }

const (
	// rowsRead bounds how many rows of each kind one query reads, pairsRead how many pairs it returns.
	rowsRead  = 20_000
	pairsRead = 200
)

// Query says whose requests to read.
type Query struct {
	Since   time.Time // cluster time; it is rounded down to a minute
	Service string    // namespace/name: requests through this Service; empty for none
	// Pods are the Pods, as namespace/name, whose incoming requests to read: with a Service, those
	// that did not come through a Service.
	Pods []string
	By   types.UID // the Pod whose own requests to read too; empty for none
}

// Traffic is the requests between Pods, by outcome.
type Traffic struct {
	Pairs   []Pair // the busiest first, 200 at most
	Minutes []Minute
}

// Pair is a caller, the Service that it used and the Pod that answered, each as namespace/name, or
// empty if the request had none.
type Pair struct {
	Caller, Service, Callee string
	plan.Counts
}

// Minute is the requests in a minute of cluster time.
type Minute struct {
	At time.Time
	plan.Counts
}

// Read reads the recorded requests between Pods.
func (r *Reader) Read(ctx context.Context, of Query) (t Traffic, err error) {
	if of.Pods == nil {
		of.Pods = []string{}
	}
	rows, err := r.pool.Query(ctx, sqlRead, of.Since.Truncate(time.Minute), of.Service, of.Pods, store.ParseUID(of.By), rowsRead, pairsRead)
	if err != nil {
		return t, fmt.Errorf("read the traffic: %w", err)
	}
	var minute *time.Time
	var p Pair
	_, err = pgx.ForEachRow(rows, []any{&minute, &p.Caller, &p.Service, &p.Callee, &p.Answered, &p.Failed, &p.Refused, &p.Lost}, func() error {
		if minute != nil {
			t.Minutes = append(t.Minutes, Minute{minute.UTC(), p.Counts})
		} else {
			t.Pairs = append(t.Pairs, p)
		}
		return nil
	})
	if err != nil {
		return Traffic{}, fmt.Errorf("read the traffic: %w", err)
	}
	return t, nil
}
