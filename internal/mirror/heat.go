package mirror

import (
	"context"
	"sync"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

const (
	coolEvery = time.Second
	coolPage  = 256 // bodies that are packed between two looks at the mirror
)

// heat is the queue of bodies that are not packed, the longest unchanged first. Superseded versions stay in it until it
// is their turn, so they count as well.
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

// takeAbove takes up to a page of the versions that are beyond the limit.
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
		h.queue = nil // lets go of what a burst has grown
	}
	return page
}

// cool packs what has not changed for longest, until ctx ends. It is in nobody's way: versions are read while they
// are packed.
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
			if m.byUID[v.UID] == v { // the others are on their way out
				byType[v.Type] = append(byType[v.Type], v)
			}
		}
		m.mu.RUnlock()
		for _, versions := range byType {
			object.Pack(versions)
		}
	}
}
