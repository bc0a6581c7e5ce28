package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Between two collections the heap may grow by half of what is alive, and by roomBytes: a small heap is collected seldom, and a
// large one does not double.
const (
	roomPercent = 50
	roomBytes   = 64 << 20
	maxPercent  = 400
)

// A process that allocates less than restBytes a second is at rest: what it has allocated since the
// last time, if that is at least litterBytes, is collected and given back to the system.
const (
	restBytes   = 1 << 20
	litterBytes = 8 << 20
)

// tuneMemory has the garbage collector keep these bounds until ctx ends, unless the environment sets GOGC.
func tuneMemory(ctx context.Context, getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	var p pacer
	debug.SetGCPercent(p.look(0))
	afterCollections(ctx, func() {
		if percent := p.look(readMetric("/gc/heap/live:bytes")); percent != 0 {
			debug.SetGCPercent(percent)
		}
	})
	go func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		var r releaser
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			if r.look(readMetric("/gc/heap/allocs:bytes")) {
				debug.FreeOSMemory()
			}
		}
	}()
}

// collected is what each collection finds to be garbage. An object with a pointer is allocated apart from others.
type collected struct{ _ *byte }

// afterCollections calls f after each garbage collection until ctx ends, never twice at a time. A timer would be too late: in a
// burst the heap outgrows its bound several times within a second.
func afterCollections(ctx context.Context, f func()) {
	runtime.AddCleanup(&collected{}, func(f func()) {
		if ctx.Err() == nil {
			f()
			afterCollections(ctx, f)
		}
	}, f)
}

// readMetric returns a metric of the runtime that is counted in whole numbers.
func readMetric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// gcPercent is the GOGC value for a heap with so many live bytes.
func gcPercent(live uint64) int {
	return int(min(roomPercent+100*roomBytes/max(live, 1), maxPercent))
}

// pacer decides after each collection. The zero value has decided nothing yet.
type pacer struct{ percent int }

// look is the percentage to set for a heap with so many live bytes, 0 for the one that is set.
func (p *pacer) look(live uint64) int {
	percent := gcPercent(live)
	if 8*max(percent-p.percent, p.percent-percent) <= p.percent { // setting it stops the world for a moment
		return 0
	}
	p.percent = percent
	return percent
}

// releaser decides each second. The zero value has decided nothing yet.
type releaser struct{ before, cleaned uint64 } // bytes allocated at the last look, and at the last release

// look says whether to give memory back now, when so many bytes have been allocated since the process began.
func (r *releaser) look(allocated uint64) bool {
	release := allocated-r.before < restBytes && allocated-r.cleaned >= litterBytes
	if r.before = allocated; release {
		r.cleaned = allocated
	}
	return release
}
