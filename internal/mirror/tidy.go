package mirror

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// tidyEvery is how often the mirror drops what it only caches. What was not used from one time to
// the next goes; it can still be read from the log.
const tidyEvery = 30 * time.Second

// tidy repeatedly drops what a burst has left behind, until ctx ends, so that the process of a
// cluster that has shrunk shrinks too.
func (m *Mirror) tidy(ctx context.Context) {
	for {
		sleep(ctx, tidyEvery)
		if ctx.Err() != nil {
			return
		}
		m.Tidy(ctx)
	}
}

// Tidy drops the changes that were in a window, and the snapshots that were cached, when it was
// last called, and snapshots that the log has been compacted past. The latter it keeps while the
// database is unreachable. It also frees the memory that lists of these have grown to.
func (m *Mirror) Tidy(ctx context.Context) {
	m.pages.tidy()
	m.freshen()
	query, cancel := context.WithTimeout(ctx, m.config.MaxWait)
	defer cancel()
	if _, compacted, err := m.log.Revision(query); err == nil {
		m.pages.compacted(compacted)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tables {
		t.window.tidy()
	}
	if m.most = max(m.most, len(m.byUID)); m.most > 2*len(m.byUID)+1000 {
		m.byUID, m.most = maps.Collect(maps.All(m.byUID)), len(m.byUID) // a map never shrinks
	}
	m.heat.tidy()
}

// freshen frees what trees that have changed much keep in memory: see fresh. It takes one table or
// index at a time, because nothing can be read meanwhile.
func (m *Mirror) freshen() {
	m.mu.RLock()
	resources := slices.Collect(maps.Keys(m.tables))
	m.mu.RUnlock()
	for _, resource := range resources {
		m.mu.Lock()
		if t := m.tables[resource]; t != nil && t.changes > t.objects.Len()/4 {
			t.objects, t.changes = fresh(t.objects), 0
		}
		m.mu.Unlock()
	}
	for i := range m.config.Indexes {
		m.mu.Lock()
		m.indexes[i].freshen()
		m.mu.Unlock()
	}
}

// freshen frees what the index's trees keep in memory, if it has changed much.
func (x *indexed) freshen() {
	size := len(x.single)
	for _, t := range x.trees {
		size += t.Len()
	}
	if x.changes <= size/4 {
		return
	}
	for value, t := range x.trees {
		x.trees[value] = fresh(t)
	}
	x.changes = 0
}

// fresh returns a copy of a tree that shares no memory with it. When a node is split, its halves
// stay in the memory that the node had: one half keeps versions in it that have since been replaced
// in the other.
func fresh(t *tree) *tree {
	t = t.Copy()
	t.ScanMut(func(*object.Version) bool { return true }) // copies each node
	return t
}

// tidy drops the events that were there when it was last called, and frees their memory.
func (w *window) tidy() {
	if drop := w.old - w.first; drop > 0 {
		w.drop(int(drop))
		w.events = slices.Clone(w.events)
	}
	w.old = w.end()
}

// tidy drops the snapshots that were not used since it was last called.
func (p *pages) tidy() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(k page) bool { return k.old })
	for i := range p.kept {
		p.kept[i].old = true
	}
	p.past = slices.DeleteFunc(p.past, func(k past) bool { return k.old })
	for i := range p.past {
		p.past[i].old = true
	}
}

// compacted drops the snapshots from before a revision, however often they are used: no other
// replica could serve their next page.
func (p *pages) compacted(to object.Revision) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(k page) bool { return k.revision < to })
	p.past = slices.DeleteFunc(p.past, func(k past) bool { return k.revision < to })
	p.gone = max(p.gone, to)
}

// coolEvery is how often the mirror checks whether it has too many unpacked bodies.
const coolEvery = time.Second

// cool packs what has not changed for longest, until ctx ends. It blocks no reader: versions can be
// read while they are packed.
func (m *Mirror) cool(ctx context.Context) {
	for {
		page := m.heat.takeAbove(m.config.HotBytes)
		if len(page) == 0 {
			sleep(ctx, coolEvery)
			if ctx.Err() != nil {
				return
			}
			continue
		}
		byType := map[*object.Type][]*object.Version{}
		m.mu.RLock()
		for _, v := range page {
			if m.byUID[v.UID] == v { // otherwise it has just been superseded
				byType[v.Type] = append(byType[v.Type], v)
			}
		}
		m.mu.RUnlock()
		for _, versions := range byType {
			object.Pack(versions)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
