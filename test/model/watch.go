package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/object"
)

// Watch is what one watch delivered.
type Watch struct {
	After     object.Revision // where it began
	Events    []Change        // in delivery order
	Bookmarks []Bookmark
}

// Bookmark says that everything up to a revision had been delivered when Events events had been.
type Bookmark struct {
	Revision object.Revision
	Events   int
}

// Guarantee is a promise of watches. Check returns how a watch broke it, given the whole history;
// nil if it did not.
type Guarantee struct {
	Name  string
	Check func(history []Change, w Watch) error
}

// Guarantees are all guarantees, by etcd's names.
// Source: https://etcd.io/docs/v3.6/learning/api_guarantees, Watch APIs.
var Guarantees = []Guarantee{
	{"Ordered", ordered},
	{"Unique", unique},
	{"Atomic", atomic},
	{"Reliable", reliable},
	{"Resumable", resumable},
	{"Bookmarkable", bookmarkable},
}

// Judge returns which guarantees a watch broke.
func Judge(history []Change, w Watch) error {
	var broken []error
	for _, g := range Guarantees {
		if err := g.Check(history, w); err != nil {
			broken = append(broken, fmt.Errorf("not %s: %w", g.Name, err))
		}
	}
	return errors.Join(broken...)
}

// ordered: an event never comes after one of a later revision.
func ordered(_ []Change, w Watch) error {
	for i, e := range w.Events {
		if i > 0 && e.New.Revision < w.Events[i-1].New.Revision {
			return fmt.Errorf("revision %d comes after %d", e.New.Revision, w.Events[i-1].New.Revision)
		}
	}
	return nil
}

// unique: an event is delivered once.
func unique(_ []Change, w Watch) error {
	type id struct {
		uid      string
		revision object.Revision
	}
	seen := map[id]bool{}
	for _, e := range w.Events {
		this := id{e.New.UID, e.New.Revision}
		if seen[this] {
			return fmt.Errorf("revision %d comes twice", e.New.Revision)
		}
		seen[this] = true
	}
	return nil
}

// atomic: the events of one revision come together, all of them, without a bookmark in between.
func atomic(history []Change, w Watch) error {
	for i, e := range w.Events {
		revision := e.New.Revision
		same := func(c Change) bool { return c.New.Revision == revision }
		if slices.IndexFunc(w.Events, same) != i {
			continue
		}
		n := 0
		for i+n < len(w.Events) && same(w.Events[i+n]) {
			n++
		}
		if all := count(history, same); count(w.Events[i:i+n], same) < all {
			return fmt.Errorf("%d of the %d changes of revision %d come together", n, all, revision)
		}
		for _, b := range w.Bookmarks {
			if b.Events > i && b.Events < i+n {
				return fmt.Errorf("a bookmark divides revision %d", revision)
			}
		}
	}
	return nil
}

func count(changes []Change, which func(Change) bool) (n int) {
	for _, c := range changes {
		if which(c) {
			n++
		}
	}
	return n
}

// reliable: everything delivered took place exactly so, and nothing is left out up to the last
// event delivered.
func reliable(history []Change, w Watch) error {
	if len(w.Events) == 0 {
		return nil
	}
	last := w.Events[len(w.Events)-1].New.Revision
	first := max(w.After, w.Events[0].New.Revision-1) // what is missing before is checked by resumable
	for _, c := range history {
		if c.New.Revision <= first || c.New.Revision > last {
			continue
		}
		if !slices.ContainsFunc(w.Events, func(e Change) bool { return e.New.Revision == c.New.Revision && e.New.UID == c.New.UID }) {
			return fmt.Errorf("revision %d is missing", c.New.Revision)
		}
	}
	for _, e := range w.Events {
		i := slices.IndexFunc(history, func(c Change) bool { return e.New.Revision == c.New.Revision && e.New.UID == c.New.UID })
		if i < 0 {
			return fmt.Errorf("revision %d did not take place", e.New.Revision)
		}
		if diff := cmp.Diff(history[i], e); diff != "" {
			return fmt.Errorf("revision %d is not as it took place (-want +got):\n%s", e.New.Revision, diff)
		}
	}
	return nil
}

// resumable: a watch continues exactly after the revision that it is asked to continue from.
func resumable(history []Change, w Watch) error {
	for _, e := range w.Events {
		if e.New.Revision <= w.After {
			return fmt.Errorf("revision %d comes in a watch from %d", e.New.Revision, w.After)
		}
	}
	next := slices.IndexFunc(history, func(c Change) bool { return c.New.Revision > w.After })
	if next >= 0 && len(w.Events) > 0 && w.Events[0].New.Revision > history[next].New.Revision {
		return fmt.Errorf("the watch from %d begins with revision %d, and %d is missing", w.After, w.Events[0].New.Revision, history[next].New.Revision)
	}
	return nil
}

// bookmarkable: a bookmark comes after all events up to its revision, before all others, and never
// goes back.
func bookmarkable(history []Change, w Watch) error {
	last := w.After
	for _, b := range w.Bookmarks {
		if b.Revision < last {
			return fmt.Errorf("a bookmark goes back from %d to %d", last, b.Revision)
		}
		last = b.Revision
		due := count(history, func(c Change) bool { return c.New.Revision > w.After && c.New.Revision <= b.Revision })
		if b.Events < due {
			return fmt.Errorf("the bookmark of %d comes behind %d events, want %d", b.Revision, b.Events, due)
		}
		for _, e := range w.Events[b.Events:] {
			if e.New.Revision <= b.Revision {
				return fmt.Errorf("revision %d comes behind the bookmark of %d", e.New.Revision, b.Revision)
			}
		}
	}
	return nil
}
