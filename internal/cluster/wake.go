package cluster

import (
	"context"
	"slices"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/replica"
)

// committed passes on what this process has committed: to its mirror, its workers and the other
// processes.
func (p parts) committed(versions []*object.Version, woken []string) {
	p.mirror.Committed(versions)
	p.wake(woken)
	p.hints.Send(woken)
}

// clockChanged announces that the clock was changed: to the workers that have work by the new time,
// or to all if they now wait for the wrong time, and to the other processes.
func (p parts) clockChanged(n clock.Notice) {
	if n.Speed {
		for _, w := range p.workers {
			w.Wake()
		}
	}
	p.wake(n.Woken)
	p.visits.TellTime()
	if p.Cluster.podclients != nil {
		p.Cluster.podclients.ClockChanged()
	}
	if n.Own {
		p.hints.SendClock(n.Woken)
	}
}

// listen passes on what other processes have committed, according to their hints.
func (p parts) listen(ctx context.Context) error {
	return p.hints.Run(ctx, func(h replica.Hint) {
		if h.From == "" { // the connection is new: something may have been missed
			p.mirror.Interrupted()
			p.Cluster.podclients.Wake()
		}
		if h.Clock || h.From == "" {
			p.clock.Kick()
		}
		p.mirror.Kick()
		p.wake(h.Woken)
		p.hear(h)
		if p.forks != nil && (h.Forks || h.From == "") {
			p.forks.kick()
		}
	})
}

// wake makes the workers of these controllers look for work.
func (r *Cluster) wake(controllers []string) {
	for _, w := range r.workers {
		if slices.Contains(controllers, w.Name()) {
			w.Wake()
		}
	}
	if r.podclients != nil && slices.Contains(controllers, store.APIServer) {
		r.podclients.Wake()
	}
}
