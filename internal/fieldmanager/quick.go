package fieldmanager

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// maxUpdateManagers is how many entries of updates an object may have; upstream's code merges more.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/fieldmanager.go, DefaultMaxUpdateManagers
const maxUpdateManagers = 10

// route is what is cached about the writes of a type through a subresource.
type route struct {
	plan       *plan // nil if only upstream's code can tell what is owned
	apiVersion string
	zero       reflect.Value // an empty object
}

var (
	routes   sync.Map // managerKey to *route
	compiles sync.Mutex
	common   = compiler{plans: map[compiled]*plan{}} // under compiles
)

func routeOf(t *object.Type, subresource string) *route {
	key := managerKey{t.GroupVersionKind(), subresource}
	if r, ok := routes.Load(key); ok {
		return r.(*route)
	}
	compiles.Lock()
	defer compiles.Unlock()
	zero := reflect.ValueOf(t.New()).Elem()
	r := &route{apiVersion: t.GroupVersion().String(), zero: zero}
	if ownedAlone(t, subresource) == nil {
		r.plan = common.root(zero.Type(), resetPaths(t, subresource))
	}
	routes.Store(key, r)
	return r
}

// scratch is what a quick update needs and leaves for the next.
type scratch struct {
	differ
	own tree
	out []byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// quickly is Updated in the usual cases. In others it changes nothing and returns false.
func quickly(t *object.Type, next, old object.Object, by Writer) bool {
	if t.Custom != nil {
		return createdQuickly(t, next, old, by)
	}
	r := routeOf(t, by.Subresource)
	if r.plan == nil {
		return false
	}
	if by.Subresource == statusAlone {
		by.Subresource = "status"
	}
	entries := governing(next, old, by.Subresource)
	if !r.usual(entries) {
		return false
	}
	if len(entries) == 0 && old.GetUID() != "" {
		next.SetManagedFields(nil) // no owner has been recorded since the object exists
		return true
	}
	older, newer := reflect.ValueOf(old).Elem(), reflect.ValueOf(next).Elem()
	if older.Type() != r.zero.Type() || newer.Type() != older.Type() {
		return false
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.run(r.plan, older, newer)
	if s.failed {
		return false
	}
	after, ok := s.settle(r, entries, by)
	if ok {
		next.SetManagedFields(after)
	}
	return ok
}

// governing returns the entries that a write uses: those in next, unless there are none or they
// come through a subresource; otherwise old's.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/fieldmanager.go, decodeLiveOrNew
func governing(next, old object.Object, subresource string) []metav1.ManagedFieldsEntry {
	sent := next.GetManagedFields()
	switch {
	case subresource != "":
		return old.GetManagedFields()
	case sent != nil && len(sent) == 0 || len(sent) == 1 && reflect.DeepEqual(sent[0], metav1.ManagedFieldsEntry{}):
		return nil
	case len(sent) == 0:
		return old.GetManagedFields()
	}
	return sent
}

// usual reports whether entries are in the form that this package writes, with no two of one
// manager.
func (r *route) usual(entries []metav1.ManagedFieldsEntry) bool {
	if len(entries) > 2*maxUpdateManagers {
		return false
	}
	for i := range entries {
		e := &entries[i]
		if e.Operation != metav1.ManagedFieldsOperationUpdate && e.Operation != metav1.ManagedFieldsOperationApply ||
			e.APIVersion != r.apiVersion || e.FieldsType != "FieldsV1" || e.FieldsV1 == nil {
			return false
		}
		for j := range i {
			if o := &entries[j]; o.Manager == e.Manager && o.Operation == e.Operation && o.Subresource == e.Subresource {
				return false
			}
		}
	}
	return true
}

// settle returns what the change leaves of the entries, with the writer's. It fails if upstream's
// code is needed.
func (s *scratch) settle(r *route, entries []metav1.ManagedFieldsEntry, by Writer) ([]metav1.ManagedFieldsEntry, bool) {
	manager := cmp.Or(by.Manager, "unknown")
	after := make([]metav1.ManagedFieldsEntry, 0, len(entries)+1)
	mine, updates := -1, 0
	for i := range entries {
		e := entries[i]
		isMine := e.Manager == manager && e.Subresource == by.Subresource && e.Operation == metav1.ManagedFieldsOperationUpdate
		if !s.own.readSet(e.FieldsV1.Raw, r.plan) {
			return nil, false
		}
		if isMine && s.claims || touches(&s.own, 0, &s.tree, 0) {
			e.FieldsV1 = s.left(e.FieldsV1, isMine)
		}
		if e.FieldsV1 == nil {
			continue
		}
		if isMine && s.claims {
			mine = len(after)
		}
		if e.Operation == metav1.ManagedFieldsOperationUpdate {
			updates++
		}
		after = append(after, e)
	}
	if s.claims {
		if mine < 0 {
			s.own.reset()
			mine = len(after)
			updates++
			after = append(after, metav1.ManagedFieldsEntry{
				Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: r.apiVersion,
				FieldsType: "FieldsV1", FieldsV1: s.left(nil, true), Subresource: by.Subresource,
			})
		}
		after[mine].Time = sharedTime(by.At.UTC().Truncate(time.Second))
	}
	if updates > maxUpdateManagers {
		return nil, false
	}
	slices.SortFunc(after, compareEntries)
	if len(after) == 0 {
		after = nil
	}
	return after, true
}

// lastTime is the time recorded last. All objects written in one second refer to the same.
var lastTime atomic.Pointer[metav1.Time]

// sharedTime returns a pointer to a time in UTC. What it points to must not be changed.
func sharedTime(at time.Time) *metav1.Time {
	if last := lastTime.Load(); last != nil && last.Time.Equal(at) {
		return last
	}
	t := &metav1.Time{Time: at}
	lastTime.Store(t)
	return t
}

// left returns what the change leaves of the set that was read, whose FieldsV1 was before; nil for
// nothing.
func (s *scratch) left(before *metav1.FieldsV1, mine bool) *metav1.FieldsV1 {
	w := writer{own: &s.own, change: &s.tree, mine: mine}
	s.out = append(w.write(append(s.out[:0], '{'), 0, 0), '}')
	switch {
	case len(s.out) == len("{}"):
		return nil
	case before != nil && bytes.Equal(before.Raw, s.out):
		return before
	}
	return &metav1.FieldsV1{Raw: bytes.Clone(s.out)}
}
