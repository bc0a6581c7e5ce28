package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// setBack sets the database back to before its newest change, which was an update of v's object.
func setBack(t *testing.T, url string, v *object.Version) {
	t.Helper()
	pool := openPool(t, url)
	for _, statement := range []string{
		"DELETE FROM log WHERE revision = (SELECT value FROM revision)",
		"UPDATE revision SET value = value - 1",
		"UPDATE objects o SET revision = (SELECT max(l.revision) FROM log l WHERE l.uid = o.uid) WHERE uid = '" + string(v.UID) + "'",
	} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// TestS12_OwnCommitsOfAnotherHistory: the database was set back by one update, and the process's
// own next update assigns the same revision to the same object before the mirror has checked. Reads
// show the new history, and watches of the old one end.
func TestS12_OwnCommitsOfAnotherHistory(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	r := newReplica(t, url, true, mirror.Config{Poll: time.Hour})
	makeNamespace(t, r)
	first := create(t, r, "a")
	lost := update(t, r, first, "lost")
	if err := r.Fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := r.List("configmaps", "") // it is kept for the following pages
	w, err := r.Watch("configmaps", "", lost.Revision)
	if err != nil {
		t.Fatal(err)
	}
	setBack(t, url, first)
	r.Interrupted() // as the first new connection does
	again := update(t, r, first, "again")
	later := update(t, r, again, "later")
	if again.Revision != lost.Revision {
		t.Fatalf("the new history goes on at %d, want %d", again.Revision, lost.Revision)
	}
	if err := r.WaitFor(t.Context(), later.Revision); err != nil && !errors.Is(err, mirror.ErrUnavailable) {
		t.Fatal(err)
	}
	eventually(t, "the mirror is ready", func() bool { return r.Ready() == nil })
	if got := r.Get(first.Key()); got == nil || got.Revision != later.Revision {
		t.Errorf("got %+v, want revision %d", got, later.Revision)
	}
	if e, err := w.Next(t.Context()); !errors.Is(err, store.ErrCompacted) {
		t.Errorf("the watch of the old history gives %+v, %v", e.New, err)
	}
	if got := w.Revision(); got > lost.Revision {
		t.Errorf("the watch of the old history claims to be at %d, and ended at %d", got, lost.Revision)
	}
	page, err := r.Mirror.At(t.Context(), "configmaps", "", list.Revision())
	if err != nil {
		t.Fatal(err)
	}
	page.Ascend(object.Key{}, func(v *object.Version) bool {
		if string(v.Body()) != string(again.Body()) {
			t.Errorf("the list's next page shows %s, want %s", v.Body(), again.Body())
		}
		return true
	})
}

// TestS12_WhatCameEarlyMayBeLost: the process has committed a change before its mirror knew the one
// in between, and the database is set back to before both. What the mirror had applied still
// exists, but the early version belongs to no history.
func TestS12_WhatCameEarlyMayBeLost(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	writer := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, writer)
	first := create(t, writer, "a")
	m := follow(t, writer.Store, mirror.Config{Poll: time.Hour})
	between := update(t, writer, first, "between")
	m.Committed([]*object.Version{update(t, writer, between, "early")})
	setBack(t, url, first)
	setBack(t, url, first)
	again := update(t, writer, first, "again")
	m.Interrupted()
	if err := m.WaitFor(t.Context(), again.Revision); err != nil {
		t.Fatal(err)
	}
	if got := m.Get(first.Key()); got == nil || string(got.Body()) != string(again.Body()) {
		t.Errorf("the mirror holds revision %d, want %d: %s", m.Revision(), again.Revision, again.Body())
	}
}

// TestS12_ACounterBehindIsNoticedWithoutAReconnect: any read of the log notices it.
func TestS12_ACounterBehindIsNoticedWithoutAReconnect(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	r := newReplica(t, url, true, mirror.Config{Poll: 10 * time.Millisecond})
	makeNamespace(t, r)
	first := create(t, r, "a")
	update(t, r, first, "lost")
	setBack(t, url, first)
	eventually(t, "the mirror holds what the database holds", func() bool {
		got := r.Get(first.Key())
		return r.Ready() == nil && got != nil && got.Revision == first.Revision
	})
}

