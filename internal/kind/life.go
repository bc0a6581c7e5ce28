package kind

import (
	"sync"

	"github.com/rowlock/rowlock/internal/object"
)

// Life is the time during which the kinds of a CustomResourceDefinition do not change. Watches of
// their objects end with it. It is safe for concurrent use.
type Life struct {
	once  sync.Once
	over  chan struct{}
	until object.Revision
}

// NewLife returns a Life that has not ended.
func NewLife() *Life { return &Life{over: make(chan struct{})} }

// End ends the life with the revision that changed or removed the definition. Only the first call
// has an effect.
func (l *Life) End(revision object.Revision) {
	l.once.Do(func() {
		l.until = revision
		close(l.over)
	})
}

// Over returns a channel that is closed at the end.
func (l *Life) Over() <-chan struct{} { return l.over }

// Until returns the revision that ended the life; 0 if it has not ended.
func (l *Life) Until() object.Revision {
	select {
	case <-l.over:
		return l.until
	default:
		return 0
	}
}
