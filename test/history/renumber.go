package history

import (
	"sort"

	"github.com/rowlock/rowlock/internal/object"
)

// renewal is how far the counter is advanced when a new history begins (see store.Recognise).
const renewal = 1_000_000_000

// Renumber closes the gaps of exactly the size that a new history leaves, and no others, so that
// all checks can run on a log of several histories. It returns a copy, and a function that converts
// a revision that a client was given: to -1 if it is between two histories, which means that it was
// lost.
func Renumber(h History) (History, func(object.Revision) object.Revision) {
	type part struct{ last, from, ahead object.Revision } // from a revision on, all are ahead by this; after last there is none before it
	var parts []part
	number := func(r object.Revision) object.Revision {
		i := sort.Search(len(parts), func(i int) bool { return parts[i].from > r })
		if i < len(parts) && r > parts[i].last {
			return -1
		}
		if i == 0 {
			return r
		}
		return r - parts[i-1].ahead
	}
	ahead := object.Revision(0)
	for i := 1; i < len(h); i++ {
		if last := h[i-1].Revision; h[i].Revision-last == renewal+1 {
			ahead += renewal
			parts = append(parts, part{last, last + renewal, ahead})
		}
	}
	renumbered := make(History, len(h))
	for i, e := range h {
		e.Revision, e.Cause = number(e.Revision), number(e.Cause)
		renumbered[i] = e
	}
	return renumbered, number
}

// Renumber converts all revisions to those of a renumbered log.
func (w *Watched) Renumber(number func(object.Revision) object.Revision) {
	w.From = number(w.From)
	for i := range w.Seen {
		w.Seen[i].Revision = number(w.Seen[i].Revision)
	}
}
