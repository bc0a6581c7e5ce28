package podlog_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/podlog"
)

// slack is how much a run may exceed its steps: it ends between two steps of a program, and one may
// count as many.
const slack = 100

// pause is the rest after each turn in these tests, where running a machine takes no time.
const pause = 200 * time.Millisecond

// burning is the source of a log that is a day behind, and never catches up.
func burning(t *testing.T) (*world, *podlog.Source, *object.Version) {
	t.Helper()
	w := newWorld(t)
	w.start(noon, "run-1", "say a; again")
	w.now = noon.Add(24 * time.Hour)
	return w, w.source(), version(t, 1, "run-1")
}

// TestReadIsBounded: a read of a program that never rests runs it for a bounded number of steps,
// and the next read continues from there after a pause.
func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, source, v := burning(t)
		l := source.Log("c", "run-1")
		written := 0
		for n := range 3 {
			page := read(t, l, v)
			if page.Steps < podlog.ReadSteps || page.Steps > podlog.ReadSteps+podlog.TurnSteps || page.Again < time.Second || page.Ended {
				t.Errorf("read %d ran %d steps, again in %v, ended %v", n, page.Steps, page.Again, page.Ended)
			}
			if all := page.Dropped + len(page.Lines); all <= written {
				t.Errorf("read %d has %d lines after %d", n, all, written)
			} else {
				written = all
			}
		}
	})
}

// TestReadersTakeTurns: many readers of programs that never rest together run one turn, and then
// none while the gate is shut.
func TestReadersTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, source, v := burning(t)
		shut := 0
		source.SetRest(func(time.Duration, func()) { shut++ })
		ctx, cancel := context.WithCancel(t.Context())
		const readers = 20
		pages := make([]podlog.Page, readers)
		var all sync.WaitGroup
		for i := range readers {
			all.Go(func() { pages[i], _ = source.Log("c", "run-1").Read(ctx, v) })
		}
		synctest.Wait()
		cancel()
		all.Wait()
		steps := int64(0)
		for _, page := range pages {
			if steps += page.Steps; page.Again < time.Second || len(page.Lines) == 0 {
				t.Errorf("a reader has %d lines, and is to read again in %v", len(page.Lines), page.Again)
			}
		}
		if most := int64(readers*(podlog.FreeSteps+slack) + podlog.TurnSteps + slack); steps > most || shut != 1 {
			t.Errorf("%d readers ran %d steps in %d turns, want %d at most", readers, steps, shut, most)
		}
	})
}

// TestFollowersShareTheGate: followers that read again as soon as they may run no more than the
// gate lets through, each its share, and a reader that needs a single turn gets it in between.
func TestFollowersShareTheGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, source, v := burning(t)
		other, ordinary := newWorld(t), version(t, 1, "run-1")
		other.start(w.now.Add(-4000*time.Second), "run-1", "say a; rest 1; again")
		ordinary.UID = "q"
		source.Memory = func(_ context.Context, pod types.UID) ([]byte, error) {
			if pod == ordinary.UID {
				return other.memory, nil
			}
			return w.memory, nil
		}
		var turns atomic.Int64
		source.SetRest(func(_ time.Duration, open func()) {
			turns.Add(1)
			time.AfterFunc(pause, open)
		})
		const followers, span = 5, 6 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), span)
		defer cancel()
		var mu sync.Mutex
		var total, reads int64
		var all sync.WaitGroup
		for range followers {
			all.Go(func() {
				ran, l := int64(0), source.Log("c", "run-1")
				for ctx.Err() == nil {
					page, err := l.Read(ctx, v)
					if err != nil {
						t.Error(err)
					}
					ran += page.Steps
					mu.Lock()
					reads++
					total += page.Steps
					mu.Unlock()
					time.Sleep(page.Again)
				}
				if ran < 3*podlog.TurnSteps {
					t.Errorf("a follower ran %d steps", ran)
				}
			})
		}
		time.Sleep(span / 4)
		before := turns.Load()
		page := read(t, source.Log("c", "run-1"), ordinary)
		if page.Dropped+len(page.Lines) < 3990 || page.Steps <= podlog.FreeSteps || turns.Load()-before > 3 {
			t.Errorf("an ordinary log has %d lines after %d steps and %d turns", page.Dropped+len(page.Lines), page.Steps, turns.Load()-before)
		}
		all.Wait()
		if most := reads*(podlog.FreeSteps+slack) + turns.Load()*(podlog.TurnSteps+slack); total > most || turns.Load() > int64(span/pause)+1 {
			t.Errorf("%d followers ran %d steps in %d reads and %d turns, want %d at most", followers, total, reads, turns.Load(), most)
		}
	})
}

// TestReaderGoes: a reader whose request is cancelled while it waits gives up its place, and one
// that is running leaves the gate to the next.
func TestReaderGoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, source, v := burning(t)
		var opens []func()
		source.SetRest(func(_ time.Duration, open func()) { opens = append(opens, open) })
		type result struct {
			cancel context.CancelFunc
			page   chan podlog.Page
		}
		var readers []result
		for range 4 {
			ctx, cancel := context.WithCancel(t.Context())
			r := result{cancel, make(chan podlog.Page, 1)}
			readers = append(readers, r)
			go func() {
				page, _ := source.Log("c", "run-1").Read(ctx, v)
				r.page <- page
			}()
			synctest.Wait() // they arrive one after the other
		}
		readers[0].cancel() // it has had its turn
		readers[1].cancel()
		for i, want := range []int64{podlog.FreeSteps + podlog.TurnSteps, podlog.FreeSteps} {
			if page := <-readers[i].page; page.Steps < want || page.Steps > want+2*slack {
				t.Errorf("cancelled reader %d ran %d steps, want %d", i, page.Steps, want)
			}
		}
		opens[0]()
		synctest.Wait()
		if len(opens) != 2 {
			t.Fatalf("%d turns, after those before had gone", len(opens))
		}
		readers[2].cancel()
		readers[3].cancel()
		if third, fourth := <-readers[2].page, <-readers[3].page; third.Steps <= podlog.FreeSteps+slack || fourth.Steps > podlog.FreeSteps+slack {
			t.Errorf("the third ran %d steps, the fourth %d", third.Steps, fourth.Steps)
		}
	})
}
