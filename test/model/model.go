// Package model defines the correct behaviour of the storage, in a page: a pure function from a
// state and a request to the next state and a response, and the guarantees of a watch. The tests
// run random requests against it and against the store and the mirror, and judge what watches
// delivered by its history.
//
// The model knows objects by uid and name within one namespace, and their contents as one string.
// It never forgets a change: compaction only moves the revision before which it refuses reads.
package model

import (
	"cmp"
	"slices"

	"github.com/rowlock/rowlock/internal/object"
)

// Op is what a request asks for.
type Op string

// The operations. Revision is the base of an Update or Delete, the revision of an At, and the bound
// of a Compact.
const (
	Create  Op = "create"
	Update  Op = "update"
	Delete  Op = "delete"
	List    Op = "list"
	At      Op = "at"
	Compact Op = "compact"
)

// Request is one request to the storage.
type Request struct {
	Op               Op
	UID, Name, Value string
	Revision         object.Revision
}

// Outcome is the outcome of a request.
type Outcome string

// The outcomes, by the store's errors.
const (
	OK        Outcome = "ok"
	Exists    Outcome = "exists"
	Gone      Outcome = "gone"
	Conflict  Outcome = "conflict"
	Compacted Outcome = "compacted"
	Future    Outcome = "future"
)

// Response answers a request. Revision is that of the change, of the conflicting head, or of the
// list; Objects are the list, by name.
type Response struct {
	Outcome  Outcome
	Revision object.Revision
	Objects  []Object
}

// Object is a version of an object.
type Object struct {
	UID, Name, Value string
	Revision         object.Revision
}

// Change is what one revision did to one object. For a removal, New has the object's last contents.
// Old is nil for a creation.
type Change struct {
	Verb object.Verb
	New  Object
	Old  *Object
}

// State is the storage: its revision, its compaction and everything that has happened since its
// initial state, which had no objects. The zero State is an empty storage.
type State struct {
	Revision, Compacted object.Revision
	History             []Change // in order of revision
}

// Step applies a request. It does not change its argument.
func Step(s State, r Request) (State, Response) {
	switch r.Op {
	case Create:
		for _, o := range s.Objects(s.Revision) {
			if o.Name == r.Name {
				return s, Response{Outcome: Exists}
			}
		}
		return s.change(object.Created, Object{UID: r.UID, Name: r.Name, Value: r.Value}, nil)
	case Update, Delete:
		return s.replace(r)
	case List:
		return s, Response{Outcome: OK, Revision: s.Revision, Objects: s.Objects(s.Revision)}
	case At:
		switch {
		case r.Revision < s.Compacted:
			return s, Response{Outcome: Compacted}
		case r.Revision > s.Revision:
			return s, Response{Outcome: Future}
		}
		return s, Response{Outcome: OK, Revision: r.Revision, Objects: s.Objects(r.Revision)}
	case Compact:
		if r.Revision <= s.Revision {
			s.Compacted = max(s.Compacted, r.Revision)
		}
		return s, Response{Outcome: OK}
	}
	panic("model: unknown operation " + string(r.Op))
}

// replace updates or deletes the object with a uid, if it is at the request's revision.
func (s State) replace(r Request) (State, Response) {
	for _, o := range s.Objects(s.Revision) {
		switch {
		case o.UID != r.UID:
		case o.Revision != r.Revision:
			return s, Response{Outcome: Conflict, Revision: o.Revision}
		case r.Op == Delete:
			return s.change(object.Deleted, o, &o)
		default:
			return s.change(object.Updated, Object{UID: o.UID, Name: o.Name, Value: r.Value}, &o)
		}
	}
	return s, Response{Outcome: Gone}
}

func (s State) change(verb object.Verb, o Object, old *Object) (State, Response) {
	s.Revision++
	o.Revision = s.Revision
	s.History = append(slices.Clip(s.History), Change{Verb: verb, New: o, Old: old})
	return s, Response{Outcome: OK, Revision: s.Revision}
}

// Objects returns the objects at a revision, by name; nil if there were none.
func (s State) Objects(at object.Revision) []Object {
	var live []Object
	for _, c := range s.History {
		if c.New.Revision > at {
			break
		}
		live = slices.DeleteFunc(live, func(o Object) bool { return o.UID == c.New.UID })
		if c.Verb != object.Deleted {
			live = append(live, c.New)
		}
	}
	if len(live) == 0 {
		return nil
	}
	slices.SortFunc(live, func(a, b Object) int { return cmp.Compare(a.Name, b.Name) })
	return live
}

// Find returns the newest change of an object, nil if no object ever had that uid.
func (s State) Find(uid string) *Change {
	for i := len(s.History) - 1; i >= 0; i-- {
		if s.History[i].New.UID == uid {
			return &s.History[i]
		}
	}
	return nil
}
