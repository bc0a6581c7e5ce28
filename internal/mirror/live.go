package mirror

import (
	"sort"

	"github.com/rowlock/rowlock/internal/object"
)

// EachLive calls f with the objects of a resource in a namespace that are not being deleted, in
// name order, until f returns false. It skips the objects that are being deleted without visiting
// them.
func (v View) EachLive(resource, namespace string, f func(*object.Version) bool) {
	t := v.m.tables[resource]
	if t == nil {
		return
	}
	terminating := newTree()
	if c := v.m.contents[namespace]; c != nil && c.resources[resource] != nil {
		terminating = c.resources[resource].terminating
	}
	first, end := rangeOf(t.objects, namespace)
	v.eachBut(t.objects, terminating, first, end, f)
}

// EachInBut calls f with the objects that an index has under a value and another index does not, in
// order, until f returns false. The other index must hold a subset of the first. Objects in both
// are skipped without visiting them.
func (v View) EachInBut(index, but Index, value string, f func(*object.Version) bool) {
	all := v.tree(index, value)
	if all == nil {
		return
	}
	some := v.tree(but, value)
	if some == nil {
		some = newIndexTree(nil)
	}
	v.eachBut(all, some, 0, all.Len(), f)
}

// eachBut calls f with the objects of a tree, between two positions, that are not in another tree.
// The other tree holds a subset, from the first of those objects on.
func (v View) eachBut(all, some *tree, first, end int, f func(*object.Version) bool) {
	skipped := 0
	for i := first; ; i++ {
		// Both have the same order. So if they have the same object at a distance, all objects up
		// to it are in both.
		run := sort.Search(min(end-i, some.Len()-skipped), func(k int) bool {
			one, _ := all.GetAt(i + k)
			other, _ := some.GetAt(skipped + k)
			return one != other
		})
		i, skipped = i+run, skipped+run
		if i >= end {
			return
		}
		o, _ := all.GetAt(i)
		if v.visit(1); !f(o) {
			return
		}
	}
}