// TestWatcher_Revision_IsNoPromiseAfterAReload: a watcher that is idle while the mirror is reloaded
// must not claim, in a bookmark, that it has delivered changes that it never saw.
func TestWatcher_Revision_IsNoPromiseAfterAReload(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	writer := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, writer)
	v := create(t, writer, "a")
	gate := &gatedLog{Log: writer.Store}
	reader := follow(t, gate, mirror.Config{Poll: 5 * time.Millisecond})
	w, err := reader.Watch("configmaps", "", v.Revision)
	if err != nil {
		t.Fatal(err)
	}
	gate.set(func(context.Context) error { return errors.New("out of reach") })
	last := v
	for i := range 5 {
		last = update(t, writer, last, fmt.Sprint(i))
	}
	if _, err := writer.Compact(t.Context(), last.Revision-1); err != nil {
		t.Fatal(err)
	}
	gate.set(nil)
	eventually(t, "the mirror is loaded again", func() bool { return reader.Revision() == last.Revision })
	if got := w.Revision(); got != v.Revision {
		t.Errorf("the watcher claims to be at %d, and was told of nothing after %d", got, v.Revision)
	}
	if _, err := w.Next(t.Context()); !errors.Is(err, store.ErrCompacted) {
		t.Errorf("got %v, want %v", err, store.ErrCompacted)
	}
}

// gatedLog is a log whose answers pass through the gate.
type gatedLog struct {
	mirror.Log
	mu   sync.Mutex
	gate func(context.Context) error
}

func (l *gatedLog) set(gate func(context.Context) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gate = gate
}

func (l *gatedLog) After(ctx context.Context, after object.Revision, limit int) ([]*object.Version, error) {
	l.mu.Lock()
	gate := l.gate
	l.mu.Unlock()
	if gate != nil {
		if err := gate(ctx); err != nil {
			return nil, err
		}
	}
	return l.Log.After(ctx, after, limit)
}

// follow runs a mirror over a log, and waits until it is loaded.
func follow(t testing.TB, log mirror.Log, config mirror.Config) *mirror.Mirror {
	t.Helper()
	m := mirror.New(log, config, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = m.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	eventually(t, "the mirror is loaded", func() bool { return m.Ready() == nil })
	return m
}

// TestMirror_Expired: a revision expires some time after the next was committed, by whatever process.
func TestMirror_Expired(t *testing.T) {
	t.Parallel()
	m := follow(t, emptyLog{}, mirror.Config{PageLife: 10 * time.Millisecond, Poll: time.Hour})
	for _, v := range pods(t, 2) {
		m.Committed([]*object.Version{v})
		time.Sleep(time.Millisecond) // more than the precision of a thirtieth
	}
	eventually(t, "the older revision has expired", func() bool { return m.Expired(1) })
	if m.Expired(2) {
		t.Error("the newest revision has expired")
	}
}

// TestMirror_OutOfReach: whether the database refuses or never answers, reads fail and watches end
// after MaxStale; when it answers again, both work again.
func TestMirror_OutOfReach(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		gate func(context.Context) error
	}{
		{"refused", func(context.Context) error { return errors.New("refused") }},
		{"no answer", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			writer := newReplica(t, pgtest.NewURL(t), true, mirror.Config{})
			makeNamespace(t, writer)
			v := create(t, writer, "a")
			gate := &gatedLog{Log: writer.Store}
			m := follow(t, gate, mirror.Config{Poll: 5 * time.Millisecond, MaxStale: 200 * time.Millisecond, MaxWait: 100 * time.Millisecond})
			w, err := m.Watch("configmaps", "", v.Revision)
			if err != nil {
				t.Fatal(err)
			}
			gate.set(test.gate)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := w.Next(ctx); !errors.Is(err, mirror.ErrUnavailable) {
				t.Errorf("the watch ends with %v, want %v", err, mirror.ErrUnavailable)
			}
			if err := m.Fresh(t.Context()); !errors.Is(err, mirror.ErrUnavailable) {
				t.Errorf("a read gets %v, want %v", err, mirror.ErrUnavailable)
			}
			if _, err := m.Watch("configmaps", "", v.Revision); !errors.Is(err, mirror.ErrUnavailable) {
				t.Errorf("a new watch gets %v, want %v", err, mirror.ErrUnavailable)
			}
			patient := make(chan error, 1)
			go func() { patient <- m.AwaitFresh(ctx) }()
			gate.set(nil)
			if err := <-patient; err != nil {
				t.Errorf("who waits for the database gets %v", err)
			}
			eventually(t, "reads work again", func() bool { return m.Fresh(t.Context()) == nil })
		})
	}
}

