package mirror

import (
	"context"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// tidyEvery is how often the mirror lets go of what it only keeps at hand. What has not been needed from one time to the next
// goes: who needs it after all finds it in the log.
const tidyEvery = 30 * time.Second

// tidy lets go, again and again, of what a burst has left behind, until ctx ends: so that a process whose cluster has become small
// becomes small too.
func (m *Mirror) tidy(ctx context.Context) {
	for {
		sleep(ctx, tidyEvery)
		if ctx.Err() != nil {
			return
		}
		m.Tidy(ctx)
	}
}

// Tidy lets go of the changes that were in a window, and the snapshots that were kept, when it was last called, of versions that have
// been superseded, and of snapshots of what the log has been compacted past. Those it keeps while the database is out of reach.
func (m *Mirror) Tidy(ctx context.Context) {
	m.pages.tidy()
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
	m.heat.tidy(m.byUID)
}

// tidy drops the events that were there when it was last called, and gives back the room that they took.
func (w *window) tidy() {
	if drop := w.old - w.first; drop > 0 {
		w.drop(int(drop))
		w.events = slices.Clone(w.events)
	}
	w.old = w.end()
}

// tidy forgets the snapshots that nobody has asked for since it was last called.
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

// compacted forgets the snapshots from before a revision, however often they are asked for: no other replica could give their next page.
func (p *pages) compacted(to object.Revision) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(k page) bool { return k.revision < to })
	p.past = slices.DeleteFunc(p.past, func(k past) bool { return k.revision < to })
	p.gone = max(p.gone, to)
}

// tidy takes superseded versions out of the queue where they are most of it.
func (h *heat) tidy(current map[types.UID]*object.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) <= 2*len(current)+100 {
		return
	}
	h.queue = slices.Clone(slices.DeleteFunc(h.queue, func(v *object.Version) bool { return current[v.UID] != v }))
	h.bytes = 0
	for _, v := range h.queue {
		h.bytes += v.Size()
	}
}
