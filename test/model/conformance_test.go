package model_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/test/model"
)

// TestConformance runs random requests against the storage and against the model, and compares
// every answer. At random moments it opens watches from random revisions and reads on in them; in
// the end it judges what they delivered. All ways of reading get the same test: the log, the mirror
// of the writing process, and that of another process, which only knows the log. The windows are
// small, so that watches switch back and forth between them and the log.
func TestConformance(t *testing.T) {
	t.Parallel()
	small := mirror.Config{WindowBytes: 3000, Poll: 2 * time.Millisecond}
	for _, test := range []struct {
		name    string
		subject func(url string, s *store.Store, own *mirror.Mirror) subject
		// remembers says that the subject may know revisions that have been compacted.
		remembers bool
	}{
		{"log", func(_ string, s *store.Store, _ *mirror.Mirror) subject { return fromLog{s} }, false},
		{"mirror", func(_ string, _ *store.Store, own *mirror.Mirror) subject { return fromMirror{own} }, true},
		{"mirror of another process", func(url string, _ *store.Store, _ *mirror.Mirror) subject {
			_, other := newReplica(t, url, small)
			return fromMirror{other}
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			url := pgtest.NewURL(t)
			s, own := newReplica(t, url, small)
			subject := test.subject(url, s, own)
			var namespaces atomic.Int64
			rapid.Check(t, func(r *rapid.T) {
				m := &machine{store: s, subject: subject, remembers: test.remembers, namespace: fmt.Sprint("ns-", namespaces.Add(1)), versions: map[string]*object.Version{}}
				m.begin(r)
				r.Repeat(map[string]func(*rapid.T){
					"create": m.create, "update": m.replace, "delete": m.replace, "update again": m.replace,
					"list": m.list, "at": m.at, "compact": m.compact, "watch": m.watch, "read on": m.readOn,
				})
				m.end(r)
			})
		})
	}
}

// machine runs the storage and the model side by side, in a namespace of its own.
type machine struct {
	store     *store.Store
	subject   subject
	remembers bool
	namespace string
	state     model.State
	versions  map[string]*object.Version // every version that the store has returned, by uid and revision
	watches   []*watching
}

// watching is an open watch and what it delivered.
type watching struct {
	model.Watch
	watcher
	ended bool
}

// at returns the revision up to which the watch has delivered everything, as far as it has
// reported.
func (w *watching) at() object.Revision {
	if n := len(w.Events); n > 0 {
		return w.Events[n-1].New.Revision
	}
	return w.After
}

// begin makes the namespace, and treats the storage's current state as empty.
func (m *machine) begin(r *rapid.T) {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: m.namespace, UID: newUID()}}
	v, err := m.store.Write(context.Background(), store.Change{Verb: object.Created, Type: typeOf("namespaces"), New: ns})
	if err != nil {
		r.Fatal(err)
	}
	_, compacted, err := m.store.Revision(context.Background())
	if err != nil {
		r.Fatal(err)
	}
	m.state = model.State{Revision: v.Revision, Compacted: compacted}
}

func newUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

func typeOf(resource string) *object.Type { return &builtin.Catalogue().ByResource(resource).Type }

// step takes the model's step and compares the outcomes.
func (m *machine) step(r *rapid.T, request model.Request, err error) model.Response {
	var want model.Response
	m.state, want = model.Step(m.state, request)
	if got := outcome(err); got != want.Outcome {
		r.Fatalf("%+v: got %q (%v), want %q", request, got, err, want.Outcome)
	}
	return want
}

// write makes the change, and compares its outcome.
func (m *machine) write(r *rapid.T, request model.Request, c store.Change) {
	v, err := m.store.Write(context.Background(), c)
	want := m.step(r, request, err)
	var conflict *store.ConflictError
	switch {
	case err == nil:
		if v.Revision != want.Revision {
			r.Fatalf("%+v: got revision %d, want %d", request, v.Revision, want.Revision)
		}
		m.versions[request.UID+v.Revision.ResourceVersion()] = v
	case errors.As(err, &conflict):
		if conflict.Current != want.Revision {
			r.Fatalf("%+v: in conflict with revision %d, want %d", request, conflict.Current, want.Revision)
		}
	}
}

func (m *machine) create(r *rapid.T) {
	request := model.Request{Op: model.Create, UID: string(newUID()), Name: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "name"), Value: rapid.StringMatching(`[a-z]{0,9}`).Draw(r, "value")}
	m.write(r, request, store.Change{Verb: object.Created, Type: typeOf("configmaps"), New: m.configMap(request)})
}

func (m *machine) configMap(request model.Request) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: m.namespace, Name: request.Name, UID: types.UID(request.UID)},
		Data:       map[string]string{"value": request.Value},
	}
}

