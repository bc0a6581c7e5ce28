package mirror

import (
	"context"
	"runtime"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// answerAsks runs the queries, one after another, until ctx ends.
func (m *Mirror) answerAsks(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.asks.signal:
		}
		runtime.Gosched() // requests that have arrived meanwhile share the query
		a := m.asks.take()
		query, cancel := context.WithTimeout(ctx, m.config.MaxWait)
		var compacted object.Revision
		a.revision, compacted, a.err = m.log.Revision(query)
		cancel()
		if a.err != nil {
			m.suspicions.Add(1)
		} else {
			m.pages.compacted(compacted)
		}
		close(a.done)
	}
}

// Fresh waits until the mirror holds everything that was committed before the call. Errors:
// ErrUnavailable, ctx's.
func (m *Mirror) Fresh(ctx context.Context) error {
	if err := m.Ready(); err != nil {
		return err
	}
	a := m.asks.join()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-a.done:
	}
	if a.err != nil {
		return ErrUnavailable
	}
	if err := m.waitFor(ctx, a.revision); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrUnavailable
	}
	return nil
}

// AwaitFresh is Fresh for callers that cannot go without: it waits while the database is
// unreachable. Errors: ctx's.
func (m *Mirror) AwaitFresh(ctx context.Context) error {
	for m.Fresh(ctx) != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// WaitFor waits, for a bounded time, until the mirror has reached a revision. Errors: ErrTooLarge,
// ErrUnavailable, ctx's.
func (m *Mirror) WaitFor(ctx context.Context, revision object.Revision) error {
	if err := m.Ready(); err != nil {
		return err
	}
	return m.waitFor(ctx, revision)
}

func (m *Mirror) waitFor(ctx context.Context, revision object.Revision) error {
	m.mu.RLock()
	reached, advanced := m.revision >= revision && !m.suspected(), m.advanced
	m.mu.RUnlock()
	if reached {
		return nil
	}
	m.Kick()
	timeout := time.NewTimer(m.config.MaxWait)
	defer timeout.Stop()
	for {
		select {
		case <-advanced:
		case <-timeout.C:
			return ErrTooLarge
		case <-ctx.Done():
			return ctx.Err()
		}
		m.mu.RLock()
		reached, advanced = m.revision >= revision && !m.suspected(), m.advanced
		m.mu.RUnlock()
		if reached {
			return nil
		}
	}
}

// Progress is how far the mirror has come, for readers that follow the log themselves.
type Progress struct {
	Revision object.Revision
	// Resets is how often the mirror has been emptied: what follows may belong to another history.
	Resets   int
	Advanced <-chan struct{} // closed when Revision has grown, or the mirror was emptied
	Down     <-chan struct{} // closed while the mirror does not follow the database
}

// Progress returns how far the mirror has come. It never blocks.
func (m *Mirror) Progress() Progress {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return Progress{Revision: m.revision, Resets: m.resets, Advanced: m.advanced, Down: m.down}
}
