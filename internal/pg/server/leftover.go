package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// clearLeftovers cleans up after a killed predecessor, whose lock is ours now: it waits for its
// server, and stops it if it lives on, and removes an unfinished initdb. Recovering the data itself
// is the server's task.
func clearLeftovers(ctx context.Context, dir string) error {
	data := filepath.Join(dir, dataName)
	if err := stopLeftovers(ctx, data); err != nil {
		return err
	}
	// With no process left on the data, this file is stale, and would stop a server in whose
	// container another process has the process id in it.
	if err := os.Remove(filepath.Join(data, "postmaster.pid")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), initPrefix) {
			if err := clearUnfinished(ctx, filepath.Join(dir, entry.Name())); err != nil {
				return fmt.Errorf("remove the files of an unfinished initdb: %w", err)
			}
		}
	}
	return nil
}

// clearUnfinished removes what a killed initdb left. A server of its own may outlive it for a
// moment.
func clearUnfinished(ctx context.Context, data string) error {
	if err := stopLeftovers(ctx, data); err != nil {
		return err
	}
	return removeAll(data)
}

// stopLeftovers ends the processes that still work on data, more firmly as time passes. At first it
// only waits: they have most likely been signalled already.
func stopLeftovers(ctx context.Context, data string) error {
	var left []int
	for _, step := range escalation {
		for _, pid := range left {
			step.tell(pid)
		}
		for deadline := time.Now().Add(step.patience); ; {
			var err error
			if left, err = leftovers(data); err != nil {
				return fmt.Errorf("look for a leftover PostgreSQL: %w", err)
			}
			if len(left) == 0 {
				return nil
			}
			if time.Now().After(deadline) {
				break
			}
			select {
			case <-time.After(5 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return fmt.Errorf("a leftover PostgreSQL on %s does not exit: processes %v", data, left)
}
