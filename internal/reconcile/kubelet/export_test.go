package kubelet

import (
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
)

// For tests of what the status and the calls of a Pod contain.
var (
	ContainerID = containerID
	Taken       = taken
	IsTaken     = isTaken
)

// Asker asks questions in place of a Pod's programs, in one sync.
type Asker struct{ k *sync }

// NewAsker begins a sync of a Pod whose programs ask.
func NewAsker(s Snapshot) Asker {
	k := newSync(s)
	k.runtime = emulator.New("client", 1, 0, s.Now)
	return Asker{k}
}

// Open opens the Pod's runtime.
func (a Asker) Open() { a.k.open() }

// Answer is the answer to a question, if it is known.
func (a Asker) Answer(q emulator.Query) (emulator.Answer, bool) { return a.k.answer(q) }

// AskAgain posts a call that has been lost, and returns what the Pod then remembers.
func (a Asker) AskAgain(lost memory.Call, q emulator.Query) (remembered []memory.Call, known bool) {
	a.k.memory.Calls = []memory.Call{lost}
	_, known = a.k.callAgain(*a.k.pending(lost.ID), q)
	return a.k.memory.Calls, known
}

// Calls are the calls that the sync has posted.
func (a Asker) Calls() []plan.Call { return a.k.calls }
