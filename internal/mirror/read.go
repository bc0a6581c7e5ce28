package mirror

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Revision returns the newest revision that the mirror has applied.
func (m *Mirror) Revision() object.Revision {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.revision
}

// Objects returns the number of all objects.
func (m *Mirror) Objects() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return View{m}.Objects()
}

// Get returns the current version of an object, or nil.
func (m *Mirror) Get(key object.Key) *object.Version {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return View{m}.Get(key)
}

// View is the mirror at one revision, valid until the function that Read passed it to returns.
type View struct{ m *Mirror }

// Read calls f with the mirror held at one revision. f must be quick and must not call the Mirror
// itself; it may keep the versions that it takes from the view.
func (m *Mirror) Read(f func(View)) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.config.Longest != nil {
		defer m.measure(m.config.Visits.Load())
	}
	f(View{m})
}

// measure records in Longest how many versions have been visited since a Read began.
func (m *Mirror) measure(began int64) {
	if visited := m.config.Visits.Load() - began; visited > m.config.Longest.Load() {
		m.config.Longest.Store(visited)
	}
}

// visit counts versions that the view returns.
func (v View) visit(n int) {
	if visits := v.m.config.Visits; visits != nil {
		visits.Add(int64(n))
	}
}

// Revision returns the view's revision.
func (v View) Revision() object.Revision { return v.m.revision }

// Get returns an object by its key, or nil.
func (v View) Get(key object.Key) *object.Version {
	t := v.m.tables[key.Resource]
	if t == nil {
		return nil
	}
	found, ok := t.objects.Get(&object.Version{Namespace: key.Namespace, Name: key.Name})
	if ok {
		v.visit(1)
	}
	return found
}

// UID returns an object by its uid, or nil.
func (v View) UID(uid types.UID) *object.Version {
	found := v.m.byUID[uid]
	if found != nil {
		v.visit(1)
	}
	return found
}

// Find returns the objects that an index has under a value, by resource, namespace and name.
func (v View) Find(index Index, value string) []*object.Version {
	if t := v.tree(index, value); t != nil {
		v.visit(t.Len())
		return t.Items()
	}
	return nil
}

// tree returns the objects that an index has under a value, nil for none.
func (v View) tree(index Index, value string) *tree {
	for _, x := range v.m.indexes {
		if x.Name == index.Name {
			return x.under(value)
		}
	}
	return nil
}

// EachIn calls f with the objects that an index has under a value, in the order of Find, and
// returns how many there are. With a nil f it only counts, at the same cost however many there are.
func (v View) EachIn(index Index, value string, f func(*object.Version)) int {
	t := v.tree(index, value)
	if t == nil {
		return 0
	}
	if f != nil {
		v.visit(t.Len())
		t.Scan(func(o *object.Version) bool { f(o); return true })
	}
	return t.Len()
}

// First returns the first n objects that an index has under a value.
func (v View) First(index Index, value string, n int) []*object.Version {
	t := v.tree(index, value)
	if t == nil || n <= 0 {
		return nil
	}
	first := make([]*object.Version, 0, min(n, t.Len()))
	t.Scan(func(o *object.Version) bool {
		first = append(first, o)
		return len(first) < n
	})
	v.visit(len(first))
	return first
}

// Values returns the values under which an index has objects, sorted.
func (v View) Values(index Index) []string {
	for _, x := range v.m.indexes {
		if x.Name == index.Name {
			values := slices.AppendSeq(slices.Collect(maps.Keys(x.trees)), maps.Keys(x.single))
			slices.Sort(values)
			return values
		}
	}
	return nil
}

// Each calls f with the objects of a resource, by namespace and name, until f returns false;
// namespace "" means all.
func (v View) Each(resource, namespace string, f func(*object.Version) bool) {
	if t := v.m.tables[resource]; t != nil {
		ascend(t.objects, namespace, object.Key{}, func(o *object.Version) bool { v.visit(1); return f(o) })
	}
}

// Resources returns the names of the resources that have ever had an object, sorted.
func (v View) Resources() []string {
	return slices.Sorted(maps.Keys(v.m.tables))
}

// Snapshot is the objects of one resource at one revision. It never changes and is safe to share.
type Snapshot struct {
	objects   *tree
	namespace string
	revision  object.Revision
}

// List returns the objects of a resource, namespace "" meaning all. It costs the same however many
// there are.
func (m *Mirror) List(resource, namespace string) *Snapshot {
	m.mu.Lock() // copying a tree marks the tree
	defer m.mu.Unlock()
	s := &Snapshot{objects: m.tableLocked(resource).objects.Copy(), namespace: namespace, revision: m.revision}
	m.pages.keep(resource, s.objects, s.revision)
	return s
}

// At returns the objects of a resource as they were at a revision: from the snapshots recently
// handed out or read, which serve the following pages of a list, or from the log. Errors:
// store.ErrCompacted, store.ErrFuture.
func (m *Mirror) At(ctx context.Context, resource, namespace string, revision object.Revision) (*Snapshot, error) {
	if s := m.pages.find(resource, revision); s != nil {
		return &Snapshot{objects: s, namespace: namespace, revision: revision}, nil
	}
	objects, err := m.readPast(ctx, scope{resource, namespace, revision})
	if err != nil {
		return nil, err
	}
	return &Snapshot{objects: objects, namespace: namespace, revision: revision}, nil
}

// Revision returns the revision at which the snapshot was taken.
func (s *Snapshot) Revision() object.Revision { return s.revision }

// Len returns the number of objects. Counting one namespace takes time in proportion to its
// objects.
func (s *Snapshot) Len() int {
	if s.namespace == "" {
		return s.objects.Len()
	}
	n := 0
	s.Ascend(object.Key{}, func(*object.Version) bool { n++; return true })
	return n
}

// Ascend calls f with the objects from a key on, by namespace and name, until f returns false. The
// key need not exist; the zero key is the beginning.
func (s *Snapshot) Ascend(from object.Key, f func(*object.Version) bool) {
	ascend(s.objects, s.namespace, from, f)
}

func ascend(t *tree, namespace string, from object.Key, f func(*object.Version) bool) {
	pivot := &object.Version{Namespace: max(from.Namespace, namespace), Name: from.Name}
	if namespace != "" && from.Namespace != namespace {
		pivot.Name = ""
	}
	t.Ascend(pivot, func(v *object.Version) bool {
		if namespace != "" && v.Namespace != namespace {
			return false
		}
		return f(v)
	})
}

// Objects returns the number of all objects. It visits none.
func (v View) Objects() int { return len(v.m.byUID) }
