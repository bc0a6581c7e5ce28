package api

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/store"

	"github.com/rowlock/rowlock/api/kube"
)

// openWatches holds the watches that this process serves.
type openWatches struct {
	mu   sync.Mutex
	open map[*openWatch]struct{}
}

// openWatch is one open watch.
type openWatch struct {
	about *fault.Request
	ctx   context.Context
	end   context.CancelFunc

	mu    sync.Mutex
	asked map[types.UID]bool // faults that have been applied to the watch
	by    *fault.Rule        // the fault that ended it
}

// serveWatch serves a watch. Faults may delay its header and each write, and end it.
func (f *flaky) serveWatch(w http.ResponseWriter, req *http.Request, about *fault.Request) {
	ctx, end := context.WithCancel(req.Context())
	defer end()
	o := &openWatch{about: about, ctx: ctx, end: end}
	for _, r := range f.faults.Rules() {
		if !(r.API.Status != 0 || r.API.Conflict || r.API.Drop != "") || !r.Concerns(about, time.Now()) || !f.faults.Take(ctx, r) {
			continue
		}
		w.Header().Add(faultHeader, r.Name)
		switch {
		case !pause(ctx, r.Delay):
			return
		case r.API.Drop != "":
			panic(http.ErrAbortHandler)
		}
		writeError(w, req, statusOf(r, about))
		return
	}

	f.watches.mu.Lock()
	f.watches.open[o] = struct{}{}
	f.watches.mu.Unlock()
	defer func() {
		f.watches.mu.Lock()
		delete(f.watches.open, o)
		f.watches.mu.Unlock()
	}()
	for _, r := range f.faults.Rules() { // after the watch is listed, so that no new fault misses it
		f.consider(o, r)
	}
	out := &watchWriter{ResponseWriter: w, flaky: f, watch: o}
	f.next.ServeHTTP(out, req.WithContext(ctx))
	if o.mu.Lock(); o.by != nil {
		defer o.mu.Unlock()
		f.cutOff(out, o.by)
		return
	}
	o.mu.Unlock()
}

// cutOff ends a watch as a fault demands. The handler has returned after a whole frame.
func (f *flaky) cutOff(w *watchWriter, r *fault.Rule) {
	ctl := http.NewResponseController(w.ResponseWriter)
	if !w.begun {
		w.Header().Add(faultHeader, r.Name)
		w.Header().Set("Content-Type", "application/json")
		w.ResponseWriter.WriteHeader(http.StatusOK)
	}
	_ = ctl.SetWriteDeadline(time.Now().Add(time.Minute)) // as in api/kube/watching/stream.go
	if r.API.Watch == fault.Expire {
		status := Status(&kube.Failure{Verb: "watch", Err: store.ErrCompacted})
		frame, err := json.Marshal(map[string]any{"type": "ERROR", "object": status})
		if err == nil {
			_, _ = w.ResponseWriter.Write(append(frame, '\n')) // a client that has disconnected does not need it
		}
		_ = ctl.Flush()
		return
	}
	_ = ctl.Flush()
	panic(http.ErrAbortHandler)
}

// sweep applies a new fault to the open watches.
func (f *flaky) sweep(r *fault.Rule) {
	f.watches.mu.Lock()
	open := make([]*openWatch, 0, len(f.watches.open))
	for o := range f.watches.open {
		open = append(open, o)
	}
	f.watches.mu.Unlock()
	for _, o := range open {
		f.consider(o, r)
	}
}

// consider applies a watch fault once to a watch: at once, or after the fault's delay.
func (f *flaky) consider(o *openWatch, r *fault.Rule) {
	if r.API.Watch == "" || !r.Concerns(o.about, time.Now()) || !o.turn(r.UID) {
		return
	}
	strike := func() {
		if o.ctx.Err() == nil && f.faults.Lives(r.UID) && f.faults.Take(o.ctx, r) {
			o.endBy(r)
		}
	}
	if wait := r.Delay + r.After; wait > 0 {
		timer := time.AfterFunc(wait, strike)
		context.AfterFunc(o.ctx, func() { timer.Stop() })
		return
	}
	strike()
}

// turn reports whether a fault has not been applied to the watch yet, and marks it as applied.
func (o *openWatch) turn(uid types.UID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.asked[uid] {
		return false
	}
	if o.asked == nil {
		o.asked = map[types.UID]bool{}
	}
	o.asked[uid] = true
	return true
}

func (o *openWatch) endBy(r *fault.Rule) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = r
	}
	o.end()
}

// watchWriter delays the writes of a watch.
type watchWriter struct {
	http.ResponseWriter
	flaky *flaky
	watch *openWatch
	begun bool
}

// WriteHeader starts the answer after a delay.
func (w *watchWriter) WriteHeader(code int) {
	w.delay()
	w.begun = true
	w.ResponseWriter.WriteHeader(code)
}

// Write sends data after a delay. The deadline for the client to accept it starts after the delay.
func (w *watchWriter) Write(p []byte) (int, error) {
	w.begun = true
	w.delay()
	return w.ResponseWriter.Write(p)
}

// delay waits for the total of the faults that only delay.
func (w *watchWriter) delay() {
	rules := w.flaky.faults.Rules()
	if len(rules) == 0 {
		return
	}
	waited := false
	for _, r := range rules {
		if r.API.Effect() == "delay" && r.Concerns(w.watch.about, time.Now()) && w.flaky.faults.Take(w.watch.ctx, r) {
			waited = pause(w.watch.ctx, r.Delay) || waited
		}
	}
	if waited {
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(time.Minute)) // as in api/kube/watching/stream.go
	}
}

// Unwrap gives http.ResponseController access to flushing and deadlines.
func (w *watchWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
