package visit_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/visit"
)

// screen is what a client sees.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// begin runs a session with an input in the background, until the test's end.
func (w *world) begin(ctx context.Context, start visit.Start) (keys io.Writer, seen *screen) {
	in, keys := io.Pipe()
	seen = &screen{}
	start.Stdin = true
	go func() {
		defer in.Close() //nolint:errcheck // it cannot fail
		_ = w.Run(ctx, "box", start, visit.Streams{Stdin: in, Stdout: seen, Stderr: io.Discard})
	}()
	return keys, seen
}

// TestRun_ACommandIsOneVisit: the visit writes the memory once and leaves nothing else.
func TestRun_ACommandIsOneVisit(t *testing.T) {
	t.Parallel()
	w := newWorld()
	if err := w.Run(t.Context(), "box", sh("echo one; true"), visit.Streams{Stdout: io.Discard}); err != nil {
		t.Fatal(err)
	}
	if w.visited() != 1 || w.writes != 1 || w.begun != 0 {
		t.Errorf("%d visits, %d writes, %d sessions noted", w.visited(), w.writes, w.begun)
	}
}

// TestRun_IdleSessionsCostNothing: no visit and no query while nothing happens; and typing in one
// session does not affect others.
func TestRun_IdleSessionsCostNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld()
		const sessions = 20
		var keys io.Writer
		var seen *screen
		for range sessions {
			keys, seen = w.begin(ctx, sh("cat"))
			synctest.Wait()
		}
		before := w.visited()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if w.visited() != before {
			t.Errorf("%d visits in a day", w.visited()-before)
		}
		_, _ = io.WriteString(keys, "word\n")
		synctest.Wait()
		if w.visited() != before+1 || seen.String() != "word\n" {
			t.Errorf("%d visits for one line, and the client sees %q", w.visited()-before, seen.String())
		}
		cancel()
		synctest.Wait()
		if w.noted() != 0 {
			t.Errorf("%d sessions are still noted", w.noted())
		}
	})
}

// TestRun_IsToldOfOthers: output that another session causes is shown at once, by one more visit,
// although time is paused.
func TestRun_IsToldOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := newWorld()
		_, seen := w.begin(ctx, sh("trap 'echo word; exit' USR1; echo $$ >/tmp/pid; sleep 1000 & wait"))
		_, idle := w.begin(ctx, sh("cat"))
		synctest.Wait()
		before := w.visited()
		if err := w.Run(ctx, "box", sh("kill -USR1 $(cat /tmp/pid)"), visit.Streams{Stdout: io.Discard}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if seen.String() != "word\n" || idle.String() != "" || w.visited() != before+2 {
			t.Errorf("one sees %q, the other %q, after %d visits", seen.String(), idle.String(), w.visited()-before)
		}
		cancel()
		synctest.Wait()
	})
}

// occupy keeps a visit to the Pod under way until release is called, which returns when the visit
// is over.
func (w *world) occupy(ctx context.Context) (release func()) {
	begun, finish, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		_, _ = w.Do(ctx, "box", func(*visit.Visitor) error {
			close(begun)
			<-finish
			return nil
		})
	}()
	<-begun
	return func() {
		close(finish)
		<-over
	}
}

// TestDo_BringsTogether: inputs that arrive during a visit share the next one.
func TestDo_BringsTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		release := w.occupy(t.Context())
		var all sync.WaitGroup
		outputs := make([]screen, 16)
		for i := range outputs {
			all.Go(func() {
				if err := w.Run(t.Context(), "box", sh(fmt.Sprintf("echo %d", i)), visit.Streams{Stdout: &outputs[i]}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		release()
		all.Wait()
		for i := range outputs {
			if want := fmt.Sprintf("%d\n", i); outputs[i].String() != want {
				t.Errorf("command %d has written %q", i, outputs[i].String())
			}
		}
		if w.visited() != 2 {
			t.Errorf("%d visits, want one for the first and one for all others", w.visited())
		}
	})
}

// TestDo_BeginsTogether: sessions that begin in the same visit, and last, do not make room for each
// other.
func TestDo_BeginsTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld()
		release := w.occupy(ctx)
		keys, seen := make([]io.Writer, 4), make([]*screen, 4)
		for i := range keys {
			keys[i], seen[i] = w.begin(ctx, sh("cat"))
		}
		synctest.Wait()
		release()
		synctest.Wait()
		for i := range keys {
			go func() { _, _ = fmt.Fprintf(keys[i], "word %d\n", i) }()
		}
		synctest.Wait()
		for i := range seen {
			if want := fmt.Sprintf("word %d\n", i); seen[i].String() != want {
				t.Errorf("session %d of %d sees %q", i, len(w.sessions), seen[i].String())
			}
		}
		cancel()
		synctest.Wait()
	})
}

