package kubelet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// memory is what is stored with a Pod: its machine, preceded by what can be read without decoding
// the machine.
type memory struct {
	// Queries are what the machine will ask about the cluster by the time of the next sync.
	Queries []emulator.Query `json:"queries,omitempty"`

	// Calls are its questions that were posted to other Pods.
	Calls []call `json:"calls,omitempty"`

	// Served are the calls of other Pods that servers in this one hold and will answer later.
	Served []held `json:"served,omitempty"`

	// Affinity are the endpoints that the Pod's connections stay with, the most recently used last.
	Affinity []network.Affinity `json:"affinity,omitempty"`

	// Told is the last event about each thing that the Pod waits for, so that it is emitted only
	// once.
	Told map[string]string `json:"told,omitempty"`

	// Tokens are the tokens in the Pod's volumes.
	Tokens []podsetup.Token `json:"tokens,omitempty"`

	// Paid is when the Pod's machine has earned the steps that it has used so far; see Share. Zero
	// if it has used none.
	Paid time.Time `json:"paid,omitzero"`

	machine []byte // encoded; empty if none exists
}

var errMemory = errors.New("the memory of a Pod is damaged")

// encode is the length of the JSON, the JSON, and the machine; empty, but not nil, if there is
// nothing to store.
func (m *memory) encode() []byte {
	if len(m.Queries) == 0 && len(m.Calls) == 0 && len(m.Served) == 0 && len(m.Told) == 0 && len(m.Affinity) == 0 && len(m.Tokens) == 0 && len(m.machine) == 0 {
		return []byte{}
	}
	head, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("kubelet: the head of a memory: %v", err)) // strings and numbers
	}
	out := binary.AppendUvarint(make([]byte, 0, len(head)+len(m.machine)+4), uint64(len(head)))
	return append(append(out, head...), m.machine...)
}

func decodeMemory(b []byte) (m memory, err error) {
	if len(b) == 0 {
		return memory{}, nil
	}
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return memory{}, errMemory
	}
	if err := json.Unmarshal(b[n:n+int(length)], &m); err != nil {
		return memory{}, fmt.Errorf("%w: %w", errMemory, err)
	}
	m.machine = b[n+int(length):]
	return m, nil
}
