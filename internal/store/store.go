package store

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Config configures a Store.
type Config struct {
	// Writers is how many transactions of clients' writes may be under way at once; 0 means 1.
	// Commits happen one after another anyway, so a second writer hides only the round trip to
	// PostgreSQL, and halves the batches.
	Writers int
	// MaxBatch is how many changes one transaction of clients' writes may hold; 0 means 256.
	MaxBatch int
	// BusyTimeout is how long a write waits for an object that another transaction has locked; 0
	// means 5 s.
	BusyTimeout time.Duration
	// Retention is what RunCompaction keeps. The zero Retention keeps everything; users get
	// DefaultRetention.
	Retention Retention
	// Quotas are the known ResourceQuotas; nil is for stores that never write to namespaces with
	// quotas.
	Quotas Quotas
	// Replica is the number of this process, by which others know whether it is present: see
	// replica.Hints. 0 is for stores without sessions.
	Replica int32
	// Audible is called, after the commit, for sessions in a Pod that have output to collect,
	// whichever process their clients are connected to; may be nil. It must not block.
	Audible func(pod types.UID, sessions []int)
	// VacuumEvery is the pause between two vacuums while there are commits; 0 means 5 s.
	VacuumEvery time.Duration
}

func (c Config) withDefaults() Config {
	if c.Writers == 0 {
		c.Writers = 1
	}
	if c.MaxBatch == 0 {
		c.MaxBatch = 256
	}
	if c.BusyTimeout == 0 {
		c.BusyTimeout = 5 * time.Second
	}
	if c.VacuumEvery == 0 {
		c.VacuumEvery = vacuumEvery
	}
	if c.Quotas == nil {
		c.Quotas = noQuotas{}
	}
	return c
}

// Committed is called for every transaction that this process commits: with the versions, in
// revision order and without gaps, and the names of the controllers that were woken. It must not
// block for long.
type Committed func(versions []*object.Version, woken []string)

// Store writes and reads the cluster's objects. It is safe for concurrent use.
type Store struct {
	pool      *pgxpool.Pool
	kinds     *kind.Catalogue
	builtin   *kind.Catalogue
	routes    *wakeup.Router
	config    Config
	committed Committed
	log       *slog.Logger

	requests chan *request
	busy     sync.WaitGroup // writes that wait for a locked object
	dirty    atomic.Bool    // set by commits since the last vacuum
}

// New makes a Store over a migrated database. Write only answers while Run is running. routes
// determines whom a write wakes, and must not be nil; committed may be nil.
func New(pool *pgxpool.Pool, kinds *kind.Catalogue, routes *wakeup.Router, config Config, committed Committed, log *slog.Logger) *Store {
	if committed == nil {
		committed = func([]*object.Version, []string) {}
	}
	mustRoute(routes)
	config = config.withDefaults()
	return &Store{
		pool: pool, kinds: kinds, builtin: kinds.Builtin(), routes: routes, config: config, committed: committed,
		log: log, requests: make(chan *request),
	}
}

// mustRoute panics if the routes are missing: writes would wake no controller, and nothing else
// would show it.
func mustRoute(routes *wakeup.Router) {
	if routes == nil {
		panic("store: there are no routes")
	}
}

// Run serves Write and vacuums after this process's commits, until ctx ends. It returns nil.
func (s *Store) Run(ctx context.Context) error {
	var running sync.WaitGroup
	for range s.config.Writers {
		running.Go(func() { s.keep(ctx, "writer", s.writeLoop) })
	}
	running.Go(func() { s.keep(ctx, "vacuum", s.vacuumLoop) })
	running.Wait()
	s.busy.Wait()
	return nil
}

// keep runs one of the store's loops until ctx ends, and restarts it if it panics.
func (s *Store) keep(ctx context.Context, name string, loop func(context.Context)) {
	_ = contain.Keep(ctx, s.log, "store "+name, nil, func(ctx context.Context) error { loop(ctx); return nil }) // the loop returns no error
}

// typeOf returns the type that objects of a resource are stored as. The type of a custom resource
// is in the body; without a body, only its resource is known.
func (s *Store) typeOf(resource string, namespaced bool, body []byte) (*object.Type, error) {
	if k := s.builtin.ByResource(resource); k != nil {
		return &k.Type, nil
	}
	if body == nil {
		plural, group, _ := strings.Cut(resource, ".")
		return &object.Type{Group: group, Plural: plural, Namespaced: namespaced, New: object.NewCustom, Custom: &object.Custom{}}, nil
	}
	t, err := object.TypeOf(resource, namespaced, body)
	if err != nil {
		return nil, fmt.Errorf("store: the database holds the resource %q, which this version of Rowlock does not know: %w", resource, err)
	}
	return t, nil
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
