package kubelet

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

// route is where a question went: the Service and the Pod as namespace/name, empty if unknown.
type route struct {
	Service string `json:"service,omitempty"`
	Pod     string `json:"pod,omitempty"`
}

// route records where a question goes, as far as that is known.
func (k *sync) route(q emulator.Query, service, pod string) {
	if k.routes == nil {
		k.routes = map[int]route{}
	}
	r := k.routes[q.ID]
	k.routes[q.ID] = route{cmp.Or(service, r.Service), cmp.Or(pod, r.Pod)}
}

// count adds the answer to a question to the Pod's traffic: connections and requests to Services
// and Pods, but not name queries and pings.
func (k *sync) count(q emulator.Query, a emulator.Answer) {
	r := k.routes[q.ID]
	if delete(k.routes, q.ID); r == (route{}) || q.Kind == emulator.QueryDNS || q.Kind == emulator.QueryPing {
		return
	}
	i := slices.IndexFunc(k.traffic, func(t plan.Traffic) bool { return t.Service == r.Service && t.Callee == r.Pod })
	if i < 0 {
		if i = len(k.traffic); i >= mostCounted {
			return
		}
		k.traffic = append(k.traffic, plan.Traffic{Service: r.Service, Callee: r.Pod})
	}
	k.traffic[i].Add(outcomeOf(a))
}

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
