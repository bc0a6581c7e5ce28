package history

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rowlock/rowlock/internal/object"
)

// Listed is the result of one list of a resource for one client.
type Listed struct {
	Resource  string
	Namespace string // "" for all
	Revision  object.Revision
	Floor     object.Revision       // the newest write acknowledged before the list was requested
	Items     map[object.Key]uint64 // digests (see Digest)
}

// Lists checks that each list was the exact state at its revision, and includes all writes that had
// been acknowledged before.
func Lists(h History, all []Listed) []Violation {
	all = slices.SortedFunc(slices.Values(all), func(a, b Listed) int { return cmp.Compare(a.Revision, b.Revision) })
	listed := map[string]bool{}
	for i := range all {
		listed[all[i].Resource] = true
	}
	var found []Violation
	there := map[object.Key]uint64{}
	next := 0
	for _, l := range all {
		for ; next < len(h) && h[next].Revision <= l.Revision; next++ {
			switch e := h[next]; {
			case e.Verb == object.Deleted:
				delete(there, e.Key)
			case listed[e.Key.Resource]:
				there[e.Key] = Digest(e.Object)
			}
		}
		found = append(found, l.judge(there)...)
	}
	return found
}

func (l Listed) judge(there map[object.Key]uint64) (found []Violation) {
	wrong := func(key object.Key, format string, args ...any) {
		found = append(found, Violation{l.Revision, key, "a list " + fmt.Sprintf(format, args...)})
	}
	if l.Revision < l.Floor {
		wrong(object.Key{Resource: l.Resource, Namespace: l.Namespace}, "is older than revision %d, which was acknowledged before", l.Floor)
	}
	for key, digest := range there {
		if key.Resource != l.Resource || l.Namespace != "" && key.Namespace != l.Namespace {
			continue
		}
		if shown, ok := l.Items[key]; !ok {
			wrong(key, "left it out")
		} else if shown != digest {
			wrong(key, "shows it as it was not")
		}
	}
	for key := range l.Items {
		if _, ok := there[key]; !ok {
			wrong(key, "shows it, and it was not there")
		}
	}
	slices.SortFunc(found, func(a, b Violation) int { return cmp.Compare(a.String(), b.String()) })
	return found
}
