package exercise

import (
	"testing"
	"time"
)

// TestWait: only what stands still is given up after Patience, and nothing lasts for ever.
func TestWait(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	w := newWaitAt(func() time.Time { return now })
	for i, step := range []struct {
		state string
		after time.Duration
		over  bool
	}{
		{"three Pods are missing", Patience, false},
		{"two Pods are missing", Patience, false},
		{"two Pods are missing", Patience, false},
		{"two Pods are missing", time.Second, true},
		{"one Pod is missing", time.Second, false},
		{"none is missing", longest - 3*Patience - 2*time.Second, false},
		{"one is missing again", time.Second, true},
	} {
		now = now.Add(step.after)
		if got := w.over(step.state); got != step.over {
			t.Errorf("step %d, %q: over is %t", i, step.state, got)
		}
	}
}
