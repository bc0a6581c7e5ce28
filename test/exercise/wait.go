package exercise

import "time"

// longest bounds the wait for what changes, but never becomes right.
const longest = 6 * Patience

// wait is a wait for something that must eventually happen, however slow the machine is: it is over
// when nothing has changed for Patience.
type wait struct {
	now            func() time.Time
	began, changed time.Time
	last           string
}

func newWait() *wait { return newWaitAt(time.Now) }

func newWaitAt(now func() time.Time) *wait {
	return &wait{now: now, began: now(), changed: now()}
}

// over reports whether to give up. state describes what is being waited for.
func (w *wait) over(state string) bool {
	now := w.now()
	if state != w.last {
		w.last, w.changed = state, now
	}
	return now.Sub(w.changed) > Patience || now.Sub(w.began) > longest
}
