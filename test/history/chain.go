package history

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Chain checks the log itself:
//
//   - Revisions start at 1 and have no gaps.
//   - Times do not decrease, and every cause is older than its effect.
//   - An object begins with its creation. Under one uid it keeps its key, nothing follows its
//     tombstone, and no two objects have one key at the same time.
func Chain(h History) []Violation {
	var found []Violation
	live, names, gone := map[types.UID]object.Key{}, map[object.Key]types.UID{}, map[types.UID]bool{}
	for i, e := range h {
		wrong := func(format string, args ...any) {
			found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf(format, args...)})
		}
		if want := object.Revision(i + 1); e.Revision != want {
			wrong("stands where revision %d belongs", want)
		}
		if i > 0 && e.At.Before(h[i-1].At) {
			wrong("was committed at %v, before the revision that it follows", e.At)
		}
		if e.Cause >= e.Revision {
			wrong("was caused by revision %d, which came later", e.Cause)
		}
		key, known := live[e.UID]
		switch {
		case gone[e.UID]:
			wrong("%s after its tombstone", e.Verb)
		case known && e.Verb == object.Created:
			wrong("created twice under the uid %s", e.UID)
		case !known && e.Verb != object.Created:
			wrong("%s before it was created", e.Verb)
		case known && key != e.Key:
			wrong("its uid belongs to %s", key)
		}
		if other := names[e.Key]; other != "" && other != e.UID {
			wrong("its name belongs to the uid %s", other)
		}
		live[e.UID], names[e.Key] = e.Key, e.UID
		if e.Verb == object.Deleted {
			delete(live, e.UID)
			delete(names, e.Key)
			gone[e.UID] = true
		}
	}
	return found
}

// Write is one write that was acknowledged to a client.
type Write struct {
	Key      object.Key
	UID      types.UID
	Revision object.Revision // the resourceVersion in the answer
}

// Holds checks that acknowledged writes exist: that the revision a client was given belongs to the
// object it wrote.
func Holds(h History, acknowledged []Write) []Violation {
	var found []Violation
	for _, w := range acknowledged {
		i := int(w.Revision) - 1
		if i < 0 || i >= len(h) {
			found = append(found, Violation{w.Revision, w.Key, "was acknowledged and is not in the log"})
			continue
		}
		if e := h[i]; e.UID != w.UID || e.Key != w.Key {
			found = append(found, Violation{w.Revision, w.Key, fmt.Sprintf("was acknowledged, and the log has %s there", e.Key)})
		}
	}
	return found
}
