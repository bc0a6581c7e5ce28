package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/fork"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store/loader"
	"github.com/rowlock/rowlock/migrations"
)

const (
	// forkStart bounds how long a replica may take to open a fork; forkDrain bounds how long
	// requests may take to end when the fork goes.
	forkStart, forkDrain = time.Minute, 5 * time.Second
	// forkRetry is the pause after forks could not be swept, or another process was working on
	// some.
	forkRetry = 5 * time.Second
	// forkMaking bounds how long making a fork may take.
	forkMaking = 10 * time.Minute
)

// forks serves the forks of a cluster below /forks/NAME, each by a replica of its own in this
// process. A replica opens the forks that are made through it at once, and others on their first
// request; it closes removed ones after a hint.
type forks struct {
	registry *fork.Registry
	archive  *archive.Archive
	config   Config
	hint     func() // notifies the other processes
	log      *slog.Logger
	signal   chan struct{} // buffer of one: a fork may have been made or removed

	ctx context.Context //nolint:containedctx // ends with the replica, as the forks do

	mu   sync.Mutex
	open map[uuid.UUID]*opened
}

// opened is a fork that is open, or being opened.
type opened struct {
	fork.Fork
	ready    chan struct{} // closed when cluster or err is set
	cluster  *Cluster
	err      error
	gone     context.Context //nolint:containedctx // ends when the fork is closed, and requests with it
	end      context.CancelFunc
	requests sync.WaitGroup
}

func (p parts) newForks(ctx context.Context, c Config) *forks {
	return &forks{
		registry: &fork.Registry{Pool: p.Pool, URL: c.DatabaseURL, Migrations: migrations.FS}, archive: p.archive, config: c,
		hint: p.hints.SendForks, log: c.Log, signal: make(chan struct{}, 1), ctx: ctx, open: map[uuid.UUID]*opened{},
	}
}

// kick signals that a fork may have been made or removed. It does not block.
func (f *forks) kick() {
	select {
	case f.signal <- struct{}{}:
	default:
	}
}

// Run removes expired forks and the remains of forks whose maker died, and closes those that were
// removed, until ctx ends. It returns nil.
func (f *forks) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		next, err := f.sweep(ctx)
		if err != nil && ctx.Err() == nil {
			f.log.Warn("could not clean up forks", "error", err)
			next = forkRetry
		}
		var due <-chan time.Time
		if next > 0 {
			due = time.After(next)
		}
		select {
		case <-ctx.Done():
		case <-f.signal:
		case <-due:
		}
	}
	f.close(f.known())
	return nil
}

// sweep makes the open forks match the existing ones, and returns how long until the next fork
// expires; 0 for never.
func (f *forks) sweep(ctx context.Context) (next time.Duration, err error) {
	before := f.known() // forks opened while the list is read may be missing in it
	all, err := f.registry.List(ctx)
	if err != nil {
		return 0, err
	}
	there, swept := map[uuid.UUID]bool{}, false
	for _, one := range all {
		expired := !one.Expires.IsZero() && one.Left <= 0
		if one.State == fork.Ready && !expired {
			there[one.ID] = true
			if left := one.Left + time.Millisecond; !one.Expires.IsZero() && (next == 0 || left < next) {
				next = left
			}
		}
		swept = swept || one.State != fork.Ready || expired
	}
	for id := range there {
		delete(before, id)
	}
	f.close(before)
	if !swept {
		return next, nil
	}
	n, busy, err := f.registry.Sweep(ctx)
	if n > 0 {
		f.hint()
	}
	if busy > 0 && (next == 0 || next > forkRetry) {
		next = forkRetry // in case the process working on it dies
	}
	return next, err
}

// known returns the open forks.
func (f *forks) known() map[uuid.UUID]bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := make(map[uuid.UUID]bool, len(f.open))
	for id := range f.open {
		ids[id] = true
	}
	return ids
}

// close closes forks.
func (f *forks) close(ids map[uuid.UUID]bool) {
	f.mu.Lock()
	var gone []*opened
	for id := range ids {
		if o := f.open[id]; o != nil {
			delete(f.open, id)
			gone = append(gone, o)
		}
	}
	f.mu.Unlock()
	var closing sync.WaitGroup
	for _, o := range gone {
		closing.Go(func() { _ = contain.Call(func() error { o.close(); return nil }) }) // the fork is gone either way
	}
	closing.Wait()
}

// close ends the requests, and then the fork's replica.
func (o *opened) close() {
	o.end()
	<-o.ready
	done := make(chan struct{})
	go func() { o.requests.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(forkDrain):
	}
	if o.cluster != nil {
		o.cluster.Close()
	}
}

// take finds a fork, opens it if necessary, and counts a request: the caller must call
// requests.Done.
func (f *forks) take(ctx context.Context, name string) (*opened, error) {
	for range 2 {
		o, err := f.find(ctx, name)
		if err != nil {
			return nil, err
		}
		select {
		case <-o.ready:
		case <-ctx.Done():
			o.requests.Done()
			return nil, ctx.Err()
		}
		if o.err == nil && o.gone.Err() == nil {
			return o, nil
		}
		o.requests.Done()
		if o.err != nil {
			return nil, o.err
		}
	}
	return nil, fork.ErrNotFound
}

