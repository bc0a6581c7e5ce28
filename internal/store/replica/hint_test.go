package replica_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/replica"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// listener is one end of the channel of hints.
type listener struct {
	*replica.Hints
	mu       sync.Mutex
	received []replica.Hint
}

func newListener(t *testing.T, f storetest.Fixture) *listener {
	t.Helper()
	l := &listener{Hints: replica.NewHints(f.Pool, slog.New(slog.DiscardHandler))}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = l.Run(ctx, func(h replica.Hint) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.received = append(l.received, h)
		})
	}()
	t.Cleanup(func() { stop(); <-done })
	storetest.Eventually(t, "the hints are listened for", func() bool { return len(l.hints()) > 0 })
	return l
}

// newPair makes two listeners that know of each other.
func newPair(t *testing.T, f storetest.Fixture) (one, other *listener) {
	t.Helper()
	one, other = newListener(t, f), newListener(t, f)
	storetest.Eventually(t, "the first knows of the second", func() bool { return len(one.hints()) > 1 })
	return one, other
}

func (l *listener) hints() []replica.Hint {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.received)
}

// woken returns which controllers others have woken so far, each once.
func (l *listener) woken() []string {
	var out []string
	for _, h := range l.hints() {
		out = append(out, h.Woken...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestS10_HintsAreCoalesced: a thousand commits cause a few notifications, which name every
// controller that was woken. A process gets no hints of its own.
func TestS10_HintsAreCoalesced(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	sender, receiver := newPair(t, f)
	var want []string
	for i := range 1000 {
		name := fmt.Sprintf("controller-%02d", i%20)
		sender.Send([]string{name})
		want = append(want, name)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	storetest.Eventually(t, "all were woken", func() bool { return slices.Equal(receiver.woken(), want) })
	if n := len(receiver.hints()); n > 100 {
		t.Errorf("1000 commits were hinted at in %d notifications", n)
	}
	if w := sender.woken(); len(w) > 0 {
		t.Errorf("the sender received its own hints: %v", w)
	}
}

// TestS10_AloneThereAreNone: a process that knows of no other sends nothing, until another joins.
func TestS10_AloneThereAreNone(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	sender := newListener(t, f)
	eavesdropper, err := f.Pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw := eavesdropper.Hijack()
	defer raw.Close(context.Background()) //nolint:errcheck // the database goes
	if _, err := raw.Exec(t.Context(), "LISTEN rowlock"); err != nil {
		t.Fatal(err)
	}
	mustBeAlone(t, sender)
	sender.Send([]string{"alone"})
	receiver := newListener(t, f)
	for { // what was sent before another joined would come before the other's own
		n, err := raw.WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(n.Payload, "alone") {
			t.Errorf("without a receiver it sent %s", n.Payload)
		}
		if strings.Contains(n.Payload, "joined") {
			break
		}
	}
	storetest.Eventually(t, "the sender has noticed", func() bool { return len(sender.hints()) > 1 })
	sender.Send([]string{"together"})
	storetest.Eventually(t, "hints come", func() bool { return slices.Equal(receiver.woken(), []string{"together"}) })
}

// mustBeAlone reads who is present, by which a process learns that it is alone.
func mustBeAlone(t *testing.T, l *listener) {
	t.Helper()
	if present, err := l.Presences(t.Context()); err != nil || len(present) != 1 {
		t.Fatalf("present are %v, %v", present, err)
	}
}

// TestS10_JoiningMissesNothing: another process joins one that is alone, which writes at the same
// moment and then no more. The other learns of that write by a hint, or by one that makes it look
// for itself after the write.
func TestS10_JoiningMissesNothing(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	sender := newListener(t, f)
	var written atomic.Int64
	for round := range int64(50) {
		storetest.Eventually(t, "the sender is alone", func() bool {
			present, err := sender.Presences(t.Context())
			return err == nil && len(present) == 1
		})
		var known atomic.Int64 // the last write that the other one knows of
		other := replica.NewHints(f.Pool, slog.New(slog.DiscardHandler))
		present, leave := context.WithCancel(t.Context())
		var joined sync.WaitGroup
		joined.Go(func() {
			_ = other.Run(present, func(h replica.Hint) {
				if h.From == "" || len(h.Woken) > 0 {
					known.Store(written.Load()) // as it would read it in the log
				}
				if written.CompareAndSwap(round, round+1) {
					sender.Send([]string{"written"})
				}
			})
		})
		storetest.Eventually(t, "it knows of the write", func() bool { return known.Load() == round+1 })
		leave()
		joined.Wait()
	}
}

// TestS10_ALostConnectionIsToldOf: hints sent meanwhile are lost, so the listener gets an empty
// hint and polls.
func TestS10_ALostConnectionIsToldOf(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	l := newListener(t, f)
	n := f.Number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity " +
		"WHERE datname = current_database() AND pid IN " +
		"(SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ShareLock')")
	if n != 1 {
		t.Fatalf("ended %d sessions, want 1", n)
	}
	storetest.Eventually(t, "the listener is told to look for itself", func() bool {
		hints := l.hints()
		return len(hints) == 2 && hints[1].From == ""
	})
	newListener(t, f).Send([]string{"a"})
	storetest.Eventually(t, "hints come again", func() bool { return slices.Equal(l.woken(), []string{"a"}) })
}

// TestS10_SessionsAreToldOf: sessions are announced by name or, if a hint cannot hold them, all at
// once.
func TestS10_SessionsAreToldOf(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	sender, receiver := newPair(t, f)
	sender.SendAudible("pod", []int{1, 2})
	storetest.Eventually(t, "two sessions are told of", func() bool {
		for _, h := range receiver.hints() {
			if len(h.Audible) == 1 && h.Audible[0].Pod == "pod" && slices.Equal(h.Audible[0].Sessions, []int{1, 2}) {
				return true
			}
		}
		return false
	})
	for range 2000 {
		sender.SendAudible(types.UID("01890000-0000-7000-8000-000000000000"), []int{1})
	}
	storetest.Eventually(t, "all are", func() bool {
		return slices.ContainsFunc(receiver.hints(), func(h replica.Hint) bool { return h.Deafened && len(h.Audible) == 0 })
	})
}
