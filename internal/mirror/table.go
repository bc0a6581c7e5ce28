package mirror

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/btree"

	"github.com/rowlock/rowlock/internal/object"
)

// Event is one change of the log.
type Event = object.Event

// tree holds versions in the order in which clients list them: by namespace, then by name.
type tree = btree.BTreeG[*object.Version]

func newTree() *tree {
	return btree.NewBTreeGOptions(before, btree.Options{NoLocks: true, Degree: 32})
}

func before(a, b *object.Version) bool {
	if a.Namespace != b.Namespace {
		return a.Namespace < b.Namespace
	}
	return a.Name < b.Name
}

// inOrder compares versions of one resource as before does.
func inOrder(a, b *object.Version) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// table is what the mirror holds of one resource. The mirror's mutex guards it.
type table struct {
	objects *tree
	changes int // of objects, since its memory was last freed
	window  window
	changed chan struct{} // closed and replaced when something was added to the window
}

func newTable(limit int) *table {
	return &table{objects: newTree(), window: window{limit: limit}, changed: make(chan struct{})}
}

// set makes the event's new version the current one.
func (t *table) set(e Event) {
	t.changes++
	if e.New.Verb != object.Deleted {
		t.objects.Set(e.New)
	} else if e.Old != nil {
		t.objects.Delete(e.Old)
	}
}

// fill puts versions into an empty table. A tree grows faster in order.
func (t *table) fill(versions []*object.Version) {
	for _, v := range slices.SortedFunc(slices.Values(versions), inOrder) {
		t.set(Event{New: v})
	}
}

// window holds the latest events of a resource. Events are counted from the first one ever; first
// is the count of the oldest one held.
type window struct {
	limit  int // bytes of bodies to hold; at least one event is held
	bytes  int
	first  int64
	old    int64 // the count of the first event that came after the last tidy
	events []Event
	// since is the revision after which the window holds every event of its resource.
	since object.Revision
}

func (w *window) end() int64 { return w.first + int64(len(w.events)) }

func (w *window) add(e Event) {
	w.events = append(w.events, e)
	w.bytes += cost(e)
	n, bytes := 0, w.bytes
	for bytes > w.limit && n < len(w.events)-1 {
		bytes -= cost(w.events[n])
		n++
	}
	w.drop(n)
}

// drop discards the n oldest events.
func (w *window) drop(n int) {
	for _, e := range w.events[:n] {
		w.since = e.New.Revision
		w.bytes -= cost(e)
	}
	clear(w.events[:n]) // release the bodies
	w.events = w.events[n:]
	w.first += int64(n)
}

// cost is an event's share of the window: its body and an estimate of the structures around it.
func cost(e Event) int { return e.New.Size() + 500 }

// from returns the count of the first event newer than a revision; false if the window does not
// reach back that far.
func (w *window) from(revision object.Revision) (int64, bool) {
	if revision < w.since {
		return 0, false
	}
	lo, hi := 0, len(w.events)
	for lo < hi {
		mid := (lo + hi) / 2
		if w.events[mid].New.Revision <= revision {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return w.first + int64(lo), true
}
