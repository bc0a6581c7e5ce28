package mirror

import (
	"sort"

	"github.com/tidwall/btree"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// contents counts the objects of one namespace that are being deleted or have finalizers. Other
// objects, nearly all of a cluster, cost nothing here.
type contents struct {
	resources  map[string]*held
	finalizers btree.Map[string, int] // objects by finalizer, over all resources
	graces     btree.Map[int64, int]  // Pods that are being deleted, by grace period in seconds
}

// held is the part of contents that belongs to one resource.
type held struct {
	terminating *tree // the objects that are being deleted
	finalized   int   // how many objects have finalizers
	finalizers  btree.Map[string, int]
}

// updateContents updates the contents of the event's namespace.
func (m *Mirror) updateContents(e Event) {
	if e.New.Namespace == "" {
		return
	}
	const counted = object.Terminating | object.HasFinalizers
	was := e.Old != nil && e.Old.Is(counted)
	is := e.New.Verb != object.Deleted && e.New.Is(counted)
	if !was && !is {
		return
	}
	c := m.contents[e.New.Namespace]
	if c == nil {
		c = &contents{resources: map[string]*held{}}
		m.contents[e.New.Namespace] = c
	}
	resource := e.New.Type.Resource()
	h := c.resources[resource]
	if h == nil {
		h = &held{terminating: newTree()}
		c.resources[resource] = h
	}
	if was {
		c.count(h, e.Old, -1)
		h.terminating.Delete(e.Old)
	}
	if is {
		c.count(h, e.New, 1)
		if e.New.Is(object.Terminating) {
			h.terminating.Set(e.New)
		}
	}
	if h.terminating.Len() == 0 && h.finalized == 0 {
		delete(c.resources, resource)
	}
	if len(c.resources) == 0 {
		delete(m.contents, e.New.Namespace)
	}
}

// count adds a version to the counts, or subtracts it.
func (c *contents) count(h *held, v *object.Version, by int) {
	if v.Is(object.HasFinalizers) {
		h.finalized += by
		for _, f := range v.Object().GetFinalizers() {
			add(&c.finalizers, f, by)
			add(&h.finalizers, f, by)
		}
	}
	if v.Type.Plural != "pods" || !v.Is(object.Terminating) {
		return
	}
	if pod, ok := v.Object().(*corev1.Pod); ok && pod.Spec.TerminationGracePeriodSeconds != nil {
		add(&c.graces, *pod.Spec.TerminationGracePeriodSeconds, by)
	}
}

func add[K string | int64](counts *btree.Map[K, int], key K, by int) {
	n, _ := counts.Get(key)
	if n += by; n == 0 {
		counts.Delete(key)
		return
	}
	counts.Set(key, n)
}

// Finalizers counts the objects of a namespace that have finalizers, by finalizer in name order,
// and calls f for each until f returns false; resource "" means all. It returns how many different
// finalizers there are.
func (v View) Finalizers(resource, namespace string, f func(finalizer string, objects int) bool) int {
	c := v.m.contents[namespace]
	if c == nil {
		return 0
	}
	of := &c.finalizers
	if resource != "" {
		h := c.resources[resource]
		if h == nil {
			return 0
		}
		of = &h.finalizers
	}
	of.Scan(f)
	return of.Len()
}

// Held counts the objects of a resource in a namespace that are being deleted, and those that have
// finalizers. It visits none.
func (v View) Held(resource, namespace string) (terminating, finalized int) {
	if c := v.m.contents[namespace]; c != nil {
		if h := c.resources[resource]; h != nil {
			return h.terminating.Len(), h.finalized
		}
	}
	return 0, 0
}

// LongestGrace returns the longest grace period, in seconds, of the Pods in a namespace that are
// being deleted. It visits none.
func (v View) LongestGrace(namespace string) int64 {
	c := v.m.contents[namespace]
	if c == nil {
		return 0
	}
	seconds, _, _ := c.graces.Max()
	return seconds
}

// Objects returns the number of all objects. It visits none.
func (v View) Objects() int { return len(v.m.byUID) }

// Count returns the number of objects of a resource in a namespace, "" meaning all. It visits none.
func (v View) Count(resource, namespace string) int {
	t := v.m.tables[resource]
	if t == nil {
		return 0
	}
	if namespace == "" {
		return t.objects.Len()
	}
	first, end := rangeOf(t.objects, namespace)
	return end - first
}

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

// rangeOf returns where the objects of a namespace begin and end in a tree.
func rangeOf(t *tree, namespace string) (first, end int) {
	at := func(i int) string {
		o, _ := t.GetAt(i)
		return o.Namespace
	}
	first = sort.Search(t.Len(), func(i int) bool { return at(i) >= namespace })
	end = first + sort.Search(t.Len()-first, func(i int) bool { return at(first+i) > namespace })
	return first, end
}
