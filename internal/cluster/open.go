package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/controller"
	authcontroller "github.com/rowlock/rowlock/internal/controller/auth"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/migrations"
)

// partPause is the pause between the starts of two parts that nothing waits for: longer than the
// first statement of each takes.
const partPause = 25 * time.Millisecond

// Open migrates the database, starts a replica over it and returns when the replica is ready to
// serve. ctx only bounds the start; Close ends the replica. For a database that a newer Rowlock has
// migrated it returns pg.ErrNewerSchema.
func Open(ctx context.Context, c Config) (*Cluster, error) {
	c.Log = slog.New(newQuiet(c.Log.Handler()))
	c.login = c.login || c.Authenticator != nil
	var err error
	if c.off, err = controller.Off(c.Controllers); err != nil {
		return nil, err
	}
	r := &Cluster{}
	pool, err := pg.Open(ctx, pg.Config{URL: c.DatabaseURL, MaxConns: c.connections(), OnConnect: r.connected, Tracer: c.Tracer})
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	clock, err := clock.Open(ctx, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	if c.Draw.UID == nil {
		c.Draw = engine.Draw{UID: newUID, Suffix: nameSuffix}
	}
	r.pool, r.clock = pool, clock
	if c.authority, err = openAuthority(ctx, pool); err != nil {
		r.Close()
		return nil, err
	}
	if err := r.start(ctx, c); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// migrate brings the database to the schema that this Rowlock needs, or returns that it is newer.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	err := pg.CheckMigrated(ctx, pool, migrations.FS)
	if !errors.Is(err, pg.ErrNotMigrated) {
		return err
	}
	if err := pg.Migrate(ctx, pool, migrations.FS); err != nil {
		return err
	}
	return pg.CheckMigrated(ctx, pool, migrations.FS)
}

// Restored begins a new history in a database that was restored in a way that Rowlock cannot
// detect, such as from a copy of its server's files: clients with an earlier resourceVersion get
// 410. It returns the revision that the history begins with. Replicas may run meanwhile. For a
// database that a newer Rowlock has migrated it returns pg.ErrNewerSchema.
func Restored(ctx context.Context, databaseURL string) (object.Revision, error) {
	pool, err := pg.Open(ctx, pg.Config{URL: databaseURL})
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	if err := migrate(ctx, pool); err != nil {
		return 0, err
	}
	return store.Renew(ctx, pool)
}

// connected tells the mirror that the database may differ from the one it follows.
func (r *Cluster) connected() {
	if m := r.following.Load(); m != nil {
		m.Interrupted()
	}
}

// start makes the replica's parts, starts each one when what it needs is running, and returns when
// all are ready.
func (r *Cluster) start(ctx context.Context, c Config) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	p := r.wire(c)
	if !c.fork {
		p.forks = p.newForks(running, c)
	}
	handler := make(chan http.Handler, 1)
	go func() { handler <- p.handler(c) }() // it takes as long as the database takes below
	renewed, err := p.Store.Recognise(ctx)
	if err != nil {
		return err
	}
	if renewed {
		c.Log.Warn("the database was restored or failed over: earlier resourceVersions get 410")
	}
	p.run(running, part{"store", p.Store.Run}, part{"mirror", r.mirror.Run}, part{"clock", r.clock.Run})
	if err := r.awaitMirror(ctx); err != nil {
		return err
	}
	fleet := controller.Fleet{Nodes: c.Nodes, Zones: c.Zones, Capacity: c.NodeCapacity, NoStorageClass: c.NoStorageClass}
	if err := controller.Bootstrap(ctx, p.Deps, fleet); err != nil {
		return err
	}
	if err := authcontroller.PublishRootCA(ctx, p.Deps, p.world); err != nil {
		return err
	}
	if err := controller.CatchUp(ctx, p.Deps); err != nil {
		return err
	}
	if err := p.chooseControllers(ctx, c); err != nil {
		return err
	}
	p.run(running, part{"hints", p.listen}) // only now, because its connection would delay the above
	if !c.Stepped {
		lookout := engine.NewLookout(p.Deps, r.workers)
		p.run(running, part{"lookout", lookout.Run})
		for _, w := range r.workers {
			p.run(running, part{"controller " + w.Name(), w.Run})
		}
		p.run(running, part{"clock driver", p.Driver.Run})
	}
	r.handler = <-handler
	p.podclients.Handler = r.handler
	others := []part{
		{"token key", p.tokenKeys.Run}, {"faults", p.faults.Run}, {"sessions", p.watchSessions},
		{"compaction", p.compact}, {"forgetting", leftover.New(p.Pool, p.Log).Run},
	}
	if p.forks != nil {
		others = append(others, part{"forks", p.forks.Run})
	}
	if !c.Stepped {
		others = append(others, part{"requests of Pods", p.podclients.Run})
	}
	if c.Resync > 0 {
		others = append(others, part{"resync", engine.NewResync(p.Deps, p.controllers, c.Resync, r.wake).Run})
	}
	p.runInTurn(running, others...)
	return nil
}

// part is something that runs as long as the replica does. Its name is for the log and the metrics.
type part struct {
	name string
	run  func(context.Context) error
}

// run runs parts until ctx ends. A part that panics is restarted, and affects no other part and no
// other cluster of the process.
func (p parts) run(ctx context.Context, all ...part) {
	for _, one := range all {
		p.panics.WithLabelValues(one.name) // an increase from a missing series would not be seen
		p.running.Go(func() {
			// An error of one part does not stop the others.
			_ = contain.Keep(ctx, p.Log, one.name, func() { p.panics.WithLabelValues(one.name).Inc() }, one.run)
		})
	}
}

// runInTurn runs parts until ctx ends, and starts them one after another: so they share a few
// connections to the database. Those that all start at once open one each, for which the first
// requests would wait.
func (p parts) runInTurn(ctx context.Context, all ...part) {
	p.running.Go(func() {
		for _, one := range all {
			p.run(ctx, one)
			select {
			case <-ctx.Done():
				return
			case <-time.After(partPause):
			}
		}
	})
}

// awaitMirror waits until the mirror is loaded.
func (r *Cluster) awaitMirror(ctx context.Context) error {
	for r.mirror.Ready() != nil {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the mirror to load: %w", errors.Join(ctx.Err(), context.Cause(ctx)))
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}
