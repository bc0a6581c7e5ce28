package history

import (
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// Loss is the end of a history that a failover to an asynchronous standby has lost.
type Loss struct {
	Kept object.Revision // the last revision that the standby had
	// From and To are when the primary began to acknowledge what the standby lacks, and when the
	// standby had been promoted.
	From, To time.Duration
}

// Losses are all such failovers, in order. What clients were told about lost revisions is not
// judged; everything else is, as if there had been no loss.
type Losses []Loss

// Has reports whether a revision may have been lost.
func (l Losses) Has(r object.Revision) bool {
	return slices.ContainsFunc(l, func(l Loss) bool { return l.Kept < r && r < l.Kept+renewal })
}

// meets reports whether a period overlaps one in which clients were told what was lost.
func (l Losses) meets(from, to time.Duration) bool {
	return slices.ContainsFunc(l, func(l Loss) bool { return from < l.To && l.From < to })
}

// Writes returns the writes that were not lost.
func (l Losses) Writes(all []Write) []Write {
	return remaining(all, func(w Write) bool { return l.Has(w.Revision) })
}

// Lists returns the lists of states that were not lost.
func (l Losses) Lists(all []Listed) []Listed {
	return remaining(all, func(w Listed) bool { return l.Has(w.Revision) })
}

// Holds returns the holds of locks that were not acquired or kept by what was lost.
func (l Losses) Holds(all []Hold) []Hold {
	return remaining(all, func(h Hold) bool { return l.meets(h.Asked, h.To) })
}

// Watched returns the watches without the events that were lost.
func (l Losses) Watched(all []Watched) []Watched {
	all = remaining(all, func(w Watched) bool { return l.Has(w.From) })
	for i := range all {
		all[i].Seen = remaining(all[i].Seen, func(s Seen) bool { return l.Has(s.Revision) })
	}
	return all
}

// Operations returns the operations without those that did or saw what was lost. The answers to
// some do not name a revision: if they were given meanwhile, a deletion becomes one of unknown
// outcome, and a refusal shows nothing. One that was begun after the standby had been promoted must
// not see what was lost, and stays.
func (l Losses) Operations(all []Operation) []Operation {
	all = remaining(all, func(o Operation) bool {
		after := slices.ContainsFunc(l, func(l Loss) bool { return Losses{l}.Has(o.Revision) && o.Call >= l.To })
		refused := o.Outcome == Exists || o.Outcome == Missing || o.Outcome == Conflict
		return !after && l.Has(o.Revision) || refused && l.meets(o.Call, o.Return)
	})
	for i, o := range all {
		if o.Action == Delete && o.Outcome == Done && l.meets(o.Call, o.Return) {
			all[i].Outcome = Unknown
		}
	}
	return all
}

// remaining returns a copy without what was lost.
func remaining[T any](all []T, lost func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), lost)
}
