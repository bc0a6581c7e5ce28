package mirror

import (
	"context"
	"sync"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// watchPage is how many events a watcher takes at a time, from the window or from the log.
const watchPage = 128

// Watcher delivers the changes of one resource in revision order, each once. It reads the mirror's
// window at its own pace and holds nothing back for others. One that falls out of the window
// continues in the log; one that falls behind the log's compaction ends with store.ErrCompacted
// rather than miss a change. Use it from one goroutine; Close may be called from any.
type Watcher struct {
	mirror    *Mirror
	resource  string
	namespace string
	table     *table
	cursor    int64 // the count of the next event in the table's window
	queue     []Event
	delivered object.Revision
	read      object.Revision // how far the log has been read, while catchUp
	catchUp   bool            // the window did not reach back far enough: read the log up to it first
	closed    chan struct{}
	close     sync.Once
}

// Watch starts after a revision, which may be in the future. The window serves it; if that does not
// reach back far enough, the log does first. It returns ErrUnavailable while the mirror does not
// follow the database; if the revision is no longer retained, Next returns store.ErrCompacted.
func (m *Mirror) Watch(resource, namespace string, after object.Revision) (*Watcher, error) {
	m.mu.Lock() // for writing: the table may have to be created
	defer m.mu.Unlock()
	if err := m.readyLocked(); err != nil {
		return nil, err
	}
	w := &Watcher{mirror: m, resource: resource, namespace: namespace, table: m.tableLocked(resource), delivered: after, read: after, closed: make(chan struct{})}
	cursor, ok := w.table.window.from(after)
	w.cursor, w.catchUp = cursor, !ok
	return w, nil
}

// Close ends the watcher: a Next that waits, now or later, returns context.Canceled.
func (w *Watcher) Close() { w.close.Do(func() { close(w.closed) }) }

// Revision returns the revision up to which everything has been delivered.
func (w *Watcher) Revision() object.Revision {
	if len(w.queue) > 0 {
		return w.delivered
	}
	w.mirror.mu.RLock()
	defer w.mirror.mu.RUnlock()
	current := w.mirror.tables[w.resource] == w.table // otherwise the mirror was reloaded, past changes that were not delivered
	if current && !w.catchUp && w.cursor == w.table.window.end() {
		w.delivered = max(w.delivered, w.mirror.revision)
	}
	return w.delivered
}

// Pending reports whether Next would return at once.
func (w *Watcher) Pending() bool {
	if len(w.queue) > 0 {
		return true
	}
	_, _, err := w.fill()
	return err != nil || len(w.queue) > 0
}

// Next returns the next change, and waits if there is none. Errors: store.ErrCompacted if changes
// are lost, ErrUnavailable if the mirror no longer follows the database, ctx's, and those of
// reading the log.
func (w *Watcher) Next(ctx context.Context) (Event, error) {
	for {
		if len(w.queue) > 0 {
			e := w.queue[0]
			w.queue[0] = Event{}
			w.queue = w.queue[1:]
			w.delivered = e.New.Revision
			return e, nil
		}
		if w.catchUp {
			if err := w.readLog(ctx); err != nil {
				return Event{}, err
			}
			continue
		}
		changed, down, err := w.fill()
		if err != nil {
			return Event{}, err
		}
		if len(w.queue) > 0 || w.catchUp {
			continue
		}
		select {
		case <-changed:
		case <-down:
			return Event{}, ErrUnavailable
		case <-w.closed:
			return Event{}, context.Canceled
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// fill takes what the window has for the watcher, and returns what to wait for if it has nothing.
func (w *Watcher) fill() (changed, down <-chan struct{}, err error) {
	w.mirror.mu.RLock()
	defer w.mirror.mu.RUnlock()
	window := &w.table.window
	if w.mirror.tables[w.resource] != w.table { // the mirror was reloaded: changes may be missing
		return nil, nil, store.ErrCompacted
	}
	if w.cursor < window.first {
		w.catchUp, w.read = true, w.delivered
	}
	if w.catchUp {
		return nil, nil, nil
	}
	w.queue = nil
	for w.cursor < window.end() && len(w.queue) < watchPage {
		e := window.events[w.cursor-window.first]
		w.cursor++
		if (w.namespace == "" || e.New.Namespace == w.namespace) && e.New.Revision > w.delivered {
			w.queue = append(w.queue, e)
		} else if len(w.queue) == 0 {
			w.delivered = max(w.delivered, e.New.Revision)
		}
	}
	return w.table.changed, w.mirror.down, nil
}

// readLog takes a page of the log, and switches to the window as soon as that reaches back to where
// the log was read.
func (w *Watcher) readLog(ctx context.Context) error {
	steps, upTo, err := w.mirror.log.Changes(ctx, w.resource, w.read, watchPage)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if w.namespace == "" || s.New.Namespace == w.namespace {
			w.queue = append(w.queue, Event(s))
		}
	}
	w.read = upTo
	if len(w.queue) == 0 {
		w.delivered = upTo
	}
	w.mirror.mu.RLock()
	defer w.mirror.mu.RUnlock()
	if cursor, ok := w.table.window.from(upTo); ok {
		w.cursor, w.catchUp = cursor, false
	}
	return nil
}
