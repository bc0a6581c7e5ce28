package cluster

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/auth"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store/loader"
)

// loadedWait bounds how long the answer to a load waits until this replica serves what was loaded.
const loadedWait = 20 * time.Second

// anyMemory accepts any bytes, for controllers that start over if they cannot read their memory.
func anyMemory([]byte) error { return nil }

// snapshotRules returns the rules for a state to be loaded.
func snapshotRules(kinds *kind.Catalogue, images *emulator.Catalogue, controllers []engine.Controller) snapshot.Rules {
	r := snapshot.Rules{
		Kinds: kinds, Suspect: wire.CheckJSON,
		Controllers: make(map[string]snapshot.Controller, len(controllers)), Memories: map[string]func([]byte) error{},
	}
	for _, c := range controllers {
		r.Controllers[c.Name] = snapshot.Controller{Syncs: c.Syncs, Lock: c.Lock}
		if !c.Remembers {
			continue
		}
		for _, resource := range append([]string{c.Primary}, c.Others...) {
			if resource != "" {
				r.Memories[resource] = anyMemory
			}
		}
	}
	r.Memories[pod.Kind.Resource()] = func(b []byte) error { return memory.Check(b, images) }
	return r
}

// loaded announces that another state has been put into the database: all controllers have work, by
// another clock, and the mirror finds that the log does not continue where it was. It returns when
// the mirror has loaded the new state.
func (p parts) loaded(ctx context.Context) {
	names := make([]string, 0, len(p.workers))
	for _, w := range p.workers {
		names = append(names, w.Name())
	}
	p.mirror.Kick()
	p.clock.Kick()
	p.wake(names)
	p.hints.SendClock(names)
	ctx, cancel := context.WithTimeout(ctx, loadedWait)
	defer cancel()
	_ = p.mirror.AwaitFresh(ctx) // later reads report what is missing
	if err := auth.PublishRootCA(ctx, p.Deps, p.world); err != nil {
		p.Log.Warn("could not publish the root certificates: the loaded state may still have those of another server", "error", err)
	}
	if err := controller.RestoreRoles(ctx, p.Deps); err != nil {
		p.Log.Warn("could not restore the default roles: the loaded state may lack some", "error", err)
	}
	if err := controller.CatchUp(ctx, p.Deps); err != nil {
		p.Log.Warn("could not bring the loaded state up to date: it may lack what an older version did not have", "error", err)
	}
}

// Load puts the state of a snapshot's file into a database that was made for it and is still
// unused, before Open. It migrates the database first.
func Load(ctx context.Context, databaseURL string, file io.Reader, clock loader.ClockAfter) error {
	pool, err := pg.Open(ctx, pg.Config{URL: databaseURL, MaxConns: 4})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrate(ctx, pool); err != nil {
		return err
	}
	kinds := builtin.Catalogue()
	controllers := controller.Controllers(world.World{Kinds: kinds})
	rules, routes := snapshotRules(kinds, emulator.NewCatalogue(), controllers), engine.NewRouter(controllers)
	options := loader.Options{Fresh: true, Clock: clock}
	if err := archive.Load(ctx, file, pool, rules, routes, options); err != nil {
		return fmt.Errorf("load the snapshot: %w", err)
	}
	return nil
}
