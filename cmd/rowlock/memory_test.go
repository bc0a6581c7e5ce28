package main

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGCPercent(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0:        maxPercent,
		20 << 20: maxPercent,
		64 << 20: 250, // 128 MB and a half
		1 << 30:  62,
	} {
		if got := gcPercent(live); got != want {
			t.Errorf("a heap of %d bytes may grow by %d %%, want %d", live, got, want)
		}
	}
}

func TestPacer(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	var p pacer
	for i, step := range []struct {
		live    uint64
		percent int
	}{
		{0, maxPercent},
		{38 * mb, 0}, // 386: about the same
		{128 * mb, 150},
		{132 * mb, 0}, // 146
		{20 * mb, maxPercent},
	} {
		if got := p.look(step.live); got != step.percent {
			t.Errorf("collection %d: %d %%, want %d", i, got, step.percent)
		}
	}
}

// TestReleaser: a burst is followed by one release, and the little that is allocated at rest by one
// now and then.
func TestReleaser(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	var r releaser
	for i, step := range []struct {
		allocated uint64 // in this second
		release   bool
	}{
		{30 * mb, false},
		{0, true},
		{0, false},
		{200 * mb, false},
		{200 * mb, false},
		{mb / 2, true},
		{4 * mb, false}, // not at rest
		{mb / 2, false}, // not worth while
		{4 * mb, false},
		{mb / 2, true},
	} {
		if got := r.look(r.before + step.allocated); got != step.release {
			t.Errorf("second %d: %v, want %v", i, got, step.release)
		}
	}
}

// TestReleaser_OnceMore: what caches drop at rest is released once.
func TestReleaser_OnceMore(t *testing.T) {
	t.Parallel()
	var r releaser
	released := []int{}
	for second := range 400 {
		allocated := r.before
		if second == 0 {
			allocated = 100 << 20
		}
		if r.look(allocated) {
			released = append(released, second)
		}
	}
	if diff := cmp.Diff([]int{1, 1 + restSeconds}, released); diff != "" {
		t.Errorf("released in seconds (-want +got):\n%s", diff)
	}
}

func TestAfterCollections(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	called := make(chan bool, 100)
	afterCollections(ctx, func() { called <- true })
	for range 3 {
		runtime.GC()
		select {
		case <-called:
		case <-time.After(time.Minute):
			t.Fatal("a collection was not told")
		}
	}
	cancel()
}
