package apitest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Fake is store and mirror in one: a log in memory. It keeps their promises and nothing more:
// gapless revisions, preconditions, namespaces, immutable snapshots, compaction.
type Fake struct {
	now func() time.Time

	mu        sync.Mutex
	log       []kube.Event // revision i+1 is log[i]
	objects   map[object.Key]*object.Version
	compacted object.Revision
	grown     chan struct{} // closed and replaced when the log grows

	// BeforeWrite, if set, runs before a write takes effect, for example to let another client
	// write first.
	BeforeWrite func(store.Change)
	// Behind is what Get returns until Fresh is called, as from a mirror that lags.
	Behind map[object.Key]*object.Version
	// ExpiredBefore is the first revision at which lists can be continued.
	ExpiredBefore object.Revision
	// Unavailable makes every wait for the database fail.
	Unavailable bool
}

func newFake(now func() time.Time) *Fake {
	return &Fake{now: now, objects: map[object.Key]*object.Version{}, grown: make(chan struct{})}
}

// Write implements kube.Writer.
func (f *Fake) Write(ctx context.Context, c store.Change) (*object.Version, error) {
	if hook := f.BeforeWrite; hook != nil {
		hook(c)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.check(c); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Key(), err)
	}
	v := &object.Version{
		Type: c.Type, Namespace: c.Key().Namespace, Name: c.Key().Name, Verb: c.Verb, At: object.MomentOf(f.now()),
		Revision: object.Revision(len(f.log) + 1),
	}
	if c.New == nil {
		v.UID = c.Old.UID
		v.SetBody(c.Old.Body())
	} else {
		body, err := object.Encode(c.Type, c.New)
		if err != nil {
			return nil, err
		}
		v.UID = c.New.GetUID()
		v.SetBody(body)
	}
	f.log = append(f.log, kube.Event{New: v, Old: f.objects[v.Key()]})
	f.objects[v.Key()] = v
	if c.Verb == object.Deleted {
		delete(f.objects, v.Key())
	}
	close(f.grown)
	f.grown = make(chan struct{})
	return v, ctx.Err()
}

// check checks a change's preconditions.
func (f *Fake) check(c store.Change) error {
	head := f.objects[c.Key()]
	if c.Verb != object.Created {
		switch {
		case head == nil, head.UID != c.Old.UID:
			return store.ErrGone
		case head.Revision != c.Old.Revision:
			return &store.ConflictError{Key: c.Key(), Current: head.Revision}
		}
		return nil
	}
	if c.Type.Namespaced {
		ns := f.objects[object.Key{Resource: "namespaces", Name: c.Key().Namespace}]
		if ns == nil {
			return store.ErrNamespaceNotFound
		}
		if ns.Object().(*corev1.Namespace).Status.Phase == corev1.NamespaceTerminating {
			return store.ErrNamespaceTerminating
		}
	}
	if head != nil {
		return store.ErrExists
	}
	return nil
}

// Fresh implements kube.Reader. It clears Behind.
func (f *Fake) Fresh(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Unavailable {
		return kube.ErrUnavailable
	}
	f.Behind = nil
	return nil
}

// WaitFor implements kube.Reader. It waits only briefly.
func (f *Fake) WaitFor(ctx context.Context, rev object.Revision) error {
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	for {
		f.mu.Lock()
		reached, grown := object.Revision(len(f.log)) >= rev, f.grown
		f.Behind = nil
		f.mu.Unlock()
		if reached {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return kube.ErrTooLarge
		}
	}
}

// Expired implements kube.Reader.
func (f *Fake) Expired(rev object.Revision) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return rev < f.ExpiredBefore
}

// Get implements kube.Reader.
func (f *Fake) Get(key object.Key) *object.Version {
	f.mu.Lock()
	defer f.mu.Unlock()
	if v := f.Behind[key]; v != nil {
		return v
	}
	return f.objects[key]
}

