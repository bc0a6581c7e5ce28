package main

import (
	"context"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// stopMachine stops all replicas and both servers for a while, as a hypervisor does.
func (f *fleet) stopMachine(ctx context.Context, d time.Duration) error {
	var all []int
	for _, n := range []*node{&f.database.primary, &f.database.standby} {
		family, err := f.database.processes(n)
		if err != nil {
			return err
		}
		all = append(all, family...)
	}
	for _, r := range f.replicas {
		if p := r.process(); p != nil {
			all = append(all, p.Pid)
		}
	}
	for _, pid := range all {
		if freeze(pid) == nil { // a session of the database may have ended
			defer func() { _ = thaw(pid) }()
		}
	}
	exercise.Sleep(ctx, d)
	return nil
}
