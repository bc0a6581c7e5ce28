package main

import (
	"context"
	"errors"
	"os"

	"github.com/rowlock/rowlock/internal/pg/server"
)

// measureStart times the starts, and reads the memory of an idle server.
func measureStart(ctx context.Context, o options, r *report) error {
	first, dataDir, err := startFresh(ctx, o)
	defer first.end()
	if err != nil {
		return err
	}
	r.duration("start, first time, with its own PostgreSQL", first.took)
	idle, err := first.memory(ctx)
	if err := errors.Join(err, first.stop()); err != nil {
		return err
	}
	r.memory("resident memory, idle", idle)

	again, err := start(ctx, o, "--data-dir="+dataDir)
	defer again.end()
	if err != nil {
		return err
	}
	r.duration("start again, with its own PostgreSQL", again.took)
	if err := again.stop(); err != nil {
		return err
	}
	return measureReplicaStart(ctx, o, r)
}

// measureReplicaStart times the start of a replica over a running database that has been used
// before.
func measureReplicaStart(ctx context.Context, o options, r *report) error {
	dir, err := os.MkdirTemp(o.dir, "database-")
	if err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	database, err := server.Start(ctx, server.Options{DataDir: dir})
	if err != nil {
		return err
	}
	defer database.Stop(context.WithoutCancel(ctx)) //nolint:errcheck // it ends with this process anyway
	var replica *instance
	for range 2 { // the first one creates the tables
		replica, err = start(ctx, o, "--data-dir="+dir, "--database-url="+database.URL())
		if err != nil {
			replica.end()
			return err
		}
		if err := replica.stop(); err != nil {
			return err
		}
	}
	r.duration("start, the database runs", replica.took)
	return nil
}