// slowLog is a log with such large rows, or on such a slow machine, that at most two of them can be
// read in the time allowed.
type slowLog struct {
	mirror.Log
	slow atomic.Bool
}

func (l *slowLog) After(ctx context.Context, after object.Revision, limit int) ([]*object.Version, error) {
	if limit > 2 && l.slow.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return l.Log.After(ctx, after, limit)
}

// TestS16_SlowPages: a mirror that gets whole pages of the log too slowly asks for shorter ones,
// and makes progress.
func TestS16_SlowPages(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	writer := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, writer)
	log := &slowLog{Log: newReplica(t, url, false, mirror.Config{}).Store}
	m := follow(t, log, mirror.Config{Poll: 5 * time.Millisecond, MaxStale: 100 * time.Millisecond})
	log.slow.Store(true)
	var last *object.Version
	for i := range 20 {
		last = create(t, writer, fmt.Sprint("cm-", i))
	}
	eventually(t, "the mirror has followed", func() bool { return m.Revision() == last.Revision })
}

// TestS10_LostHintsAreSurvived: without any hints, the mirror finds everything by itself.
func TestS10_LostHintsAreSurvived(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	writer := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, writer)
	deaf := follow(t, newReplica(t, url, false, mirror.Config{}).Store, mirror.Config{Poll: 20 * time.Millisecond})
	for i := range 20 {
		v := create(t, writer, fmt.Sprint("cm-", i))
		eventually(t, "the mirror finds the change", func() bool { return deaf.Revision() == v.Revision })
	}
}

// TestS13_LoadedWhileWritersRun: mirrors that load page by page while objects are created, changed
// and deleted hold, at the same revision, the same as one that was running all along.
func TestS13_LoadedWhileWritersRun(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	writer := newReplica(t, url, true, mirror.Config{})
	makeNamespace(t, writer)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for w := range 32 {
		wg.Go(func() {
			var old *object.Version
			for n := 0; n < 40 || ctx.Err() == nil; n++ { // more than a page of objects, and then on until ctx ends
				v := create(t, writer, fmt.Sprintf("cm-%d-%d", w, n))
				v = update(t, writer, v, "1")
				if old != nil && n%2 == 0 {
					remove(t, writer, old)
				}
				old = v
			}
		})
	}
	eventually(t, "there is more than a page of objects", func() bool { return writer.List("configmaps", "").Len() > 700 })
	var late []*mirror.Mirror
	for range 3 {
		late = append(late, follow(t, writer.Store, mirror.Config{Poll: 10 * time.Millisecond}))
	}
	stop()
	wg.Wait()
	if t.Failed() {
		return
	}
	if err := writer.Fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := contents(writer.Mirror)
	for _, m := range late {
		if err := m.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, contents(m)); diff != "" {
			t.Errorf("a mirror that was loaded meanwhile holds (-want +got):\n%s", diff)
		}
	}
}

// contents returns the revisions of all ConfigMaps.
func contents(m *mirror.Mirror) map[string]object.Revision {
	out := map[string]object.Revision{}
	m.List("configmaps", "").Ascend(object.Key{}, func(v *object.Version) bool {
		out[v.Name] = v.Revision
		return true
	})
	return out
}

// TestMirror_OwnCommitsOutrunACompaction: the log is compacted past the mirror's position when it
// asked for more, but not past the position that its own commits have brought it to meanwhile.
// Nothing is lost, so no watch ends.
func TestMirror_OwnCommitsOutrunACompaction(t *testing.T) {
	t.Parallel()
	writer := newReplica(t, pgtest.NewURL(t), true, mirror.Config{})
	makeNamespace(t, writer)
	v := create(t, writer, "a")
	gate := &gatedLog{Log: writer.Store}
	m := follow(t, gate, mirror.Config{Poll: time.Hour})
	w, err := m.Watch("configmaps", "", v.Revision)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	gate.set(func(context.Context) error {
		gate.set(nil)
		next := update(t, writer, v, "1")
		m.Committed([]*object.Version{next})
		_, err := writer.Compact(t.Context(), next.Revision)
		close(asked)
		return err
	})
	m.Kick()
	<-asked
	last := create(t, writer, "b")
	m.Kick()
	for _, want := range []object.Revision{v.Revision + 1, last.Revision} {
		e, err := w.Next(t.Context())
		if err != nil || e.New.Revision != want {
			t.Fatalf("got %+v, %v, want revision %d", e.New, err, want)
		}
	}
}
