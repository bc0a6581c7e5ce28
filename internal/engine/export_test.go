package engine

import "time"

// SetIdle bounds how long a worker that does not run yet will sleep.
func (w *Worker) SetIdle(d time.Duration) { w.idle = d }
