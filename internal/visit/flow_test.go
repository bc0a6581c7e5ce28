package visit_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rowlock/rowlock/internal/visit"
)

// gated is a client that accepts output when the test lets it.
type gated struct {
	takes chan struct{}
	bytes int
}

func (g *gated) Write(b []byte) (int, error) {
	<-g.takes
	g.bytes += len(b)
	return len(b), nil
}

// TestRun_ASlowReader: a slow reader slows the command down; the output held for it stays bounded,
// and arrives complete.
func TestRun_ASlowReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, to := newWorld(), &gated{takes: make(chan struct{})}
		w.Gate.Rest = func(_ time.Duration, open func()) { open() }
		done := make(chan error, 1)
		go func() {
			done <- w.Run(t.Context(), "box", sh("yes 'some words of a line' | head -c 1500000"), visit.Streams{Stdout: to})
		}()
		most, visits := 0, 0
		for range 3 {
			synctest.Wait()
			if visits == w.visited() {
				t.Error("the command has not gone on, though its client has taken something")
			}
			most, visits = max(most, w.held()), w.visited()
			time.Sleep(time.Hour)
			if synctest.Wait(); w.visited() != visits {
				t.Errorf("%d visits while the client takes nothing", w.visited()-visits)
			}
			to.takes <- struct{}{}
		}
		close(to.takes)
		if err := <-done; err != nil || to.bytes != 1_500_000 || most > 200_000 {
			t.Errorf("%v, %d bytes arrived, %d were held in the memory", err, to.bytes, most)
		}
	})
}

// TestRun_AFileThatIsWritten: cat ends where the file does, and tail -f continues with the clock.
func TestRun_AFileThatIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld()
		keys, _ := w.begin(ctx, sh("while read l; do echo $l >>/tmp/f; done"))
		synctest.Wait()
		_, _ = io.WriteString(keys, "one\ntwo\n")
		synctest.Wait()
		var seen screen
		if err := w.Run(ctx, "box", sh("cat /tmp/f"), visit.Streams{Stdout: &seen}); err != nil || seen.String() != "one\ntwo\n" {
			t.Errorf("%v, %q", err, seen.String())
		}
		cancel()
		synctest.Wait()
	})
}

// TestRun_TheClock: sleep takes cluster time. A session waits while the clock is paused, however
// long in real time, and continues when the clock is advanced, even past several of its sleeps at
// once.
func TestRun_TheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld()
		w.Until = func(at time.Time) time.Duration {
			w.mu.Lock()
			defer w.mu.Unlock()
			if at.After(w.now) {
				return time.Duration(1<<63 - 1) // the clock is paused
			}
			return 0
		}
		w.Now = func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.now
		}
		_, seen := w.begin(ctx, sh("for i in 1 2 3; do sleep 60; echo $i; done"))
		synctest.Wait()
		before := w.visited()
		time.Sleep(48 * time.Hour)
		synctest.Wait()
		if seen.String() != "" || w.visited() != before {
			t.Errorf("while the clock stands: %q, %d visits", seen.String(), w.visited()-before)
		}
		for _, step := range []struct {
			by   time.Duration
			want string
		}{{30 * time.Second, ""}, {31 * time.Second, "1"}, {time.Hour, "123"}} {
			w.mu.Lock()
			w.now = w.now.Add(step.by)
			w.mu.Unlock()
			w.TellTime()
			time.Sleep(time.Second)
			synctest.Wait()
			if got := strings.ReplaceAll(seen.String(), "\n", ""); got != step.want {
				t.Errorf("%s later the client sees %q, want %q", step.by, got, step.want)
			}
		}
		cancel()
		synctest.Wait()
	})
}
