package control

import (
	"context"
	"net/http"
	"time"

	"github.com/rowlock/rowlock/api/v1"
)

// clockPause is the shortest interval, in real time, at which a watch sends the clock: an advance
// changes it thousands of times a second.
const clockPause = 200 * time.Millisecond

func (s *Server) readClock(ctx context.Context, in *readClock) (writer, error) {
	if !in.Watch {
		c, err := s.answer(ctx, in.Waiting, in.Showing, s.Clock.Read)
		return func(w http.ResponseWriter) { writeJSON(w, c) }, err
	}
	first, changed, err := s.clockNow(ctx, in.Due)
	return func(w http.ResponseWriter) { s.watchClock(ctx, s.stream(w), in.Due, first, changed) }, clockFailure(err)
}

// clockNow returns the clock and a channel that is closed after the next change.
func (s *Server) clockNow(ctx context.Context, shown int) (c v1.Clock, changed <-chan struct{}, err error) {
	changed = s.Clock.Changed() // before reading, so that no change is missed
	state, err := s.Clock.Read(ctx)
	if err == nil {
		c, err = s.show(ctx, state, shown)
	}
	return c, changed, err
}

// watchClock sends the clock whenever it changes, until the client disconnects or the clock cannot
// be read; the client then reconnects.
func (s *Server) watchClock(ctx context.Context, out changeStream, shown int, c v1.Clock, changed <-chan struct{}) {
	for {
		if out.send(append(marshal(c), '\n')) != nil {
			return
		}
		if !out.awaitChange(ctx, changed) {
			return
		}
		var err error
		if c, changed, err = s.clockNow(ctx, shown); err != nil {
			return
		}
	}
}

// awaitChange waits until the clock changes and the pause is over. It returns false if ctx ends
// first or the client disconnects.
func (o changeStream) awaitChange(ctx context.Context, changed <-chan struct{}) bool {
	pause := time.NewTimer(clockPause)
	defer pause.Stop()
	silent := time.NewTicker(o.heartbeat)
	defer silent.Stop()
	for waiting := true; waiting; {
		select {
		case <-changed:
			waiting = false
		case <-silent.C:
			if o.send([]byte{'\n'}) != nil {
				return false
			}
		case <-ctx.Done():
			return false
		}
	}
	select {
	case <-pause.C:
		return true
	case <-ctx.Done():
		return false
	}
}
