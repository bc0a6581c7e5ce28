package main

import (
	"context"
	"github.com/rowlock/rowlock/test/exercise"
	"math/rand/v2"
	"time"
)

// sabotage kills, stops and restarts processes and PostgreSQL until the time is over, one at a time
// or two at once, and leaves all running. The first replica is never killed, so that one process
// lives through everything.
func sabotage(ctx context.Context, f *fleet, duration time.Duration) {
	draw := rand.New(rand.NewPCG(f.seed, 0))
	pause := func(least, most time.Duration) {
		exercise.Sleep(ctx, least+time.Duration(draw.Int64N(int64(most-least))))
	}
	for end := time.Now().Add(duration); time.Now().Before(end) && ctx.Err() == nil && f.Failed() == nil; {
		pause(time.Second, 6*time.Second)
		r := f.replicas[1+draw.IntN(len(f.replicas)-1)]
		switch what := draw.IntN(12); what {
		case 0, 1, 2, 3: // killed
			r.kill()
			f.survived.kills.Add(1)
			pause(0, 3*time.Second)
			if err := r.start(); err != nil {
				f.fail(err)
			}
		case 4, 5, 6: // stopped for a while, in which the others take over or do not have to
			r = f.replicas[draw.IntN(len(f.replicas))]
			if err := freeze(r.process()); err != nil {
				f.fail(err)
			}
			f.survived.stops.Add(1)
			pause(100*time.Millisecond, 5*time.Second)
			if err := thaw(r.process()); err != nil {
				f.fail(err)
			}
		case 7, 8: // two killed within a moment
			r.kill()
			pause(0, 500*time.Millisecond)
			other := f.replicas[len(f.replicas)-1]
			other.kill()
			f.survived.kills.Add(2)
			for _, r := range f.replicas[1:] {
				if r.process() == nil {
					if err := r.start(); err != nil {
						f.fail(err)
					}
				}
			}
		default: // PostgreSQL crashes or is shut down
			patience := time.Duration(0)
			if what > 10 {
				patience = readyTimeout
				f.survived.restarts.Add(1)
			} else {
				f.survived.crashes.Add(1)
			}
			f.stopDatabase(patience)
			pause(0, 4*time.Second)
			if err := f.startDatabase(context.WithoutCancel(ctx)); err != nil {
				f.fail(err)
			}
		}
	}
}
