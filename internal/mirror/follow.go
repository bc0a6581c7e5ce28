package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	loadPage   = 1000 // objects per statement while loading
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

// load reads all heads, page by page, and then the log from a revision read before the first page.
// Versions on a page that are newer come again with the log and are dropped there; objects deleted
// after their page was read are removed then.
func (m *Mirror) load(ctx context.Context) error {
	suspicions := m.suspicions.Load()
	since, compacted, err := m.log.Revision(ctx)
	if err != nil {
		return err
	}
	if since > compacted {
		since-- // also read the row of the newest revision, to recognise the database by
	}
	read, heads, err := m.readHeads(ctx)
	if err != nil {
		return err
	}
	last, err := m.bringTogether(ctx, heads, since)
	if err != nil {
		return fmt.Errorf("load the mirror: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.resetLocked()
	m.since, m.revision = last.revision, last.revision
	m.last = last
	m.byUID = heads
	for _, v := range slices.SortedFunc(maps.Values(heads), inOrder) { // trees grow faster in order
		m.setLocked(m.tableLocked(v.Type.Resource()), Event{New: v})
	}
	m.heat.reorder(read) // what lies together in memory is packed and collected together
	m.loaded, m.contact = true, time.Now()
	m.loads.Add(1)
	m.allayed.Store(suspicions)
	m.pages.clear()
	m.announceLocked(nil)
	return nil
}

// readHeads reads all heads, and returns them in the order in which they came, and by uid. While the
// database prepares a page, the objects of those before it are decoded, as many pages at once as
// there are processors.
func (m *Mirror) readHeads(ctx context.Context) (read []*object.Version, heads map[types.UID]*object.Version, err error) {
	heads = map[types.UID]*object.Version{}
	var decoders sync.WaitGroup
	defer decoders.Wait()
	processors := make(chan struct{}, runtime.GOMAXPROCS(0))
	for after := types.UID(""); ; {
		page, err := m.log.Heads(ctx, after, loadPage)
		if err != nil {
			return nil, nil, err
		}
		for _, v := range page {
			heads[v.UID] = v
		}
		read = append(read, page...)
		processors <- struct{}{}
		decoders.Go(func() {
			defer func() { <-processors }()
			_ = contain.Call(func() error { decodeMarked(page); return nil }) // load meets what does not decode
		})
		if len(page) < loadPage {
			return read, heads, nil
		}
		after = page[len(page)-1].UID
	}
}

// decodeMarked decodes those objects that the mirror decodes in any case: the marked ones.
func decodeMarked(page []*object.Version) {
	for _, v := range page {
		v.Is(object.HasOwners)
	}
}

// bringTogether brings heads that were read after a revision to one later revision, using the log
// in between.
func (m *Mirror) bringTogether(ctx context.Context, heads map[types.UID]*object.Version, since object.Revision) (place, error) {
	at := place{revision: since}
	for {
		versions, err := m.log.After(ctx, at.revision, followPage)
		if err != nil {
			return place{}, err
		}
		for _, v := range versions {
			at = place{v.Revision, v.UID, v.At}
			if head := heads[v.UID]; head != nil && head.Revision >= v.Revision {
				continue
			}
			if v.Verb == object.Deleted {
				delete(heads, v.UID)
			} else {
				heads[v.UID] = v
			}
		}
		if len(versions) < followPage {
			return at, nil
		}
	}
}
