package visit

import (
	"context"
	"errors"
	"time"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
)

// busyPause is the pause before the next visit if the Pod was locked for long, the database was
// unreachable, or a token could not be signed. It then doubles each time up to longestPause, and
// the session ends after lostPatience.
const (
	busyPause    = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
	lostPatience = 10 * time.Second
)

// patience is how long a caller repeats visits that fail because the database is unreachable, or
// because a program reads a token that cannot be signed yet. The zero value has all of it left.
type patience struct {
	since time.Time     // real time of the first failure in a row
	pause time.Duration // before the next visit
}

// bears reports whether a visit that ended in an error can be repeated, and counts it: the visit
// has changed nothing, and the cause has not lasted for too long.
func (p *patience) bears(err error) bool {
	if !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, kubelet.ErrUnsigned) {
		return false
	}
	if p.since.IsZero() {
		p.since = time.Now()
	}
	p.pause = min(max(2*p.pause, busyPause), longestPause)
	return time.Since(p.since) < lostPatience
}

// rest waits for the pause, and reports whether ctx has not ended.
func (p *patience) rest(ctx context.Context) bool {
	select {
	case <-ctx.Done():
	case <-time.After(p.pause):
	}
	return ctx.Err() == nil
}
