package engine

import (
	"context"
	"time"
)

// longestRest bounds the pause after a turn that took long because the machine is slow.
const longestRest = 2 * time.Second

// rest pauses after a turn that had claims, so that the turns take no more than the controller's
// part of a core. Nothing rests while the clock is being advanced, because the advance waits for
// all remaining work.
func (w *Worker) rest(ctx context.Context, claims int, took time.Duration) {
	if w.controller.Core == 0 || claims == 0 || w.Driver.Advancing() {
		return
	}
	w.Driver.Idle()
	defer w.Driver.Busy()
	t := time.NewTimer(min(time.Duration(float64(took)*(1/w.controller.Core-1)), longestRest))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			return
		case <-w.signal: // the next turn, which follows, finds the work
			w.Driver.Idle()
			if w.Driver.Advancing() {
				return
			}
		}
	}
}
