package mirror

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// NewestOwned returns the newest change after a revision among the existing objects that name an
// owner, 0 if there is none. known is false if the changes are no longer held that far back.
func (v View) NewestOwned(owner types.UID, since object.Revision) (newest object.Revision, known bool) {
	for _, t := range v.m.tables {
		from, ok := t.window.from(since)
		if !ok {
			return 0, false
		}
		for _, e := range t.window.events[from-t.window.first:] {
			if e.New.Revision <= newest || !e.New.Is(object.HasOwners) || v.m.byUID[e.New.UID] != e.New {
				continue
			}
			v.visit(1)
			if slices.ContainsFunc(e.New.Object().GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.UID == owner }) {
				newest = e.New.Revision
			}
		}
	}
	return newest, true
}

// After returns up to n of the objects that an index has under a value, in the index's order, after
// a given object, or from the first if after is nil. That object need not exist any more. It serves
// to read many objects in pieces.
func (v View) After(index Index, value string, after *object.Version, n int) []*object.Version {
	return v.after(v.tree(index, value), after, n, func(*object.Version) bool { return true })
}

// AfterKey is After from a place among objects of one resource, in list order: after the object
// with that namespace and name, whether it exists or not. The zero key is the beginning.
func (v View) AfterKey(index Index, value string, after object.Key, n int) []*object.Version {
	t := v.tree(index, value)
	if t == nil || after == (object.Key{}) {
		return v.After(index, value, nil, n)
	}
	any, _ := t.Min()
	return v.After(index, value, &object.Version{Type: any.Type, Namespace: after.Namespace, Name: after.Name}, n)
}

// News returns the newest revision at which an object came under a value of an index, or changed in
// a way that the index declares as news; 0 if there is no object. A mirror that was loaded since
// reports more as news, never less. A caller that has read the objects in a view at least as new
// has seen everything.
func (v View) News(index Index, value string) object.Revision {
	for _, x := range v.m.indexes {
		if x.Name == index.Name {
			return x.news[value]
		}
	}
	return 0
}

// Changes returns the first n changes of a resource after a revision, and the revision up to which
// there are no others: the view's own if they are fewer. known is false if the mirror no longer
// holds these changes, or has not reached the revision yet.
func (v View) Changes(resource string, since object.Revision, n int) (changes []Event, upTo object.Revision, known bool) {
	if since > v.m.revision {
		return nil, 0, false
	}
	t := v.m.tables[resource]
	if t == nil {
		return nil, v.m.revision, since >= v.m.since
	}
	from, known := t.window.from(since)
	if !known {
		return nil, 0, false
	}
	changes = t.window.events[from-t.window.first:]
	upTo = v.m.revision
	if len(changes) > n {
		changes = changes[:n]
		upTo = changes[n-1].New.Revision
	}
	v.visit(len(changes))
	return slices.Clone(changes), upTo, true
}

// AfterIn returns up to n objects of a resource in a namespace, by name, after a given object, or
// from the first if after is nil.
func (v View) AfterIn(resource, namespace string, after *object.Version, n int) []*object.Version {
	t := v.m.tables[resource]
	if t == nil {
		return nil
	}
	if after == nil {
		after = &object.Version{Namespace: namespace}
	}
	return v.after(t.objects, after, n, func(o *object.Version) bool { return o.Namespace == namespace })
}

func (v View) after(t *tree, after *object.Version, n int, belongs func(*object.Version) bool) (found []*object.Version) {
	if t == nil || n <= 0 {
		return nil
	}
	take := func(o *object.Version) bool {
		if after != nil && !t.Less(after, o) {
			return true // the object itself
		}
		if !belongs(o) {
			return false
		}
		found = append(found, o)
		return len(found) < n
	}
	if after == nil {
		t.Scan(take)
	} else {
		t.Ascend(after, take)
	}
	v.visit(len(found))
	return found
}
