package mirror

import (
	"context"
	"sync"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// watchPage is how many events a watcher takes at a time, from the window or from the log.
const watchPage = 128

// Watcher delivers the changes of one resource in the order of their revisions, each once. It reads the mirror's window
// at its own pace and holds nothing back for anybody. One that falls out of the window goes on in the log, and one that
// falls behind the log's compaction ends with store.ErrCompacted rather than miss a change. Use it from one goroutine;
// Close may be called from any.
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

// Watch starts after a revision, which may lie in the future. The window serves it or, where that does not reach back,
// the log does first. It returns ErrUnavailable while the mirror does not follow the database; a revision that is no
// longer retained makes Next return store.ErrCompacted.
func (m *Mirror) Watch(resource, namespace string, after object.Revision) (*Watcher, error) {
	m.mu.Lock() // for writing: the table may have to be made
	defer m.mu.Unlock()
	if err := m.readyLocked(); err != nil {
		return nil, err
	}
	w := &Watcher{mirror: m, resource: resource, namespace: namespace, table: m.tableLocked(resource), delivered: after, read: after, closed: make(chan struct{})}
	cursor, ok := w.table.window.from(after)
	w.cursor, w.catchUp = cursor, !ok
	return w, nil
}

// Close ends the watcher: a Next that has to wait, now or later, returns context.Canceled.
func (w *Watcher) Close() { w.close.Do(func() { close(w.closed) }) }

// Revision is the revision up to which everything has been delivered.
func (w *Watcher) Revision() object.Revision {
	if len(w.queue) > 0 {
		return w.delivered
	}
	w.mirror.mu.RLock()
	defer w.mirror.mu.RUnlock()
	current := w.mirror.tables[w.resource] == w.table // else the mirror was loaded anew, past what was not delivered
	if current && !w.catchUp && w.cursor == w.table.window.end() {
		w.delivered = max(w.delivered, w.mirror.revision)
	}
	return w.delivered
}

// Pending says whether Next would return at once.
func (w *Watcher) Pending() bool {
	if len(w.queue) > 0 {
		return true
	}
	_, _, err := w.fill()
	return err != nil || len(w.queue) > 0
}

// Next returns the next change. If there is none it waits. Errors: store.ErrCompacted when changes are lost,
// ErrUnavailable when the mirror does not follow the database any more, ctx's, and those of reading the log.
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

// fill takes what the window has for the watcher, and returns what to wait for if that is nothing.
func (w *Watcher) fill() (changed, down <-chan struct{}, err error) {
	w.mirror.mu.RLock()
	defer w.mirror.mu.RUnlock()
	window := &w.table.window
	if w.mirror.tables[w.resource] != w.table { // the mirror was loaded anew: changes may be missing
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

// readLog takes a page of the log, and moves on to the window as soon as that reaches back to where the log was read.
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
