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

// openWatches are the watches that this process serves.
type openWatches struct {
	mu   sync.Mutex
	open map[*openWatch]struct{}
}

// openWatch is one of them.
type openWatch struct {
	about *fault.Request
	ctx   context.Context
	end   context.CancelFunc

	mu    sync.Mutex
	asked map[types.UID]bool // faults of which the watch has had its turn
	by    *fault.Rule        // that ended it
}

// serveWatch serves a watch, which faults delay, from its head on and piece by piece, and end.
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
	for _, r := range f.faults.Rules() { // after the watch is listed, so that no fault and watch miss each other
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

// cutOff ends a watch as a fault says. The handler has ended, with whole frames.
func (f *flaky) cutOff(w *watchWriter, r *fault.Rule) {
	ctl := http.NewResponseController(w.ResponseWriter)
	if !w.begun {
		w.Header().Add(faultHeader, r.Name)
		w.Header().Set("Content-Type", "application/json")
		w.ResponseWriter.WriteHeader(http.StatusOK)
	}
	_ = ctl.SetWriteDeadline(time.Now().Add(time.Minute)) // as in api/kube/stream.go
	if r.API.Watch == fault.Expire {
		status := Status(&kube.Failure{Verb: "watch", Err: store.ErrCompacted})
		frame, err := json.Marshal(map[string]any{"type": "ERROR", "object": status})
		if err == nil {
			_, _ = w.ResponseWriter.Write(append(frame, '\n')) // whoever is gone has ended the watch already
		}
		_ = ctl.Flush()
		return
	}
	_ = ctl.Flush()
	panic(http.ErrAbortHandler)
}

// sweep lets a new fault happen to the watches that are open.
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

// consider gives a watch its one turn of a fault of watches: at once, or when the fault's time has
// passed.
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

// turn says whether the watch has not had its turn of a fault before.
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

// watchWriter delays the pieces of a watch.
type watchWriter struct {
	http.ResponseWriter
	flaky *flaky
	watch *openWatch
	begun bool
}

// WriteHeader begins the answer, after a delay.
func (w *watchWriter) WriteHeader(code int) {
	w.delay()
	w.begun = true
	w.ResponseWriter.WriteHeader(code)
}

// Write sends a piece, after a delay. The deadline within which the client has to take it begins
// then.
func (w *watchWriter) Write(p []byte) (int, error) {
	w.begun = true
	w.delay()
	return w.ResponseWriter.Write(p)
}

// delay waits as long as faults say that do nothing else.
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
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(time.Minute)) // as in api/kube/stream.go
	}
}

// Unwrap lets http.ResponseController reach flushing and deadlines.
func (w *watchWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
