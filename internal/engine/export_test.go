package engine

import "time"

// SetIdle bounds how long a worker that does not run yet will sleep.
func (w *Worker) SetIdle(d time.Duration) { w.idle = d }

// Begun reports whether the worker has taken its first turn.
func (w *Worker) Begun() bool { return w.begun.Load() }
