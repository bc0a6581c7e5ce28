package store

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// TrafficKept is how long requests between Pods stay counted, in cluster time.
const TrafficKept = 15 * time.Minute

// Tally counts requests of a Pod that the transaction has locked, for its plan at a time. name is
// the Pod's, as namespace/name. base is the revision that the plan was computed from: if the Pod
// has moved on, Tally does nothing. The traffic of one plan names each pair once.
func (b *Batch) Tally(by types.UID, base object.Revision, name string, at time.Time, all []plan.Traffic) {
	uid := ParseUID(by)
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
