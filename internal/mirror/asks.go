package mirror

import (
	"sync"

	"github.com/rowlock/rowlock/internal/object"
)

// asks collects the callers that wait for the database's newest revision: one query serves all that
// came before it began.
type asks struct {
	mu     sync.Mutex
	next   *ask          // not begun
	signal chan struct{} // buffer of one: next is set
}

// ask is one query for the newest revision. revision and err are set before done is closed.
type ask struct {
	done     chan struct{}
	revision object.Revision
	err      error
}

// join returns the ask that begins next.
func (a *asks) join() *ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.next == nil {
		a.next = &ask{done: make(chan struct{})}
		a.signal <- struct{}{}
	}
	return a.next
}

func (a *asks) take() *ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := a.next
	a.next = nil
	return next
}
