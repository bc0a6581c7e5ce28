package injector

import (
	"context"

	"github.com/rowlock/rowlock/internal/fault"
)

// Take takes a turn of a rule for a request that it applies to, and reports whether the fault
// happens to it. The last hit of its count ends the fault before Take returns. If the database
// cannot be queried, nothing happens: the request fails by itself.
func (in *Injector) Take(ctx context.Context, r *fault.Rule) bool {
	deps := in.deps.Load()
	if deps == nil {
		return false
	}
	select {
	case in.turns <- struct{}{}:
		defer func() { <-in.turns }()
	case <-ctx.Done():
		return false
	}
	var drawn func(int64) bool
	if r.API.Probability != nil {
		drawn = r.API.Chance
	}
	c, hit, ok, err := deps.Counts.Take(ctx, r.UID, r.API.Count, drawn)
	if err != nil {
		if ctx.Err() == nil {
			deps.Log.WarnContext(ctx, "a fault could not be taken", "fault", r.Name, "error", err)
		}
		return false
	}
	// A fault that has reached its count only still exists because the request that took its last
	// turn has not ended it: then this request does.
	if r.API.Count > 0 && (!ok || c.Hits >= r.API.Count) {
		in.endSpent(ctx, r)
	}
	if hit {
		in.metrics.hits.WithLabelValues(fault.TargetAPI, r.API.Effect()).Inc()
	}
	return hit
}

// endSpent ends a fault that has reached its count.
func (in *Injector) endSpent(ctx context.Context, r *fault.Rule) {
	in.endOwn(context.WithoutCancel(ctx), r.Name, r.UID)
}
