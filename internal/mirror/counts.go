package mirror

import "sort"

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
