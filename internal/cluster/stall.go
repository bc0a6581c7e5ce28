package cluster

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/engine"
)

// stalled returns the controllers of this replica that have had work for engine.StalledAfter
// without making progress.
func (r *Cluster) stalled() (all []v1.StalledController) {
	for _, w := range r.workers {
		if d := w.Unmoved(); d >= engine.StalledAfter {
			all = append(all, v1.StalledController{Controller: w.Name(), Seconds: int64(d.Seconds())})
		}
	}
	return all
}

// working returns nil, or an error that names the stalled controllers.
func (r *Cluster) working() error {
	all := r.stalled()
	if len(all) == 0 {
		return nil
	}
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = fmt.Sprintf("%s without progress for %s", s.Controller, time.Duration(s.Seconds)*time.Second)
	}
	return fmt.Errorf("%s", strings.Join(names, ", "))
}