// replace updates or deletes any object that ever existed, mostly from its newest version and
// sometimes from an older one.
func (m *machine) replace(r *rapid.T) {
	if len(m.state.History) == 0 {
		r.Skip("there was no object yet")
	}
	old := rapid.SampledFrom(m.state.History).Draw(r, "version")
	if newest := m.state.Find(old.New.UID); rapid.IntRange(0, 4).Draw(r, "stale") > 0 {
		old = *newest
	}
	if old.Verb == object.Deleted {
		old.New = *old.Old // the existing version
	}
	request := model.Request{Op: model.Update, UID: old.New.UID, Name: old.New.Name, Revision: old.New.Revision, Value: rapid.StringMatching(`[a-z]{0,9}`).Draw(r, "value")}
	base := m.versions[old.New.UID+old.New.Revision.ResourceVersion()]
	c := store.Change{Verb: object.Updated, Type: base.Type, Old: base, New: m.configMap(request)}
	if rapid.IntRange(0, 2).Draw(r, "delete") == 0 {
		request.Op = model.Delete
		c.Verb, c.New = object.Deleted, nil
	}
	m.write(r, request, c)
}

func (m *machine) list(r *rapid.T) {
	got, revision, err := m.subject.List(context.Background(), m.namespace)
	want := m.step(r, model.Request{Op: model.List}, err)
	if diff := cmp.Diff(want.Objects, allToModel(got)); diff != "" || revision != want.Revision {
		r.Fatalf("the list at %d, want %d (-want +got):\n%s", revision, want.Revision, diff)
	}
}

// revision draws one near those that the machine knows, mostly past ones.
func (m *machine) revision(r *rapid.T) object.Revision {
	first := m.state.Revision
	if len(m.state.History) > 0 {
		first = m.state.History[0].New.Revision - 1
	}
	return object.Revision(rapid.Int64Range(int64(first), int64(m.state.Revision)+1).Draw(r, "revision"))
}

func (m *machine) at(r *rapid.T) {
	request := model.Request{Op: model.At, Revision: m.revision(r)}
	got, err := m.subject.At(context.Background(), m.namespace, request.Revision)
	if m.remembers && err == nil && request.Revision < m.state.Compacted {
		if diff := cmp.Diff(m.state.Objects(request.Revision), allToModel(got)); diff != "" {
			r.Fatalf("remembered of revision %d (-want +got):\n%s", request.Revision, diff)
		}
		return
	}
	want := m.step(r, request, err)
	if diff := cmp.Diff(want.Objects, allToModel(got)); diff != "" {
		r.Fatalf("at revision %d (-want +got):\n%s", request.Revision, diff)
	}
}

// compact compacts after the subject has caught up: a mirror overtaken by compaction loads again,
// which ends all its watches.
func (m *machine) compact(r *rapid.T) {
	m.list(r)
	request := model.Request{Op: model.Compact, Revision: m.revision(r)}
	_, err := m.store.Compact(context.Background(), request.Revision)
	m.step(r, request, err)
}

func (m *machine) watch(r *rapid.T) {
	after := m.revision(r)
	w, err := m.subject.Watch(m.namespace, after)
	if err != nil {
		r.Fatal(err)
	}
	m.watches = append(m.watches, &watching{Watch: model.Watch{After: after}, watcher: w})
}

// readOn reads some events of a watch, and then asks it for its progress.
func (m *machine) readOn(r *rapid.T) {
	if len(m.watches) == 0 {
		r.Skip("there is no watch yet")
	}
	w := rapid.SampledFrom(m.watches).Draw(r, "watch")
	m.read(r, w, rapid.IntRange(0, 5).Draw(r, "events"))
}

// read reads up to this many events, none if there should be none, and asks for a bookmark.
func (m *machine) read(r *rapid.T, w *watching, most int) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	due := slices.DeleteFunc(slices.Clone(m.state.History), func(c model.Change) bool { return c.New.Revision <= w.After })
	for ; most > 0 && !w.ended && len(w.Events) < len(due); most-- {
		e, err := w.Next(ctx)
		switch {
		case err == nil:
			w.Events = append(w.Events, eventToModel(e))
		case errors.Is(err, store.ErrCompacted) && w.at() < m.state.Compacted:
			w.ended = true
		default:
			r.Fatalf("the watch from %d, behind %d events: %v", w.After, len(w.Events), err)
		}
	}
	if !w.ended {
		w.Bookmarks = append(w.Bookmarks, model.Bookmark{Revision: w.Revision(), Events: len(w.Events)})
	}
}

// end reads all watches to their ends, and judges them.
func (m *machine) end(r *rapid.T) {
	for _, w := range m.watches {
		m.read(r, w, len(m.state.History))
		w.Close()
		if err := model.Judge(m.state.History, w.Watch); err != nil {
			r.Errorf("the watch from %d: %v", w.After, err)
		}
	}
}
