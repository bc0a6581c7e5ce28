package mirror

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/object"
)

const (
	loadPage = 1000 // objects per statement while loading
	// loadReaders is how many such statements run at once, at most. A pool has four connections or
	// more, and others need some meanwhile.
	loadReaders = 3
)

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
	all, err := m.readHeads(ctx)
	if err != nil {
		return err
	}
	last, err := m.bringTogether(ctx, all, since)
	if err != nil {
		return fmt.Errorf("load the mirror: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.resetLocked()
	m.since, m.revision = last.revision, last.revision
	m.last = last
	if err := m.fillLocked(all); err != nil {
		m.resetLocked()
		return fmt.Errorf("load the mirror: %w", err)
	}
	m.loaded, m.contact = true, time.Now()
	m.loads.Add(1)
	m.allayed.Store(suspicions)
	m.pages.clear()
	m.announceLocked(nil)
	return nil
}

// heads are the newest versions of all objects.
type heads struct {
	read  []*object.Version // in the order of their revisions, with some that have been superseded
	byUID map[types.UID]*object.Version
}

func (h *heads) add(v *object.Version) {
	h.read = append(h.read, v)
	h.byUID[v.UID] = v
}

// readHeads reads the heads in the order of their revisions, in which the log has them: in another
// order the database would search for each. A head that is superseded and compacted meanwhile is
// left out, as its successor comes with the log.
func (m *Mirror) readHeads(ctx context.Context) (*heads, error) {
	revisions, err := m.log.Heads(ctx)
	if err != nil {
		return nil, err
	}
	chunks := slices.Collect(slices.Chunk(revisions, loadPage))
	pages := make([][]*object.Version, len(chunks))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(min(runtime.GOMAXPROCS(0), loadReaders))
	for i, chunk := range chunks {
		readers.Go(func() error {
			return contain.Call(func() (err error) {
				pages[i], err = m.log.Bodies(ctx, chunk)
				decodeMarked(pages[i])
				return err
			})
		})
	}
	if err := readers.Wait(); err != nil {
		return nil, err
	}
	all := &heads{make([]*object.Version, 0, len(revisions)), make(map[types.UID]*object.Version, len(revisions))}
	for _, page := range pages {
		for _, v := range page {
			all.add(v)
		}
	}
	return all, nil
}

// decodeMarked decodes those objects that the mirror decodes in any case: the marked ones.
func decodeMarked(page []*object.Version) {
	for _, v := range page {
		v.Is(object.HasOwners)
	}
}

// bringTogether brings heads that were read after a revision to one later revision, using the log
// in between.
func (m *Mirror) bringTogether(ctx context.Context, all *heads, since object.Revision) (place, error) {
	at := place{revision: since}
	for {
		versions, err := m.log.After(ctx, at.revision, followPage)
		if err != nil {
			return place{}, err
		}
		for _, v := range versions {
			at = place{v.Revision, v.UID, v.At}
			if head := all.byUID[v.UID]; head != nil && head.Revision >= v.Revision {
				continue
			}
			if v.Verb == object.Deleted {
				delete(all.byUID, v.UID)
			} else {
				all.add(v)
			}
		}
		if len(versions) < followPage {
			return at, nil
		}
	}
}

// fillLocked puts the objects into an empty mirror, into its parts at the same time. Observers
// receive them resource by resource.
func (m *Mirror) fillLocked(all *heads) error {
	m.byUID = all.byUID
	byResource := map[string][]*object.Version{}
	for _, v := range all.read {
		if all.byUID[v.UID] == v {
			byResource[v.Type.Resource()] = append(byResource[v.Type.Resource()], v)
		}
	}
	var parts errgroup.Group
	fill := func(f func()) {
		parts.Go(func() error { return contain.Call(func() error { f(); return nil }) })
	}
	each := func(f func(Event)) func() {
		return func() {
			for _, resource := range slices.Sorted(maps.Keys(byResource)) {
				for _, v := range byResource[resource] {
					f(Event{New: v})
				}
			}
		}
	}
	for resource, versions := range byResource {
		t := m.tableLocked(resource)
		fill(func() { t.fill(versions) })
	}
	fill(each(m.indexLocked))
	fill(each(m.observeLocked))
	return parts.Wait()
}
