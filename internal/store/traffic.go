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
	// TrafficKept is how long requests between Pods stay counted, in cluster time.
	TrafficKept = 15 * time.Minute

	// trafficRows bounds how many rows of each kind one query reads, trafficPairs how many pairs it
	// returns.
	trafficRows  = 20_000
	trafficPairs = 200
)

// TrafficOf says whose requests to read.
type TrafficOf struct {
	Since   time.Time // cluster time; it is rounded down to a minute
	Service string    // namespace/name: requests through this Service; empty for none
	// Pods are the Pods, as namespace/name, whose incoming requests to read: with a Service, those
	// that did not come through a Service.
	Pods []string
	By   types.UID // the Pod whose own requests to read too; empty for none
}

// Traffic is the requests between Pods, by outcome.
type Traffic struct {
	Pairs   []TrafficPair // the busiest first, 200 at most
	Minutes []TrafficMinute
}

// TrafficPair is a caller and a callee, all as namespace/name, and empty where there is none.
type TrafficPair struct {
	Caller, Service, Callee string
	plan.Counts
}

// TrafficMinute is the requests in a minute of cluster time.
type TrafficMinute struct {
	At time.Time
	plan.Counts
}

// Traffic reads the recorded requests between Pods.
func (s *Store) Traffic(ctx context.Context, of TrafficOf) (t Traffic, err error) {
	by := pgtype.UUID{}
	if of.By != "" {
		by = parseUID(of.By)
	}
	if of.Pods == nil {
		of.Pods = []string{}
	}
	rows, err := s.pool.Query(ctx, sqlTraffic, of.Since.Truncate(time.Minute), of.Service, of.Pods, by, trafficRows, trafficPairs)
	if err != nil {
		return t, fmt.Errorf("store: read the traffic: %w", err)
	}
	var minute *time.Time
	var p TrafficPair
	_, err = pgx.ForEachRow(rows, []any{&minute, &p.Caller, &p.Service, &p.Callee, &p.Answered, &p.Failed, &p.Refused, &p.Lost}, func() error {
		if minute != nil {
			t.Minutes = append(t.Minutes, TrafficMinute{minute.UTC(), p.Counts})
		} else {
			t.Pairs = append(t.Pairs, p)
		}
		return nil
	})
	if err != nil {
		return Traffic{}, fmt.Errorf("store: read the traffic: %w", err)
	}
	return t, nil
}

// Tally counts requests of a Pod that the transaction has locked, for its plan at a time. name is
// the Pod's, as namespace/name. base is the revision that the plan was computed from: if the Pod
// has moved on, Tally does nothing. The traffic of one plan names each pair once.
func (b *Batch) Tally(by types.UID, base object.Revision, name string, at time.Time, all []plan.Traffic) {
	uid := parseUID(by)
	if !uid.Valid {
		return
	}
	for _, t := range all {
		b.traffic.add(uid, base, name, at.Truncate(time.Minute), t)
	}
}

// tallyRows are the requests that a batch counts; by is the Pod whose plan says so.
type tallyRows struct {
	by                              []pgtype.UUID
	base                            []int64
	name, service, callee           []string
	minute                          []time.Time
	answered, failed, refused, lost []int64
}

func (r *tallyRows) add(by pgtype.UUID, base object.Revision, name string, minute time.Time, t plan.Traffic) {
	r.by, r.base, r.name, r.minute = append(r.by, by), append(r.base, int64(base)), append(r.name, name), append(r.minute, minute)
	r.service, r.callee = append(r.service, t.Service), append(r.callee, t.Callee)
	r.answered, r.failed = append(r.answered, t.Answered), append(r.failed, t.Failed)
	r.refused, r.lost = append(r.refused, t.Refused), append(r.lost, t.Lost)
}

func (r *tallyRows) args() arguments {
	return arguments{{"_by", r.by}, {"_base", r.base}, {"_name", r.name}, {"_minute", r.minute}, {"_service", r.service}, {"_callee", r.callee},
		{"_answered", r.answered}, {"_failed", r.failed}, {"_refused", r.refused}, {"_lost", r.lost}, {"_kept", TrafficKept}}
}
