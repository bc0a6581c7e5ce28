package mirror

import (
	"context"
	"sync"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

const (
	coolEvery = time.Second
	coolPage  = 256 // bodies that are packed between two accesses to the mirror
)

// heat is the queue of bodies that are not packed, longest unchanged first. Superseded versions
// stay in it until their turn, so they count too.
type heat struct {
	mu    sync.Mutex
	queue []*object.Version
	bytes int
}

func (h *heat) add(v *object.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queue = append(h.queue, v)
	h.bytes += v.Size()
}

// takeAbove takes up to a page of the versions beyond the limit.
func (h *heat) takeAbove(limit int) []*object.Version {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for n < len(h.queue) && n < coolPage && h.bytes > limit {
		h.bytes -= h.queue[n].Size()
		n++
	}
	page := append([]*object.Version(nil), h.queue[:n]...)
	clear(h.queue[:n])
	if h.queue = h.queue[n:]; len(h.queue) == 0 {
		h.queue = nil // release the memory that a burst allocated
	}
	return page
}

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
			if m.byUID[v.UID] == v { // the others are superseded
				byType[v.Type] = append(byType[v.Type], v)
			}
		}
		m.mu.RUnlock()
		for _, versions := range byType {
			object.Pack(versions)
		}
	}
}