// List implements kube.Reader.
func (f *Fake) List(resource, namespace string) kube.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snapshotLocked(f.objects, resource, namespace, object.Revision(len(f.log)))
}

// Each implements kind.Cluster.
func (f *Fake) Each(resource, namespace string, each func(*object.Version) bool) {
	f.List(resource, namespace).Ascend(object.Key{}, each)
}

// At implements kube.Reader.
func (f *Fake) At(_ context.Context, resource, namespace string, rev object.Revision) (kube.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if rev < f.compacted {
		return nil, store.ErrCompacted
	}
	if rev > object.Revision(len(f.log)) {
		return nil, store.ErrFuture
	}
	then := map[object.Key]*object.Version{}
	for _, e := range f.log[:rev] {
		then[e.New.Key()] = e.New
		if e.New.Verb == object.Deleted {
			delete(then, e.New.Key())
		}
	}
	return f.snapshotLocked(then, resource, namespace, rev), nil
}

func (f *Fake) snapshotLocked(objects map[object.Key]*object.Version, resource, namespace string, rev object.Revision) kube.Snapshot {
	s := &fakeSnapshot{rev: rev}
	for k, v := range objects {
		if k.Resource == resource && (namespace == "" || k.Namespace == namespace) {
			s.versions = append(s.versions, v)
		}
	}
	slices.SortFunc(s.versions, func(a, b *object.Version) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return s
}

// Watch implements kube.Reader.
func (f *Fake) Watch(resource, namespace string, from object.Revision) (kube.Watch, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from < f.compacted {
		return nil, store.ErrCompacted
	}
	return &fakeWatch{f: f, resource: resource, namespace: namespace, at: from}, nil
}

// Compact deletes everything up to the revision.
func (f *Fake) Compact(rev object.Revision) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.compacted = rev
}

// Revision returns the newest revision.
func (f *Fake) Revision() object.Revision {
	f.mu.Lock()
	defer f.mu.Unlock()
	return object.Revision(len(f.log))
}

type fakeSnapshot struct {
	rev      object.Revision
	versions []*object.Version
}

func (s *fakeSnapshot) Revision() object.Revision { return s.rev }
func (s *fakeSnapshot) Len() int                  { return len(s.versions) }

func (s *fakeSnapshot) Ascend(from object.Key, each func(*object.Version) bool) {
	i := sort.Search(len(s.versions), func(i int) bool {
		v := s.versions[i]
		return v.Namespace > from.Namespace || v.Namespace == from.Namespace && v.Name >= from.Name
	})
	for _, v := range s.versions[i:] {
		if !each(v) {
			return
		}
	}
}

type fakeWatch struct {
	f                   *Fake
	resource, namespace string
	at                  object.Revision
}

// Next implements kube.Watch.
func (w *fakeWatch) Next(ctx context.Context) (kube.Event, error) {
	for {
		e, found, grown, err := w.poll(true)
		if found || err != nil {
			return e, err
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return kube.Event{}, ctx.Err()
		}
	}
}

// poll returns the next event; with take, it moves on to the one after.
func (w *fakeWatch) poll(take bool) (kube.Event, bool, chan struct{}, error) {
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	if w.at < w.f.compacted {
		return kube.Event{}, false, nil, store.ErrCompacted
	}
	for i := int(w.at); i < len(w.f.log); i++ {
		e := w.f.log[i]
		if e.New.Type.Resource() == w.resource && (w.namespace == "" || e.New.Namespace == w.namespace) {
			if take {
				w.at = e.New.Revision
			}
			return e, true, nil, nil
		}
		w.at = e.New.Revision
	}
	return kube.Event{}, false, w.f.grown, nil
}

// Pending implements kube.Watch.
func (w *fakeWatch) Pending() bool {
	_, found, _, err := w.poll(false)
	return found || err != nil
}

// Revision implements kube.Watch.
func (w *fakeWatch) Revision() object.Revision { return w.at }

// Close implements kube.Watch.
func (w *fakeWatch) Close() {}
