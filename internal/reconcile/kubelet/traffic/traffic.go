// Package traffic counts the outcomes of the connections and requests that a Pod makes to Services
// and to other Pods.
package traffic

import (
	"cmp"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
)

// mostCounted is how many pairs of Service and Pod one sync counts at most.
const mostCounted = 50

// serverError is the lowest HTTP status by which a server reports its own failure.
const serverError = 500

// Route is where a question went: the Service and the Pod as namespace/name, empty if unknown.
type Route struct {
	Service string `json:"service,omitempty"`
	Pod     string `json:"pod,omitempty"`
}

// Tally counts the answers of one sync. The zero Tally has counted none.
type Tally struct {
	routes map[int]Route // of the questions, by number
	counts []plan.Traffic
}

// Note records where a question goes, as far as that is known.
func (t *Tally) Note(query int, service, pod string) {
	if t.routes == nil {
		t.routes = map[int]Route{}
	}
	r := t.routes[query]
	t.routes[query] = Route{cmp.Or(service, r.Service), cmp.Or(pod, r.Pod)}
}

// Route is where a question goes, as far as that has been recorded.
func (t *Tally) Route(query int) Route { return t.routes[query] }

// Count adds the answer to a question: for connections and requests to Services and Pods, but not
// for name queries and pings.
func (t *Tally) Count(q emulator.Query, a emulator.Answer) {
	r := t.routes[q.ID]
	if delete(t.routes, q.ID); r == (Route{}) || q.Kind == emulator.QueryDNS || q.Kind == emulator.QueryPing {
		return
	}
	i := slices.IndexFunc(t.counts, func(c plan.Traffic) bool { return c.Service == r.Service && c.Callee == r.Pod })
	if i < 0 {
		if i = len(t.counts); i >= mostCounted {
			return
		}
		t.counts = append(t.counts, plan.Traffic{Service: r.Service, Callee: r.Pod})
	}
	t.counts[i].Add(outcomeOf(a))
}

// Counts are the outcomes by Service and Pod, in the order in which the first of each was counted.
func (t *Tally) Counts() []plan.Traffic { return t.counts }

// outcomeOf counts one answer.
func outcomeOf(a emulator.Answer) plan.Counts {
	switch {
	case a.Outcome == emulator.OutcomeRefused:
		return plan.Counts{Refused: 1}
	case a.Status >= serverError || a.Outcome == emulator.OutcomePlain:
		return plan.Counts{Failed: 1}
	case a.Outcome != emulator.OutcomeOK:
		return plan.Counts{Lost: 1}
	}
	return plan.Counts{Answered: 1}
}
