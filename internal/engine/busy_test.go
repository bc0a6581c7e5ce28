package engine

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestWake_CountsAsWork: an advance waits for a worker from the moment it is woken, however often,
// until it waits again.
func TestWake_CountsAsWork(t *testing.T) {
	t.Parallel()
	c, err := clock.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := &Worker{signal: make(chan struct{}, 1)}
		w.Driver = clock.NewDriver(c, slog.New(slog.DiscardHandler))
		working := func(want int, when string) {
			t.Helper()
			synctest.Wait()
			if got := w.Driver.Working(); got != want {
				t.Errorf("%d workers are working %s, want %d", got, when, want)
			}
		}
		w.Driver.Busy() // as Run does
		began := make(chan struct{})
		go func() {
			w.wait(t.Context(), time.Hour)
			close(began)
			time.Sleep(time.Second) // a turn
			w.wait(t.Context(), time.Hour)
			time.Sleep(time.Second)
			w.wait(t.Context(), time.Second)
		}()
		working(0, "while it waits")
		w.Wake()
		working(1, "as it is woken")
		<-began
		w.Wake()
		w.Wake()
		working(2, "in its turn, as another is to follow")
		time.Sleep(3 * time.Second / 2)
		working(1, "in that one")
		time.Sleep(time.Second)
		working(0, "when it waits again")
	})
}
