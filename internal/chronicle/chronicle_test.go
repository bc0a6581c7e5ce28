package chronicle_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// world is a log, and the mirror that has come to its end.
type world struct {
	chronicle.Past

	mu        sync.Mutex
	newest    object.Revision
	compacted object.Revision
	resets    int
	reads     int // of the log
	advanced  chan struct{}
	down      chan struct{}
}

func newWorld(newest object.Revision) *world {
	return &world{newest: newest, advanced: make(chan struct{}), down: make(chan struct{})}
}

func (w *world) Ready() error { return nil }

func (w *world) Progress() mirror.Progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	return mirror.Progress{Revision: w.newest, Resets: w.resets, Advanced: w.advanced, Down: w.down}
}

func (w *world) Tail(_ context.Context, after object.Revision, limit int) (entries []store.Entry, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads++
	if after < w.compacted {
		return nil, store.ErrCompacted
	}
	for r := after + 1; r <= w.newest && len(entries) < limit; r++ {
		entries = append(entries, store.Entry{Revision: r})
	}
	return entries, nil
}

// change changes the world, and tells those that wait.
func (w *world) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
	close(w.advanced)
	w.advanced = make(chan struct{})
}

func (w *world) readSoFar() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reads
}

func (w *world) grow(n object.Revision) { w.change(func() { w.newest += n }) }

func follow(t *testing.T, c *chronicle.Chronicle, after object.Revision) *chronicle.Follower {
	t.Helper()
	f, err := c.Follow(after)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// expect reads all entries from one revision to another.
func expect(t *testing.T, f *chronicle.Follower, from, to object.Revision) {
	t.Helper()
	for next := from; next <= to; {
		entries, err := f.Next(t.Context())
		if err != nil {
			t.Fatalf("instead of revision %d: %v", next, err)
		}
		for _, e := range entries {
			if e.Revision != next {
				t.Fatalf("got revision %d instead of %d", e.Revision, next)
			}
			next++
		}
	}
}

// expectEnd waits for an entry, and gets an error instead.
func expectEnd(ctx context.Context, t *testing.T, f *chronicle.Follower, want error) {
	t.Helper()
	if entries, err := f.Next(ctx); !errors.Is(err, want) {
		t.Errorf("got %d entries, %v instead of %v", len(entries), err, want)
	}
}

// Followers get every entry, in order; what is new is read once for all of them.
func TestFollow(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	c := chronicle.New(w, w)
	const followers = 20
	var all []*chronicle.Follower
	for range followers {
		f := follow(t, c, 10)
		defer f.Close()
		all = append(all, f)
	}
	w.grow(100)
	for _, f := range all {
		expect(t, f, 11, 110)
	}
	w.grow(1)
	for _, f := range all {
		expect(t, f, 111, 111)
	}
	if n := w.readSoFar(); n > 4 { // one or two for each growth
		t.Errorf("%d followers of 101 entries have read the log %d times", followers, n)
	}
}

// A follower that is behind what is kept catches up from the log.
func TestFollow_CatchesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(3000)
	c := chronicle.New(w, w)
	late, early := follow(t, c, 0), follow(t, c, 3000)
	defer late.Close()
	defer early.Close()
	expect(t, late, 1, 3000)
	w.grow(20_000) // far more than is kept
	expect(t, early, 3001, 23_000)
	expect(t, late, 3001, 23_000)
}

// A follower whose next entries are gone ends, instead of missing them.
func TestFollow_Compacted(t *testing.T) {
	t.Parallel()
	w := newWorld(100)
	f := follow(t, chronicle.New(w, w), 10)
	defer f.Close()
	w.change(func() { w.compacted = 50 })
	expectEnd(t.Context(), t, f, store.ErrCompacted)
}

// What ends a tail ends its followers. Those that come later get a new tail.
func TestFollow_Ends(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end  func(w *world)
		want error
	}{
		"the mirror loads again, perhaps another history": {
			func(w *world) { w.change(func() { w.resets++ }) }, store.ErrCompacted,
		},
		"the mirror has lost the database": {func(w *world) { close(w.down) }, mirror.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(10)
			c := chronicle.New(w, w)
			f := follow(t, c, 10)
			defer f.Close()
			test.end(w)
			expectEnd(t.Context(), t, f, test.want)
			w.change(func() { w.down = make(chan struct{}) })
			again := follow(t, c, 10)
			defer again.Close()
			w.grow(5)
			expect(t, again, 11, 15)
		})
	}
}

// A follower waits until its context ends.
func TestFollow_Waits(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	f := follow(t, chronicle.New(w, w), 10)
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	expectEnd(ctx, t, f, context.Canceled)
}

// Without followers, the log is not read.
func TestClose(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	c := chronicle.New(w, w)
	first, second := follow(t, c, 10), follow(t, c, 10)
	first.Close()
	w.grow(1)
	expect(t, second, 11, 11)
	second.Close()
	before := w.readSoFar()
	w.grow(100)
	if w.readSoFar() != before {
		t.Error("the log is read although nothing follows it")
	}
}

// unready is a mirror that does not follow its database.
type unready struct{ *world }

func (unready) Ready() error { return mirror.ErrUnavailable }

func TestFollow_Unavailable(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	if _, err := chronicle.New(w, unready{w}).Follow(0); !errors.Is(err, mirror.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
