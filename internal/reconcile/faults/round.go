package faults

import (
	"encoding/json"
	"fmt"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// The stages of a fault of Pods, each a round through all Pods of its namespace. Where they are few, each is one sync, and nothing is
// remembered.
const (
	telling  = "telling"  // kubelets are told that it has begun
	watching = "watching" // whether it has happened to all, of one that happens once
	ended    = "ended"    // kubelets are told that it has ended
	spent    = "spent"    // likewise, as it has happened to all
)

// round is how far a stage has come. The zero round is the beginning of whatever is to be done.
type round struct {
	Stage string `json:"stage"`
	After string `json:"after,omitempty"` // the name of the last Pod that has been visited; empty before the first
	// Waited says that the round has waited for a Pod.
	Waited bool `json:"waited,omitempty"`
}

// After is the place in list order, without a resource, behind which a sync needs Pods, by what is remembered. The zero key is the
// beginning.
func After(namespace string, memory []byte) object.Key {
	if after := decode(memory).After; after != "" {
		return object.Key{Namespace: namespace, Name: after}
	}
	return object.Key{}
}

// decode reads what is remembered. What does not read is nothing.
func decode(memory []byte) (r round) {
	if len(memory) == 0 || json.Unmarshal(memory, &r) != nil {
		return round{}
	}
	return r
}

// remember adds a round to a plan, if it is news.
func (r round) remember(p *plan.Plan, was []byte) {
	b, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("faults: a round: %v", err)) // strings and a bool
	}
	if string(b) != string(was) {
		p.Memory = b
	}
}

// goOn has the next sync go on behind this piece.
func (s Snapshot) goOn(p *plan.Plan, r round) {
	r.After, p.WakeAt = s.Last.Name, s.Now
	r.remember(p, s.Memory)
}
