package engine

import (
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// StalledAfter is how long a controller may have work without making progress before that is shown
// as a problem.
const StalledAfter = time.Minute

// progress is when a worker last made progress: it committed a turn, or found nothing to do, which
// it or its Lookout checks every second. Safe for concurrent use.
type progress struct {
	last atomic.Pointer[time.Time] // nil while the worker does not run
	conn atomic.Pointer[pgx.Conn]  // of the current turn; nil between turns
}

func (p *progress) begin(now time.Time) { p.last.Store(&now) }
func (p *progress) end()                { p.last.Store(nil) }

// made records progress of a running worker.
func (p *progress) made(now time.Time) {
	if p.last.Load() != nil {
		p.begin(now)
	}
}

// hold records the connection of the turn that begins, nil when it has ended.
func (p *progress) hold(conn *pgx.Conn) { p.conn.Store(conn) }

// Unmoved returns how long the worker has made no progress although there is work: about a second
// at most if all is well. It is zero while the worker does not run.
func (w *Worker) Unmoved() time.Duration {
	last := w.progress.last.Load()
	if last == nil {
		return 0
	}
	return w.since(*last)
}

// Drop ends the session of the current turn: the database rolls it back and frees its locks, and
// the turn fails when it has made its plans. A process that ends without waiting for its turns
// calls it. Safe for concurrent use.
func (w *Worker) Drop() {
	if conn := w.progress.conn.Load(); conn != nil {
		_ = conn.PgConn().Conn().Close() // the turn gets the error
	}
}
