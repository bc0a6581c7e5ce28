package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Between two collections the heap may grow by half of the live bytes plus roomBytes: a small heap
// is collected seldom, and a large one does not double.
const (
	roomPercent = 50
	roomBytes   = 128 << 20
	maxPercent  = 400
)

// A process that allocates less than restBytes a second is at rest. If it has allocated at least
// litterBytes since the last release, garbage is collected and returned to the system. That is
// repeated after restSeconds at rest, because the mirror drops its caches within a minute.
const (
	restBytes   = 1 << 20
	litterBytes = 8 << 20
	restSeconds = 75
)

// tuneMemory makes the garbage collector keep these bounds until ctx ends, unless the environment
// sets GOGC.
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
				releaseProgram()
			}
		}
	}()
}

// collected is garbage that each collection finds. An object with a pointer is allocated apart from
// others.
type collected struct{ _ *byte }

// afterCollections calls f after each garbage collection until ctx ends, never concurrently. A
// timer would be too late: in a burst, the heap outgrows its bound several times a second.
func afterCollections(ctx context.Context, f func()) {
	runtime.AddCleanup(&collected{}, func(f func()) {
		if ctx.Err() == nil {
			f()
			afterCollections(ctx, f)
		}
	}, f)
}

// readMetric returns an integer metric of the runtime.
func readMetric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// gcPercent returns the GOGC value for a heap with this many live bytes.
func gcPercent(live uint64) int {
	return int(min(roomPercent+100*roomBytes/max(live, 1), maxPercent))
}

// pacer decides after each collection. The zero value has decided nothing yet.
type pacer struct{ percent int }

// look returns the percentage to set for a heap with this many live bytes, 0 to keep the current
// one.
func (p *pacer) look(live uint64) int {
	percent := gcPercent(live)
	if 8*max(percent-p.percent, p.percent-percent) <= p.percent { // setting it stops the world for a moment
		return 0
	}
	p.percent = percent
	return percent
}

// releaser decides each second. The zero value has decided nothing yet.
type releaser struct {
	before, cleaned uint64 // bytes allocated at the last check, and at the last release after work
	left            int    // seconds at rest until the release is repeated; 0 if it has been
}

// look reports whether to release memory now; allocated is the bytes allocated since the process
// began.
func (r *releaser) look(allocated uint64) bool {
	atRest := allocated-r.before < restBytes
	r.before = allocated
	switch {
	case !atRest:
		return false
	case allocated-r.cleaned >= litterBytes:
		r.cleaned, r.left = allocated, restSeconds
		return true
	case r.left > 0:
		r.left--
		return r.left == 0
	}
	return false
}