// TestDo_FailsAlone: an input that fails does not affect those in the same visit.
func TestDo_FailsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		release := w.occupy(t.Context())
		var all sync.WaitGroup
		var missing, good error
		all.Go(func() {
			missing = w.Run(t.Context(), "box", visit.Start{Container: "box", Command: []string{"nosuch"}}, visit.Streams{})
		})
		all.Go(func() { good = w.Run(t.Context(), "box", sh("true"), visit.Streams{}) })
		canceled, cancel := context.WithCancel(t.Context())
		var left error
		all.Go(func() { left = w.Run(canceled, "box", sh("echo never >/tmp/f"), visit.Streams{}) })
		synctest.Wait()
		cancel()
		synctest.Wait()
		release()
		all.Wait()
		if missing == nil || good != nil || left == nil || w.visited() != 2 {
			t.Errorf("%v, %v and %v in %d visits", missing, good, left, w.visited())
		}
		if err := w.Run(t.Context(), "box", sh("test ! -e /tmp/f"), visit.Streams{}); err != nil {
			t.Errorf("a command whose client had gone before: %v", err)
		}
	})
}

// TestWatch_EndsTheSessionsOfTheDead: it ends no others; a terminal's processes get SIGHUP.
func TestWatch_EndsTheSessionsOfTheDead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := newWorld()
		w.joins(2)
		w.present = []int32{1, 2}
		dead := sh("while :; do sleep 1234; done")
		dead.TTY = true
		lost, lose := context.WithCancel(ctx)
		defer lose()
		w.begin(lost, dead)
		synctest.Wait()
		w.joins(1)
		_, seen := w.begin(ctx, sh("cat /dev/null; echo here; cat"))
		synctest.Wait()
		go func() { _ = w.Watch(ctx, slog.New(slog.DiscardHandler)) }()
		time.Sleep(10 * time.Second)
		if w.noted() != 2 {
			t.Errorf("%d sessions while both are there", w.noted())
		}
		w.mu.Lock()
		w.present = []int32{1}
		w.mu.Unlock()
		time.Sleep(5 * time.Second)
		var left screen
		if err := w.Run(ctx, "box", sh("ps"), visit.Streams{Stdout: &left}); err != nil || strings.Contains(left.String(), "1234") {
			t.Errorf("the processes of the one that has died: %v, %s", err, left.String())
		}
		if w.noted() != 1 || seen.String() != "here\n" {
			t.Errorf("%d sessions are left, and the other one sees %q", w.noted(), seen.String())
		}
		cancel()
		synctest.Wait()
	})
}

// TestRun_ABusyLoopTakesTurns: commands that compute use up their Pod's share, and then continue
// one at a time, with a rest after each turn; other clients are answered in between.
func TestRun_ABusyLoopTakesTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := newWorld()
		var turns atomic.Int64
		w.Gate.Rest = func(_ time.Duration, open func()) {
			turns.Add(1)
			time.AfterFunc(time.Minute, open)
		}
		w.begin(ctx, sh("while :; do :; done"))
		synctest.Wait()
		before := w.visited()
		time.Sleep(3*time.Minute + time.Second)
		synctest.Wait()
		if took := w.visited() - before; took != 3 || turns.Load() != 4 {
			t.Errorf("%d visits and %d turns in three rests", took, turns.Load())
		}
		keys, seen := w.begin(ctx, sh("cat"))
		synctest.Wait()
		_, _ = io.WriteString(keys, "word\n")
		synctest.Wait()
		if seen.String() != "word\n" {
			t.Errorf("the other client sees %q", seen.String())
		}
		cancel()
		synctest.Wait()
	})
}

// TestTell: it returns which sessions belong to another process.
func TestTell(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld()
		w.begin(ctx, sh("cat"))
		synctest.Wait()
		id := w.joined(t)[0]
		if others := w.Tell("box", []int{id, id + 1}); len(others) != 1 || others[0] != id+1 {
			t.Errorf("others are %v", others)
		}
		if others := w.Tell(types.UID("other"), []int{id}); len(others) != 1 {
			t.Errorf("in another Pod: %v", others)
		}
		cancel()
		synctest.Wait()
	})
}
