package history

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/rowlock/rowlock/internal/object"
)

// Action is what a client asked for.
type Action string

// The actions on a register: an object with one value.
const (
	Create Action = "create"
	Get    Action = "get"
	Update Action = "update" // of the version of Base
	Delete Action = "delete" // of the version of Base, or of any if that is 0
)

// Outcome is the answer that a client got.
type Outcome string

// The outcomes.
const (
	Done     Outcome = "done"
	Exists   Outcome = "exists"   // nothing was done, because one with this name exists
	Missing  Outcome = "missing"  // nothing was done, because none exists
	Conflict Outcome = "conflict" // nothing was done, because it is at another version
	Unknown  Outcome = "unknown"  // the client does not know whether it was done, now or later
)

// Operation is one operation of a client on a register, with its time.
type Operation struct {
	Client       int
	Key          object.Key
	Action       Action
	Base         object.Revision
	Value        string // what was written; no two operations write the same
	Call, Return time.Duration
	Outcome      Outcome
	Revision     object.Revision // in the answer to a create, a get or an update
	Got          string          // what was read
}

// String returns "client 2: update of 12 to "x" is done at 14".
func (o Operation) String() string {
	return fmt.Sprintf("%v to %v, client %d: %s of %d with %q is %s at %d, got %q", o.Call, o.Return, o.Client,
		o.Action, o.Base, o.Value, o.Outcome, o.Revision, o.Got)
}

// register is the state of a register. If no client got an answer to the write, its revision is
// unknown, and later than revision.
type register struct {
	exists, known bool
	revision      object.Revision
	value         string
}

// linearizableWithin bounds the search for an order of one register's operations. It takes
// milliseconds, or a second if the outcomes of many are unknown.
const linearizableWithin = 5 * time.Minute

// Linearizable checks that each register's operations can be put in one order, in which each comes
// after all that had ended when it began, and does what it says. Operations of unknown outcome may
// have been done at any time after they began, or never.
func Linearizable(operations []Operation) []Violation {
	byKey := map[object.Key][]porcupine.Operation{}
	for _, o := range operations {
		p := porcupine.Operation{ClientId: o.Client, Input: o, Output: o, Call: int64(o.Call), Return: int64(o.Return)}
		if o.Outcome == Unknown {
			if o.Action == Get {
				continue // it did nothing, and shows nothing
			}
			p.Return = math.MaxInt64
		}
		byKey[o.Key] = append(byKey[o.Key], p)
	}
	model := porcupine.Model{
		Init: func() any { return register{known: true} },
		Step: func(state, input, _ any) (bool, any) {
			ok, next := state.(register).step(input.(Operation))
			return ok, next
		},
	}
	var found []Violation
	keys := slices.SortedFunc(maps.Keys(byKey), func(a, b object.Key) int { return cmp.Compare(a.String(), b.String()) })
	for _, key := range keys {
		result, info := porcupine.CheckOperationsVerbose(model, byKey[key], linearizableWithin)
		switch result {
		case porcupine.Illegal:
			found = append(found, Violation{Key: key, Message: fmt.Sprintf("its %d operations have no order: %s", len(byKey[key]), stuck(byKey[key], info))})
		case porcupine.Unknown:
			found = append(found, Violation{Key: key, Message: fmt.Sprintf("its %d operations are too many to find their order", len(byKey[key]))})
		case porcupine.Ok:
		}
	}
	return found
}

// stuck describes where the longest order that was found ends: its last operations, and the first
// of those that do not fit.
func stuck(all []porcupine.Operation, info porcupine.LinearizationInfo) string {
	var longest []porcupine.Operation
	for _, partition := range info.PartialLinearizationsOperations() {
		for _, order := range partition {
			if len(order) > len(longest) {
				longest = order
			}
		}
	}
	in := map[Operation]bool{}
	var text strings.Builder
	for i, p := range longest {
		o := p.Input.(Operation)
		if in[o] = true; i >= len(longest)-4 {
			fmt.Fprintf(&text, "\n\t%s", o)
		}
	}
	left := 0
	for _, p := range slices.SortedFunc(slices.Values(all), func(a, b porcupine.Operation) int { return cmp.Compare(a.Return, b.Return) }) {
		if o := p.Input.(Operation); !in[o] && left < 6 {
			left++
			fmt.Fprintf(&text, "\n\tand not %s", o)
		}
	}
	return text.String()
}

// step reports whether an operation can come next, and its effect on the register. One of unknown
// outcome is done if possible: if it never was, it can as well be put last, where nothing sees it.
//
// A client that names a revision has received it, so that an update which names a revision that is
// not known yet cannot succeed.
func (r register) step(o Operation) (bool, register) {
	next := register{exists: o.Action != Delete, known: o.Outcome == Done, revision: max(r.revision, o.Revision), value: o.Value}
	current := r.exists && r.known && r.revision == o.Base // the one that o.Base names
	switch {
	case o.Outcome == Exists:
		return r.exists, r
	case o.Outcome == Missing:
		return !r.exists, r
	case o.Outcome == Conflict:
		return r.exists && !current, r
	case o.Action == Get && r.known:
		return r.exists && r.value == o.Got && r.revision == o.Revision, r
	case o.Action == Get:
		next.value = o.Got
		return r.exists && r.value == o.Got && o.Revision > r.revision, next
	}
	able := current
	switch o.Action {
	case Create:
		able = !r.exists
	case Delete:
		able = current || r.exists && o.Base == 0
		next = register{known: true, revision: r.revision}
	case Get, Update:
	}
	switch {
	case o.Outcome == Unknown && able:
		return true, next
	case o.Outcome == Unknown:
		return true, r
	}
	return able && (o.Action == Delete || o.Revision > r.revision), next
}
