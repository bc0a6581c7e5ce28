package engine

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

//go:embed lookout.sql
var sqlLookout string

const (
	// lookoutEvery is how often a process looks for work that no hint announced.
	lookoutEvery = time.Second
	// watchedPoll bounds how long a worker with a Lookout sleeps. It is shorter than StalledAfter.
	watchedPoll = 30 * time.Second
)

// Lookout looks for work for all workers of a process with one query a second, so that they need
// not poll themselves. Commits of this process, and hints of others, wake workers at once. But
// hints may be lost, and a process may die before it sends one.
//
// The first query runs at start, and only the workers with work take a turn. If each looked for
// itself, a process would open a connection for almost every worker.
type Lookout struct {
	Deps
	workers []*Worker
}

// NewLookout makes the lookout of workers that do not run yet. From here on they rely on it.
func NewLookout(deps Deps, workers []*Worker) *Lookout {
	for _, w := range workers {
		w.idle, w.watched = watchedPoll, true
	}
	return &Lookout{deps, workers}
}

// Run looks for work until ctx ends. It returns nil.
func (l *Lookout) Run(ctx context.Context) error {
	t := time.NewTicker(lookoutEvery)
	defer t.Stop()
	for {
		if err := l.look(ctx); err != nil && ctx.Err() == nil {
			l.Log.Warn("could not look for work", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// work is when a controller's next work is due, in cluster time, and whether that is now.
type work struct {
	controller string
	due        time.Time
	now        bool
}

// look wakes the workers that have work. A worker learns in its turns when its next work is due;
// one that has taken none yet is woken at that time. A worker without work counts as making
// progress.
func (l *Lookout) look(ctx context.Context) error {
	rows, err := l.Pool.Query(ctx, sqlLookout)
	if err != nil {
		return fmt.Errorf("look for work: %w", err)
	}
	all := map[string]work{}
	var row work
	_, err = pgx.ForEachRow(rows, []any{&row.controller, &row.due, &row.now}, func() error {
		if !all[row.controller].now {
			all[row.controller] = row
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for work: %w", err)
	}
	for _, w := range l.workers {
		next, exists := all[w.Name()]
		if next.now {
			w.Wake()
			continue
		}
		w.progress.made(w.Real())
		if exists && !w.begun.Load() {
			if left := l.Clock.Until(next.due); left < lookoutEvery { // what is due later, a later look finds
				time.AfterFunc(left, w.Wake)
			}
		}
	}
	return nil
}
