package replica_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
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
	storetest.Eventually(t, "the hints are listened for", func() bool { return len(l.hints()) == 1 })
	return l
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
	sender, receiver := newListener(t, f), newListener(t, f)
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
	if n := len(sender.hints()); n != 1 {
		t.Errorf("the sender was told of %d hints of its own", n-1)
	}
}

// TestS10_ALostConnectionIsToldOf: hints sent meanwhile are lost, so the listener gets an empty
// hint and polls.
func TestS10_ALostConnectionIsToldOf(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	l := newListener(t, f)
	if n := f.Number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"); n != 1 {
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
	sender, receiver := newListener(t, f), newListener(t, f)
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
