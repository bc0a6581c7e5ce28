package mirror

import (
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// ages knows, within a thirtieth of life, which revisions have been superseded for longer than life.
type ages struct {
	life  time.Duration
	marks []mark // oldest first; the first may be older than life
}

// mark says that there was this revision at a time.
type mark struct {
	at       time.Time
	revision object.Revision
}

// see records the newest revision.
func (a *ages) see(newest object.Revision, now time.Time) {
	if n := len(a.marks); n > 0 && (newest <= a.marks[n-1].revision || now.Sub(a.marks[n-1].at) < a.life/30) {
		return
	}
	a.marks = append(a.marks, mark{now, newest})
	for len(a.marks) > 1 && now.Sub(a.marks[1].at) > a.life {
		a.marks = a.marks[1:]
	}
}

// expired reports whether there was a newer revision longer ago than life.
func (a *ages) expired(r object.Revision, now time.Time) bool {
	for _, m := range a.marks {
		if m.revision > r {
			return now.Sub(m.at) > a.life
		}
	}
	return false
}

// Expired reports whether there has been a newer revision for more than Config.PageLife, as far as
// this process has seen. It never blocks.
func (m *Mirror) Expired(r object.Revision) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.ages.expired(r, time.Now())
}
