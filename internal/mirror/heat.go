package mirror

import (
	"sync"

	"github.com/rowlock/rowlock/internal/object"
)

// coolPage is how many bodies are packed between two accesses to the mirror.
const coolPage = 256

// heat is the queue of the current bodies that are not packed, longest unchanged first. A version
// knows its position, so that it can be removed when it is superseded; then it no longer counts, and
// the queue does not keep it in memory.
type heat struct {
	mu    sync.Mutex
	queue []*object.Version // nil where a version was removed
	first uint32            // the position of the first element
	gaps  int               // how many elements are nil
	bytes int
}

func (h *heat) add(v *object.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.first == 0 || h.first > 1<<31 { // positions begin at 1, and must not overflow
		h.closeUpLocked()
	}
	v.HotPosition = h.first + uint32(len(h.queue))
	h.queue = append(h.queue, v)
	h.bytes += v.Size()
}

// remove removes a version that has been superseded, if it is in the queue.
func (h *heat) remove(v *object.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.HotPosition == 0 {
		return
	}
	h.queue[v.HotPosition-h.first] = nil
	h.gaps++
	h.outLocked(v)
	h.trimLocked()
}

func (h *heat) outLocked(v *object.Version) {
	v.HotPosition = 0
	h.bytes -= v.Size()
}

// trimLocked removes the gaps from a queue that consists mostly of them.
func (h *heat) trimLocked() {
	if h.gaps > len(h.queue)/2+coolPage {
		h.closeUpLocked()
	}
}

// closeUpLocked renumbers the queue without gaps.
func (h *heat) closeUpLocked() {
	queue := make([]*object.Version, 0, len(h.queue)-h.gaps+coolPage)
	for _, v := range h.queue {
		if v != nil {
			v.HotPosition = 1 + uint32(len(queue))
			queue = append(queue, v)
		}
	}
	h.queue, h.first, h.gaps = queue, 1, 0
}

// takeAbove takes up to a page of the versions beyond the limit.
func (h *heat) takeAbove(limit int) (page []*object.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for n < len(h.queue) && len(page) < coolPage && h.bytes > limit {
		if v := h.queue[n]; v != nil {
			h.outLocked(v)
			page = append(page, v)
		} else {
			h.gaps--
		}
		n++
	}
	clear(h.queue[:n])
	h.queue, h.first = h.queue[n:], h.first+uint32(n)
	h.trimLocked()
	return page
}

// tidy frees the memory that a burst has allocated.
func (h *heat) tidy() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closeUpLocked()
}

// clear empties the queue.
func (h *heat) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.queue {
		if v != nil {
			v.HotPosition = 0
		}
	}
	h.queue, h.first, h.gaps, h.bytes = nil, 0, 0, 0
}
