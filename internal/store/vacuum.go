package store

import (
	"context"
	"fmt"
	"time"
)

// vacuumEvery is the pause between two vacuums, while there are commits.
const vacuumEvery = 5 * time.Second

// Vacuum removes the dead rows of `wakeups`, `revision`, `clock` and `calls`. Every commit or clock
// step leaves some, and every claim and commit would otherwise have to step over them (S13). The
// server's own autovacuum comes once a minute, which is too late under load. Several processes may
// call it: what one vacuums, another skips.
func (s *Store) Vacuum(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, sqlVacuum); err != nil {
		return fmt.Errorf("store: vacuum: %w", err)
	}
	return nil
}

// vacuumLoop vacuums every few seconds if this process has committed something, until ctx ends.
func (s *Store) vacuumLoop(ctx context.Context) {
	for {
		pause(ctx, s.config.VacuumEvery)
		if ctx.Err() != nil {
			return
		}
		if !s.dirty.Swap(false) {
			continue
		}
		if err := s.Vacuum(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("dead rows were not removed", "error", err)
		}
	}
}
