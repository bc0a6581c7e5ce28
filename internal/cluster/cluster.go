// Package cluster puts one replica of Rowlock together over a database: the store, the mirror, the workers and the
// API. It is what `rowlock serve` runs, and what rowlocktest gives to tests. Open reads as the table of contents.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/image"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/worker"
	"github.com/rowlock/rowlock/migrations"
)

// connections is how many connections a replica may hold: one a worker, the writers, the reads, the hints.
const connections = 24

// Config says what a replica is.
type Config struct {
	DatabaseURL string
	// Nodes is how many emulated nodes a cluster begins with that has none; NodeCapacity is what each has, nil meaning
	// 64 CPUs, 256 GiB and 20,000 Pods.
	Nodes        int
	NodeCapacity corev1.ResourceList
	// Retention says how much of the log is kept; zero keeps all.
	Retention store.Retention
	// LoopbackGuard refuses requests that a web page could have made; see package api.
	LoopbackGuard bool
	// Resync is the real time between two passes of the safety net; zero is never.
	Resync time.Duration
	// Stepped leaves the workers to the caller, who runs their turns one by one: see Workers. For tests.
	Stepped bool
	// Draw gives uids and the random ends of names; its functions are nil for random ones.
	Draw worker.Draw
	Log  *slog.Logger
}

// Cluster is a replica that runs. Its methods are safe for concurrent use.
type Cluster struct {
	pool    *pgxpool.Pool
	mirror  *mirror.Mirror
	clock   *clock.Clock
	workers []*worker.Worker
	handler http.Handler
	stop    context.CancelFunc
	running sync.WaitGroup

	following atomic.Pointer[mirror.Mirror] // mirror, for connections that are made before it is
}

// Open migrates the database, starts a replica over it and returns when that is ready to serve.
func Open(ctx context.Context, c Config) (*Cluster, error) {
	r := &Cluster{}
	pool, err := pg.Open(ctx, pg.Config{URL: c.DatabaseURL, MaxConns: connections, OnConnect: r.connected})
	if err != nil {
		return nil, err
	}
	if err := pg.Migrate(ctx, pool, migrations.FS); err != nil {
		pool.Close()
		return nil, err
	}
	clock, err := clock.Open(ctx, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	if c.Draw.UID == nil {
		c.Draw = worker.Draw{UID: newUID, Suffix: nameSuffix}
	}
	r.pool, r.clock = pool, clock
	if err := r.start(ctx, c); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// connected tells the mirror that the database may be another than the one it follows.
func (r *Cluster) connected() {
	if m := r.following.Load(); m != nil {
		m.Interrupted()
	}
}

// start wires the replica and waits until it is ready.
func (r *Cluster) start(ctx context.Context, c Config) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	registry := prometheus.NewRegistry()
	kinds, nodes, expiry := kind.Default(), worker.NewNodes(), worker.NewExpiry()
	hints := store.NewHints(r.pool, c.Log)
	workers := map[string]*worker.Worker{}
	wake := func(controllers []string) {
		for _, name := range controllers {
			if w := workers[name]; w != nil {
				w.Wake()
			}
		}
	}
	objects := store.New(r.pool, kinds, store.Config{Retention: c.Retention}, func(versions []*object.Version, woken []string) {
		r.mirror.Committed(versions)
		wake(woken)
		hints.Send(woken)
	}, c.Log)
	r.mirror = mirror.New(objects, mirror.Config{Indexes: mirror.Indexes(), Observers: []mirror.Observer{nodes, expiry}}, c.Log)
	r.following.Store(r.mirror)
	deps := worker.Deps{
		Pool: r.pool, Store: objects, Mirror: r.mirror, Clock: r.clock, Kinds: kinds,
		Draw: c.Draw, Recorder: worker.NewRecorder(), Metrics: worker.NewMetrics(registry), Log: c.Log,
	}
	world := worker.World{Kinds: kinds, Images: image.New(image.Known()...), Nodes: nodes, Expiry: expiry, Addresses: worker.NewAddresses(r.pool)}
	controllers := worker.Controllers(world)
	for _, controller := range controllers {
		w := worker.New(deps, controller)
		workers[controller.Name], r.workers = w, append(r.workers, w)
	}

	r.run(running, objects.Run, r.mirror.Run, r.clock.Run)
	if err := r.awaitMirror(ctx); err != nil {
		return err
	}
	r.run(running, func(ctx context.Context) error {
		return hints.Run(ctx, func(h store.Hint) {
			if h.From == "" { // the connection is new: something may have been missed
				r.mirror.Interrupted()
			}
			r.mirror.Kick()
			wake(h.Woken)
		})
	})
	if err := worker.Bootstrap(ctx, deps, c.Nodes, c.NodeCapacity); err != nil {
		return err
	}
	for _, w := range r.workers {
		if !c.Stepped {
			r.run(running, w.Run)
		}
	}
	if c.Resync > 0 {
		r.run(running, worker.NewResync(deps, controllers, c.Resync, wake).Run)
	}
	r.run(running, func(ctx context.Context) error { return objects.RunCompaction(ctx, r.clock.Now) })
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "rowlock", Name: "mirror_revision", Help: "The newest revision that this process has applied.",
	}, func() float64 { return float64(r.mirror.Revision()) }))
	r.handler = api.New(api.Deps{
		Kube: kube.Deps{
			Catalogue: kinds, Reader: kube.Mirror(r.mirror), Writer: objects,
			Now: r.clock.Now, NewUID: c.Draw.UID, NameSuffix: c.Draw.Suffix, Jitter: mathrand.Float64,
			Holder: r.holder, Log: c.Log,
		},
		Ready: r.mirror.Ready, Metrics: promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		LoopbackGuard: c.LoopbackGuard, Log: c.Log,
	})
	return nil
}

func (r *Cluster) run(ctx context.Context, parts ...func(context.Context) error) {
	for _, part := range parts {
		r.running.Go(func() { _ = part(ctx) }) // the parts go on whatever happens, and end with ctx
	}
}

// awaitMirror waits until the mirror is loaded.
func (r *Cluster) awaitMirror(ctx context.Context) error {
	for r.mirror.Ready() != nil {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the mirror was not loaded: %w", errors.Join(ctx.Err(), context.Cause(ctx)))
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// holder is the uid of the object that holds an address or a port; "" for none.
func (r *Cluster) holder(key string) (uid types.UID) {
	r.mirror.Read(func(v mirror.View) {
		if found := v.Find(mirror.Reserved, key); len(found) > 0 {
			uid = found[0].UID
		}
	})
	return uid
}

// Handler serves the replica's API.
func (r *Cluster) Handler() http.Handler { return r.handler }

// Workers are the replica's workers, in the order of worker.Controllers. Only their owner may call Turn: the caller, in a
// cluster that is Stepped.
func (r *Cluster) Workers() []*worker.Worker { return r.workers }

// Clock is the cluster's time.
func (r *Cluster) Clock() *clock.Clock { return r.clock }

// Close stops the replica: workers finish the transaction that they are in. Requests should have ended before.
func (r *Cluster) Close() {
	if r.stop != nil {
		r.stop()
	}
	r.running.Wait()
	r.pool.Close()
}

func newUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

// suffixAlphabet has no vowels and nothing that looks like another character.
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go.
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789"

// nameSuffix draws the five random characters behind a generateName.
func nameSuffix() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = suffixAlphabet[int(b[i])%len(suffixAlphabet)]
	}
	return string(b[:])
}
