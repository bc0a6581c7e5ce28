// Package gather has what controllers share to gather what they decide on: it calls them for each
// requested object, finds objects in the mirror, and goes through very many in pieces.
package gather

import (
	"time"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Each makes a Reconcile from a function for one object.
func Each(
	f func(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan,
) func(mirror.View, []engine.Request, time.Time) []engine.Planned {
	return func(v mirror.View, requests []engine.Request, now time.Time) []engine.Planned {
		planned := make([]engine.Planned, 0, len(requests))
		for _, request := range requests {
			if o := v.UID(request.UID); o != nil {
				planned = append(planned, engine.Planned{UID: request.UID, Plan: f(v, o, request.Refused, now)})
			}
		}
		return planned
	}
}

// Apart makes a Gather from a function that takes one object's snapshot.
func Apart(
	f func(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan,
) func(mirror.View, []engine.Request, time.Time) []engine.Gathered {
	return func(v mirror.View, requests []engine.Request, now time.Time) []engine.Gathered {
		gathered := make([]engine.Gathered, 0, len(requests))
		for _, request := range requests {
			if o := v.UID(request.UID); o != nil {
				gathered = append(gathered, engine.Gathered{UID: request.UID, Plan: f(v, o, request, now)})
			}
		}
		return gathered
	}
}

// Planned returns a plan that is already decided.
func Planned(p plan.Plan) func(*plan.Refusal) plan.Plan {
	return func(*plan.Refusal) plan.Plan { return p }
}
