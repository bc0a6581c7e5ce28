package mirror

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	followPage = 1000 // log rows per statement while following
	// ownCommits is how long the follower waits before it reads this process's own commits, which
	// Committed is about to deliver.
	ownCommits = 3 * time.Millisecond
	// retryPause is the pause after the database could not be reached.
	retryPause = 100 * time.Millisecond
)

// Run loads the mirror and follows the log until ctx ends. It returns nil.
func (m *Mirror) Run(ctx context.Context) error {
	var beside sync.WaitGroup
	for name, loop := range map[string]func(context.Context){"asks": m.answerAsks, "cool": m.cool, "tidy": m.tidy} {
		beside.Go(func() {
			_ = contain.Keep(ctx, m.slog, "mirror "+name, nil, func(ctx context.Context) error { loop(ctx); return nil }) // no loop returns an error
		})
	}
	defer beside.Wait()
	poll := time.NewTicker(m.config.Poll)
	defer poll.Stop()
	for ctx.Err() == nil {
		err := contain.Call(func() error { return m.catchUp(ctx) })
		m.judgeContact(err)
		if err != nil {
			m.suspicions.Add(1)
			if ctx.Err() == nil {
				m.slog.Warn("the mirror cannot follow the log", "error", err)
			}
			sleep(ctx, retryPause)
			continue
		}
		select {
		case <-ctx.Done():
		case <-poll.C:
		case <-m.kick:
			sleep(ctx, ownCommits)
		}
	}
	return nil
}

// judgeContact records whether the database answered, and opens or ends service accordingly.
func (m *Mirror) judgeContact(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil {
		m.contact = time.Now()
		select {
		case <-m.down:
			m.down = make(chan struct{})
		default:
		}
		return
	}
	if time.Since(m.contact) < m.config.MaxStale {
		return
	}
	select {
	case <-m.down:
	default:
		close(m.down) // watches end
	}
}

// Loads returns how often the mirror has been loaded: once, unless the database was set back or
// compaction overtook the mirror.
func (m *Mirror) Loads() int64 { return m.loads.Load() }

// catchUp reads the log until there is nothing newer. After failing to reach the database, it first
// checks that the database is still the one that the mirror follows (S12).
func (m *Mirror) catchUp(ctx context.Context) error {
	m.mu.RLock()
	loaded := m.loaded
	m.mu.RUnlock()
	if !loaded {
		return m.load(ctx)
	}
	if m.suspected() {
		held, err := m.verify(ctx)
		if err != nil {
			return err
		}
		if !held {
			return m.reload(ctx, "the database was set back")
		}
	}
	for {
		asked, page := m.Revision(), m.page
		versions, err := m.after(ctx, asked)
		switch {
		case errors.Is(err, store.ErrCompacted) && m.Revision() > asked:
			continue // this process's own commits may have brought the mirror past the compaction
		case errors.Is(err, store.ErrCompacted):
			return m.reload(ctx, "the log was compacted past the mirror")
		case errors.Is(err, store.ErrFuture):
			return m.reload(ctx, "the database was set back")
		case err != nil:
			return err
		case m.suspected(): // the page may be from another history
			m.Kick()
			return nil
		}
		m.take(versions)
		m.judgeContact(nil) // each page counts as an answer, however many follow
		if len(versions) < page {
			return nil
		}
	}
}

// verify checks that the database is still the same and has the last version that the mirror
// applied, and clears the suspicions so far if it does. Nothing is applied meanwhile, so that this
// row stays the last one known to belong to the earlier history. Early versions are newer than that
// row, and may be lost although the row exists: they are dropped, to be read from the log.
func (m *Mirror) verify(ctx context.Context) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.config.MaxStale)
	defer cancel()
	suspicions := m.suspicions.Load()
	renewed, err := m.log.Recognise(ctx)
	if err != nil || renewed {
		return false, err
	}
	m.mu.RLock()
	last := m.last
	m.mu.RUnlock()
	held = last.uid == "" // compacted before the mirror was loaded: reading on at least detects a counter that is behind
	if !held {
		held, err = m.log.Holds(ctx, last.revision, last.uid, last.at.Time())
	}
	if held {
		m.mu.Lock()
		defer m.mu.Unlock()
		clear(m.early)
		m.allayed.Store(suspicions)
		m.announceLocked(nil)
	}
	return held, err
}

// after reads the next page of the log. A database that does not answer within MaxStale counts as
// unreachable. Large rows or a slow machine look the same, so the next page is then half as long
// (S16), and grows again as pages arrive.
func (m *Mirror) after(ctx context.Context, revision object.Revision) ([]*object.Version, error) {
	ctx, cancel := context.WithTimeout(ctx, m.config.MaxStale)
	defer cancel()
	versions, err := m.log.After(ctx, revision, m.page)
	if err == nil {
		m.page = min(2*m.page, followPage)
	} else if ctx.Err() != nil {
		m.page = max(1, m.page/2)
	}
	return versions, err
}

// reload empties the mirror, which ends its watches, and loads it again.
func (m *Mirror) reload(ctx context.Context, why string) error {
	m.slog.Warn("the mirror loads again", "reason", why)
	m.mu.Lock()
	m.resetLocked()
	m.mu.Unlock()
	return m.load(ctx)
}