// find returns the fork with a name, which it starts to open if necessary, with a request counted.
func (f *forks) find(ctx context.Context, name string) (*opened, error) {
	f.mu.Lock()
	for _, o := range f.open {
		if o.Name == name {
			o.requests.Add(1)
			f.mu.Unlock()
			o.suspect(f.kick)
			return o, nil
		}
	}
	f.mu.Unlock()
	one, err := f.registry.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	if one.State != fork.Ready {
		return nil, fork.ErrNotFound
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	o := f.open[one.ID]
	if o == nil {
		o = &opened{Fork: one, ready: make(chan struct{})}
		o.gone, o.end = context.WithCancel(f.ctx)
		f.open[one.ID] = o
		go f.start(o)
	}
	o.requests.Add(1)
	return o, nil
}

// suspect calls f if the fork cannot reach its database: the database may be gone, and the hint
// lost.
func (o *opened) suspect(f func()) {
	select {
	case <-o.ready:
		if o.cluster != nil && o.cluster.mirror.Ready() != nil {
			f()
		}
	default:
	}
}

// start opens a fork. If that fails, the next request tries again.
func (f *forks) start(o *opened) {
	defer close(o.ready)
	url, err := f.registry.DatabaseURL(o.Database)
	if err == nil {
		ctx, cancel := context.WithTimeout(o.gone, forkStart)
		defer cancel()
		c := f.config
		c.DatabaseURL, c.Nodes, c.fork = url, 0, true
		c.LoopbackGuard, c.Authenticator = false, nil // requests have passed those of this replica
		c.Log = f.log.With("fork", o.Name)
		err = contain.Call(func() (err error) { // a fork never ends its parent
			o.cluster, err = Open(ctx, c)
			return err
		})
	}
	if err != nil {
		o.err = fmt.Errorf("open the fork %s: %w", o.Name, err)
		if f.ctx.Err() == nil && (o.gone.Err() != nil || f.removed(o)) {
			o.err = fork.ErrNotFound
		}
		f.mu.Lock()
		if f.open[o.ID] == o {
			delete(f.open, o.ID)
		}
		f.mu.Unlock()
		f.kick()
	}
}

// removed reports whether a fork is gone, or about to go.
func (f *forks) removed(o *opened) bool {
	one, err := f.registry.Find(f.ctx, o.Name)
	return errors.Is(err, fork.ErrNotFound) || err == nil && (one.ID != o.ID || one.State != fork.Ready || !one.Expires.IsZero() && one.Left <= 0)
}

// ServeHTTP serves requests below /forks/NAME.
func (f *forks) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, v1.ForkPrefix), "/")
	o, err := f.take(req.Context(), name)
	if err != nil {
		control.WriteForkFailure(w, req, err, name)
		return
	}
	defer o.requests.Done()
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	defer context.AfterFunc(o.gone, cancel)() // watches end with the fork
	inner := req.WithContext(connect.Below(ctx, v1.ForkPrefix+name))
	at := *req.URL
	at.Path, at.RawPath = "/"+rest, ""
	if raw := req.URL.RawPath; raw != "" {
		_, raw, _ = strings.Cut(strings.TrimPrefix(raw, v1.ForkPrefix), "/")
		at.RawPath = "/" + raw
	}
	inner.URL, inner.RequestURI = &at, at.RequestURI()
	o.cluster.handler.ServeHTTP(w, inner)
}

// Make implements control.Forks. A fork that has been begun is made even if the client goes away.
func (f *forks) Make(ctx context.Context, order control.ForkOrder) (fork.Fork, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forkMaking)
	defer cancel()
	defer context.AfterFunc(f.ctx, cancel)()
	fill := func(ctx context.Context, pool *pgxpool.Pool) (object.Revision, error) {
		return f.fill(ctx, pool, order)
	}
	made, err := f.registry.Make(ctx, fork.Order{Name: order.Name, Origin: order.Snapshot, TTL: order.TTL, Fill: fill})
	if err != nil {
		f.kick() // something may be left
		return made, err
	}
	f.hint()
	if !made.Expires.IsZero() {
		f.kick()
	}
	o, err := f.take(ctx, order.Name)
	switch {
	case err == nil:
		o.requests.Done()
	case errors.Is(err, fork.ErrNotFound) && !made.Expires.IsZero():
		err = nil // it existed, and has expired
	}
	return made, err
}

// fill puts the requested state into a fork's database.
func (f *forks) fill(ctx context.Context, pool *pgxpool.Pool, order control.ForkOrder) (object.Revision, error) {
	o := loader.Options{Fresh: true, Clock: order.Clock}
	if order.Snapshot != "" {
		h, err := f.archive.LoadInto(ctx, pool, order.Snapshot, o)
		return h.Revision, err
	}
	var loading *loader.Loader
	defer func() {
		if loading != nil {
			loading.Close()
		}
	}()
	h, err := f.archive.Exporter.State(ctx, order.Revision, f.archive.Server, func() (snapshot.Sink, error) {
		if loading != nil {
			loading.Close()
		}
		var err error
		loading, err = loader.New(ctx, pool, f.archive.Rules.Kinds, f.archive.Routes, o)
		return loading, err
	})
	if err == nil {
		err = loading.Finish()
	}
	return h.Revision, err
}

// List implements control.Forks.
func (f *forks) List(ctx context.Context) ([]fork.Fork, error) { return f.registry.List(ctx) }

// Remove implements control.Forks. It returns when the fork's database is gone, unless another
// process is removing it.
func (f *forks) Remove(ctx context.Context, name string) (fork.Fork, error) {
	was, err := f.registry.Find(ctx, name)
	if err != nil {
		return was, err
	}
	if err := f.registry.Hide(ctx, name); err != nil {
		return was, err
	}
	f.hint()
	if _, err := f.sweep(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, context.Canceled) {
		return was, err
	}
	return was, nil
}
