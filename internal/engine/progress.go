package engine

import (
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// StalledAfter is how long a controller may have work and not get on with any of it before that is shown as a problem.
const StalledAfter = time.Minute

// progress is when a worker last got on: it committed a turn, or found nothing to do, which it or its Lookout looks for every second. Safe for
// concurrent use.
type progress struct {
	last atomic.Pointer[time.Time] // nil while the worker does not run
	conn atomic.Pointer[pgx.Conn]  // of the turn under way; nil between turns
}

func (p *progress) begin(now time.Time) { p.last.Store(&now) }
func (p *progress) end()                { p.last.Store(nil) }

// made notes progress of a worker that runs.
func (p *progress) made(now time.Time) {
	if p.last.Load() != nil {
		p.begin(now)
	}
}

// hold notes the connection of the turn that begins, nil when it has ended.
func (p *progress) hold(conn *pgx.Conn) { p.conn.Store(conn) }

// Unmoved is for how long the worker has not got on although there is work, about a second at most if all is well. It is zero
// while the worker does not run.
func (w *Worker) Unmoved() time.Duration {
	last := w.progress.last.Load()
	if last == nil {
		return 0
	}
	return w.since(*last)
}

// Drop ends the session of the turn under way: the database rolls it back and frees its locks, and the turn fails when it has
// made its plans. It is for the end of a process that does not wait for that. Safe for concurrent use.
func (w *Worker) Drop() {
	if conn := w.progress.conn.Load(); conn != nil {
		_ = conn.PgConn().Conn().Close() // the turn finds out
	}
}
