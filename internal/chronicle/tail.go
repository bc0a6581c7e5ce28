package chronicle

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	// keptEntries is how many of the last entries a tail keeps at least, and half of how many at
	// most: a megabyte or two.
	keptEntries = 4096
	// tailEntries is how many entries a tail reads at a time.
	tailEntries = 1024
	// tailPause is how long a tail lets new entries accumulate, in real time, so that it reads a
	// busy log in pages.
	tailPause = 10 * time.Millisecond
	// readTimeout bounds one read.
	readTimeout = 5 * time.Second
)

// tail is the end of the log, which a goroutine keeps up to date until it is stopped or fails.
type tail struct {
	log       Source
	mirror    Mirror
	followers int // the Chronicle's mutex guards it
	stop      func()

	mu      sync.Mutex
	since   object.Revision // the entries are all those after it
	entries []store.Entry
	err     error         // why it ended
	changed chan struct{} // closed and replaced when there are new entries, or at the end
}

// newTail makes a tail that begins at the mirror's revision.
func newTail(log Source, m Mirror) *tail {
	ctx, cancel := context.WithCancel(context.Background())
	begin := m.Progress()
	t := &tail{log: log, mirror: m, since: begin.Revision, changed: make(chan struct{})}
	done := make(chan struct{})
	t.stop = func() { cancel(); <-done }
	go func() {
		defer close(done)
		if err := contain.Call(func() error { t.run(ctx, begin.Resets); return nil }); err != nil {
			t.end(err)
		}
	}()
	return t
}

// run reads new entries until ctx ends or something fails.
func (t *tail) run(ctx context.Context, resets int) {
	for {
		p := t.mirror.Progress()
		switch {
		case p.Resets != resets: // the mirror loads again: this may be another history
			t.end(store.ErrCompacted)
			return
		case p.Revision > t.newest():
			reading, cancel := context.WithTimeout(ctx, readTimeout)
			entries, err := t.log.Tail(reading, t.newest(), tailEntries)
			cancel()
			if err != nil {
				t.end(err)
				return
			}
			t.add(entries)
			pause(ctx)
			continue
		}
		select {
		case <-p.Advanced:
		case <-p.Down:
			t.end(mirror.ErrUnavailable)
			return
		case <-ctx.Done():
			t.end(ctx.Err())
			return
		}
	}
}

func pause(ctx context.Context) {
	timer := time.NewTimer(tailPause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (t *tail) newest() object.Revision {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.since + object.Revision(len(t.entries))
}

// add keeps new entries, and drops the oldest.
func (t *tail) add(entries []store.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = append(t.entries, entries...)
	if n := len(t.entries) - keptEntries; n > keptEntries {
		t.entries = slices.Clone(t.entries[n:]) // followers may still read the others
		t.since += object.Revision(n)
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *tail) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = err
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *tail) ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err != nil
}

// after returns up to limit entries after a revision. If there are none yet, wait is closed when
// there may be; if both are empty, the revision is behind what is kept.
func (t *tail) after(revision object.Revision, limit int) (entries []store.Entry, wait <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := int64(revision - t.since)
	switch {
	case t.err != nil:
		return nil, nil, t.err
	case from < 0:
		return nil, nil, nil
	case from >= int64(len(t.entries)):
		return nil, t.changed, nil
	}
	entries = t.entries[from:]
	return entries[:min(len(entries), limit)], nil, nil
}
