// Package memory is what is stored with a Pod from sync to sync: its machine, what can be read
// without decoding the machine, and how much of its share of steps the machine has used.
package memory

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/traffic"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// Memory is what is stored with a Pod. The zero Memory is that of a Pod in closed form.
type Memory struct {
	// Queries are what the machine will ask about the cluster by the time of the next sync.
	Queries []emulator.Query `json:"queries,omitempty"`

	// Calls are its questions that were posted to other Pods.
	Calls []Call `json:"calls,omitempty"`

	// Served are the calls of other Pods that servers in this one hold and will answer later.
	Served []Held `json:"served,omitempty"`

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

	Machine []byte `json:"-"` // encoded; empty if none exists
}

// Call is a question of the Pod that was posted to another Pod.
type Call struct {
	ID     int           `json:"id"` // of the query
	Callee types.UID     `json:"callee"`
	At     time.Time     `json:"at"` // of the question
	Posted time.Time     `json:"posted"`
	Route  traffic.Route `json:"route,omitzero"`

	// Port is the callee's port, From the address that the call appears to come from.
	Port int    `json:"port,omitempty"`
	From string `json:"from,omitempty"`
}

// Held is a call that a server in the Pod has taken and will answer later.
type Held struct {
	Request int       `json:"request"` // in the Pod's machine
	Caller  types.UID `json:"caller"`
	Number  int       `json:"number"`
	At      time.Time `json:"at"`
}

var errMemory = errors.New("the memory of a Pod is damaged")

// Encode is the length of the JSON, the JSON, and the machine; empty, but not nil, if there is
// nothing to store.
func (m *Memory) Encode() []byte {
	if len(m.Queries) == 0 && len(m.Calls) == 0 && len(m.Served) == 0 && len(m.Told) == 0 && len(m.Affinity) == 0 && len(m.Tokens) == 0 && len(m.Machine) == 0 {
		return []byte{}
	}
	head, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("kubelet: the head of a memory: %v", err)) // strings and numbers
	}
	out := binary.AppendUvarint(make([]byte, 0, len(head)+len(m.Machine)+4), uint64(len(head)))
	return append(append(out, head...), m.Machine...)
}

// Decode reads what Encode has written; nothing is the zero Memory. The error says that it is
// damaged.
func Decode(b []byte) (m Memory, err error) {
	if len(b) == 0 {
		return Memory{}, nil
	}
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return Memory{}, errMemory
	}
	if err := json.Unmarshal(b[n:n+int(length)], &m); err != nil {
		return Memory{}, fmt.Errorf("%w: %w", errMemory, err)
	}
	m.Machine = b[n+int(length):]
	return m, nil
}

// Check says what is wrong with the memory of a Pod that another program may have written;
// nil if a kubelet can continue from it.
func Check(b []byte, images *emulator.Catalogue) (err error) {
	m, err := Decode(b)
	if err != nil || len(m.Machine) == 0 {
		return err
	}
	return contain.Call(func() error { // a decoder trusts its own encoder
		read, err := emulator.Decode(m.Machine, images)
		if err != nil {
			return err
		}
		return read.Validate()
	})
}
