package history

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Watched is what watches of one resource delivered to one client, each continuing where the
// previous one ended.
type Watched struct {
	Resource  string
	Namespace string          // "" for all
	From      object.Revision // everything after it must be delivered
	Seen      []Seen
}

// Seen is one event of a watch, or a bookmark, which has no verb.
type Seen struct {
	Revision object.Revision
	Verb     object.Verb
	UID      types.UID
	Digest   uint64 // of the object (see Digest)
}

// Digest is the same for objects with the same content, whatever their resourceVersion.
func Digest(o object.Object) uint64 {
	copied, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		return 0
	}
	copied.SetResourceVersion("")
	copied.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) // clients of one kind omit it
	raw, err := json.Marshal(copied)
	if err != nil {
		return 0
	}
	hash := fnv.New64a()
	_, _ = hash.Write(raw) // never fails
	return hash.Sum64()
}

// Watches checks what watches delivered: in order, each change once, none missing up to the last
// delivered one and before every bookmark, and each with the object as it was then, however often
// and wherever the watch was resumed.
func Watches(h History, all []Watched) []Violation {
	digests := digestsOf(h, all)
	var found []Violation
	for _, w := range all {
		found = append(found, w.judge(h, digests)...)
	}
	return found
}

// digestsOf returns the digests of the versions of the watched resources, by revision. A tombstone
// without a body has the object's last.
func digestsOf(h History, all []Watched) map[object.Revision]uint64 {
	watched := map[string]bool{}
	for _, w := range all {
		watched[w.Resource] = true
	}
	digests, last := map[object.Revision]uint64{}, map[types.UID]uint64{}
	for _, e := range h {
		if !watched[e.Key.Resource] {
			continue
		}
		if e.Object != nil {
			last[e.UID] = Digest(e.Object)
		}
		digests[e.Revision] = last[e.UID]
		if e.Verb == object.Deleted {
			delete(last, e.UID)
		}
	}
	return digests
}

func (w Watched) judge(h History, digests map[object.Revision]uint64) (found []Violation) {
	wrong := func(at object.Revision, key object.Key, format string, args ...any) {
		found = append(found, Violation{at, key, "a watch " + fmt.Sprintf(format, args...)})
	}
	watch := object.Key{Resource: w.Resource, Namespace: w.Namespace}
	next, last := int(w.From), w.From // h[next] is the first entry not processed yet
	for _, s := range w.Seen {
		if s.Revision < last || s.Revision == last && s.Verb != 0 {
			wrong(s.Revision, watch, "tells of it after revision %d", last)
			continue
		}
		last = s.Revision
		for ; next < len(h) && h[next].Revision <= s.Revision; next++ {
			e := h[next]
			if e.Key.Resource != w.Resource || w.Namespace != "" && e.Key.Namespace != w.Namespace {
				if e.Revision == s.Revision && s.Verb != 0 {
					wrong(s.Revision, e.Key, "of %s tells of it", watch)
				}
				continue
			}
			switch {
			case e.Revision < s.Revision || s.Verb == 0:
				wrong(e.Revision, e.Key, "left it out")
			case e.Verb != s.Verb || e.UID != s.UID:
				wrong(e.Revision, e.Key, "tells that %s was %s, and it was %s", s.UID, s.Verb, e.Verb)
			case digests[e.Revision] != s.Digest:
				wrong(e.Revision, e.Key, "shows it as it was not")
			}
		}
		if next < len(h) {
			continue
		}
		if s.Revision > object.Revision(len(h)) {
			wrong(s.Revision, watch, "tells of it, and the log ends before")
		}
	}
	return found
}
