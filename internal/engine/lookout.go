package engine

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
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
type Lookout struct {
	Deps
	workers []*Worker
}

// NewLookout makes the lookout of workers that do not run yet. From here on they rely on it.
func NewLookout(deps Deps, workers []*Worker) *Lookout {
	for _, w := range workers {
		w.idle = watchedPoll
	}
	return &Lookout{deps, workers}
}

// Run looks for work until ctx ends. It returns nil.
func (l *Lookout) Run(ctx context.Context) error {
	t := time.NewTicker(lookoutEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
		if err := l.look(ctx); err != nil && ctx.Err() == nil {
			l.Log.Warn("could not look for work", "error", err)
		}
	}
}

// look wakes the workers that have work. A worker without work counts as making progress.
func (l *Lookout) look(ctx context.Context) error {
	rows, err := l.Pool.Query(ctx, sqlLookout)
	if err != nil {
		return fmt.Errorf("look for work: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("look for work: %w", err)
	}
	for _, w := range l.workers {
		if slices.Contains(due, w.Name()) {
			w.Wake()
		} else {
			w.progress.made(w.Real())
		}
	}
	return nil
}
