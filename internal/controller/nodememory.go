package controller

import (
	"encoding/json"
	"fmt"

	"github.com/rowlock/rowlock/internal/plan"
)

// nodeMemory is what controllers remember beside a Node. They share one memory, because they share
// the Node's lock.
type nodeMemory struct {
	Evictions json.RawMessage `json:"evictions,omitempty"` // as TaintEviction writes it
	Back      *round          `json:"back,omitempty"`      // of NodePods through the Pods of a node that is back, nil for none
	Daemons   *round          `json:"daemons,omitempty"`   // of DaemonSetNode through the DaemonSets, nil for none
}

// decodeNodeMemory reads what encode has written.
func decodeNodeMemory(memory []byte) (m nodeMemory) {
	if len(memory) > 0 && memory[0] == '{' && json.Unmarshal(memory, &m) == nil && m.rounds() {
		return m
	}
	return nodeMemory{Evictions: memory}
}

func (m nodeMemory) rounds() bool { return m.Back != nil || m.Daemons != nil }

// encode returns the memory of evictions alone if there is no round, and empty for nothing.
func (m nodeMemory) encode() []byte {
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

// remember adds the memory to a plan if it has changed.
func (m nodeMemory) remember(p *plan.Plan, was []byte) {
	p.Memory = nil
	if b := m.encode(); string(b) != string(was) {
		p.Memory = b
	}
}
