package gather

import (
	"encoding/json"
	"fmt"

	"github.com/rowlock/rowlock/internal/plan"
)

// NodeMemory is what controllers remember beside a Node. They share one memory, because they share
// the Node's lock.
type NodeMemory struct {
	Evictions json.RawMessage `json:"evictions,omitempty"` // as TaintEviction writes it
	Back      *Round          `json:"back,omitempty"`      // of NodePods through the Pods of a node that is back, nil for none
	Daemons   *Round          `json:"daemons,omitempty"`   // of DaemonSetNode through the DaemonSets, nil for none
}

// DecodeNodeMemory reads what encode has written.
func DecodeNodeMemory(memory []byte) (m NodeMemory) {
	if len(memory) > 0 && memory[0] == '{' && json.Unmarshal(memory, &m) == nil && m.rounds() {
		return m
	}
	return NodeMemory{Evictions: memory}
}

func (m NodeMemory) rounds() bool { return m.Back != nil || m.Daemons != nil }

// encode returns the memory of evictions alone if there is no round, and empty for nothing.
func (m NodeMemory) encode() []byte {
	if !m.rounds() {
		return append([]byte{}, m.Evictions...)
	}
	if !json.Valid(m.Evictions) { // nothing, or unreadable
		m.Evictions = nil
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("controller: a node's memory: %v", err)) // it is JSON
	}
	return b
}

// Remember adds the memory to a plan if it has changed.
func (m NodeMemory) Remember(p *plan.Plan, was []byte) {
	p.Memory = nil
	if b := m.encode(); string(b) != string(was) {
		p.Memory = b
	}
}
