package model_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/test/model"
)

// subject reads the storage, one way or another.
type subject interface {
	List(ctx context.Context, namespace string) ([]*object.Version, object.Revision, error)
	At(ctx context.Context, namespace string, revision object.Revision) ([]*object.Version, error)
	Watch(namespace string, after object.Revision) (watcher, error)
}

// watcher is an open watch. Revision, which asks for a bookmark, may lag.
type watcher interface {
	Next(ctx context.Context) (object.Event, error)
	Revision() object.Revision
	Close()
}

// fromMirror reads as clients do.
type fromMirror struct{ *mirror.Mirror }

func (m fromMirror) List(ctx context.Context, namespace string) ([]*object.Version, object.Revision, error) {
	if err := m.Fresh(ctx); err != nil {
		return nil, 0, err
	}
	s := m.Mirror.List("configmaps", namespace)
	return items(s), s.Revision(), nil
}

func (m fromMirror) At(ctx context.Context, namespace string, revision object.Revision) ([]*object.Version, error) {
	s, err := m.Mirror.At(ctx, "configmaps", namespace, revision)
	if err != nil {
		return nil, err
	}
	return items(s), nil
}

func items(s *mirror.Snapshot) []*object.Version {
	var out []*object.Version
	s.Ascend(object.Key{}, func(v *object.Version) bool { out = append(out, v); return true })
	return out
}

func (m fromMirror) Watch(namespace string, after object.Revision) (watcher, error) {
	return m.Mirror.Watch("configmaps", namespace, after)
}

// fromLog reads what the database holds.
type fromLog struct{ *store.Store }

func (l fromLog) List(ctx context.Context, namespace string) ([]*object.Version, object.Revision, error) {
	newest, _, err := l.Revision(ctx)
	if err != nil {
		return nil, 0, err
	}
	versions, err := l.At(ctx, namespace, newest)
	return versions, newest, err
}

func (l fromLog) At(ctx context.Context, namespace string, revision object.Revision) ([]*object.Version, error) {
	versions, err := l.Store.At(ctx, "configmaps", namespace, revision)
	slices.SortFunc(versions, func(a, b *object.Version) int { return strings.Compare(a.Name, b.Name) })
	return versions, err
}

func (l fromLog) Watch(namespace string, after object.Revision) (watcher, error) {
	return &logWatcher{store: l.Store, namespace: namespace, read: after, delivered: after}, nil
}

// logWatcher reads the log in small pages.
type logWatcher struct {
	store           *store.Store
	namespace       string
	queue           []object.Event
	read, delivered object.Revision
}

func (w *logWatcher) Next(ctx context.Context) (object.Event, error) {
	for len(w.queue) == 0 {
		steps, upTo, err := w.store.Changes(ctx, "configmaps", w.read, 3)
		if err != nil {
			return object.Event{}, err
		}
		for _, s := range steps {
			if s.New.Namespace == w.namespace {
				w.queue = append(w.queue, object.Event(s))
			}
		}
		w.read = upTo
		if len(w.queue) == 0 {
			w.delivered = upTo
		}
		if len(steps) == 0 {
			if err := ctx.Err(); err != nil {
				return object.Event{}, err
			}
			time.Sleep(time.Millisecond)
		}
	}
	e := w.queue[0]
	w.queue = w.queue[1:]
	w.delivered = e.New.Revision
	return e, nil
}

func (w *logWatcher) Revision() object.Revision { return w.delivered }
func (w *logWatcher) Close()                    {}

// newReplica makes a process's storage.
func newReplica(t testing.TB, url string, config mirror.Config) (*store.Store, *mirror.Mirror) {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	var m *mirror.Mirror
	s := store.New(pool, builtin.Catalogue(), controller.NewRouter(), store.Config{}, func(v []*object.Version, _ []string) { m.Committed(v) }, logger)
	m = mirror.New(s, config, logger)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{}, 2)
	for _, run := range []func(context.Context) error{s.Run, m.Run} {
		go func() { _ = run(ctx); done <- struct{}{} }()
	}
	t.Cleanup(func() { stop(); <-done; <-done; pool.Close() })
	for m.Ready() != nil {
		time.Sleep(time.Millisecond)
	}
	return s, m
}

// outcome returns an error as the model's outcome; other errors are the empty outcome.
func outcome(err error) model.Outcome {
	var conflict *store.ConflictError
	switch {
	case err == nil:
		return model.OK
	case errors.Is(err, store.ErrExists):
		return model.Exists
	case errors.Is(err, store.ErrGone):
		return model.Gone
	case errors.As(err, &conflict):
		return model.Conflict
	case errors.Is(err, store.ErrCompacted):
		return model.Compacted
	case errors.Is(err, store.ErrFuture):
		return model.Future
	}
	return ""
}

// toModel converts a version to the model's form.
func toModel(v *object.Version) model.Object {
	cm := v.Object().(*corev1.ConfigMap)
	return model.Object{UID: string(v.UID), Name: v.Name, Value: cm.Data["value"], Revision: v.Revision}
}

func allToModel(versions []*object.Version) []model.Object {
	var out []model.Object
	for _, v := range versions {
		out = append(out, toModel(v))
	}
	return out
}

func eventToModel(e object.Event) model.Change {
	c := model.Change{Verb: e.New.Verb, New: toModel(e.New)}
	if e.Old != nil {
		old := toModel(e.Old)
		c.Old = &old
	}
	return c
}
