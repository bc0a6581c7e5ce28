package faults

import (
	"encoding/json"
	"fmt"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// The stages of a fault of Pods. Each is a round through all Pods of its namespace. If there are
// few Pods, each stage is one sync, and nothing is stored.
const (
	telling  = "telling"  // wakes kubelets because it has begun
	watching = "watching" // checks whether a one-time fault has happened to all
	ended    = "ended"    // wakes kubelets because it has ended
	spent    = "spent"    // wakes kubelets because it has happened to all
)

// round is the progress of a stage. The zero round is the beginning of whatever must be done.
type round struct {
	Stage string `json:"stage"`
	After string `json:"after,omitempty"` // the name of the last visited Pod; empty before the first
	// Waited is true if the round has waited for a Pod.
	Waited bool `json:"waited,omitempty"`
}

// After is the place in list order, without a resource, after which a sync needs Pods, given what
// is stored. The zero key is the beginning.
func After(namespace string, memory []byte) object.Key {
	if after := decode(memory).After; after != "" {
		return object.Key{Namespace: namespace, Name: after}
	}
	return object.Key{}
}

// decode reads what is stored. Anything that cannot be parsed counts as nothing.
func decode(memory []byte) (r round) {
	if len(memory) == 0 || json.Unmarshal(memory, &r) != nil {
		return round{}
	}
	return r
}

// remember adds a round to a plan, if it has changed.
func (r round) remember(p *plan.Plan, was []byte) {
	b, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("faults: a round: %v", err)) // strings and a bool
	}
	if string(b) != string(was) {
		p.Memory = b
	}
}

// goOn makes the next sync continue after this batch.
func (s Snapshot) goOn(p *plan.Plan, r round) {
	r.After, p.WakeAt = s.Last.Name, s.Now
	r.remember(p, s.Memory)
}
