package mirror

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Errors of reads and watches.
var (
	// ErrUnavailable says that the database has been unreachable for too long, or that the mirror
	// is not loaded yet.
	ErrUnavailable = errors.New("the mirror does not follow the database at the moment")
	// ErrTooLarge says that a revision was not reached within the time that a read may wait for it.
	ErrTooLarge = errors.New("the revision has not been reached yet")
)

// Log is the part of the store that the mirror uses.
type Log interface { //nolint:interfacebloat // the store is wide, and is read in each of these ways
	Recognise(ctx context.Context) (renewed bool, err error)
	Revision(ctx context.Context) (newest, compacted object.Revision, err error)
	Heads(ctx context.Context) ([]object.Revision, error)
	Bodies(ctx context.Context, revisions []object.Revision) ([]*object.Version, error)
	After(ctx context.Context, after object.Revision, limit int) ([]*object.Version, error)
	Holds(ctx context.Context, revision object.Revision, uid types.UID, at time.Time) (bool, error)
	At(ctx context.Context, resource, namespace string, revision object.Revision) ([]*object.Version, error)
	AtFrom(ctx context.Context, resource, namespace string, from, revision object.Revision) ([]store.Difference, error)
	Changes(ctx context.Context, resource string, after object.Revision, limit int) (steps []store.Step, upTo object.Revision, err error)
}

// Observer receives every change in order, under the mirror's lock: it must be quick and must not
// call the mirror.
type Observer interface {
	Observe(e Event)
	Reset() // everything received so far is void; all objects follow as creations
}

// Config configures a Mirror.
type Config struct {
	// WindowBytes is how many bytes of changes are held for the watches of one resource; 0 means 8
	// MiB.
	WindowBytes int
	// MaxStale is how long the database may be unreachable before reads fail; 0 means 3 s.
	MaxStale time.Duration
	// MaxWait bounds how long a read waits for a revision; 0 means 3 s.
	MaxWait time.Duration
	// Poll is how often the log is read without a hint; 0 means 500 ms.
	Poll time.Duration
	// PageLife is how long after a revision was superseded lists can be continued at it, in real
	// time; 0 means five minutes. Upstream compacts its revisions then. Here they are kept for exact
	// reads, but clients see the same.
	//
	// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/storagebackend/config.go, DefaultCompactInterval
	PageLife time.Duration
	// HotBytes is how many bytes of bodies stay unpacked in memory; 0 means 32 MiB. What has been
	// unchanged for longest is packed first.
	HotBytes int
	// Indexes are maintained besides the objects. Observers receive every change.
	Indexes   []Index
	Observers []Observer
	// Visits counts the versions that views return, for tests of a sync's cost; nil counts nothing.
	Visits *atomic.Int64
	// Longest is the most versions that one Read has visited; nil measures nothing. It needs
	// Visits.
	Longest *atomic.Int64
}

func (c Config) withDefaults() Config {
	if c.WindowBytes == 0 {
		c.WindowBytes = 8 << 20
	}
	if c.HotBytes == 0 {
		c.HotBytes = 32 << 20
	}
	if c.PageLife == 0 {
		c.PageLife = 5 * time.Minute
	}
	if c.MaxStale == 0 {
		c.MaxStale = 3 * time.Second
	}
	if c.MaxWait == 0 {
		c.MaxWait = 3 * time.Second
	}
	if c.Poll == 0 {
		c.Poll = 500 * time.Millisecond
	}
	return c
}

// Mirror is the log in memory. It is safe for concurrent use.
type Mirror struct {
	log    Log
	config Config
	slog   *slog.Logger
	asks   asks
	pages  pages
	heat   heat
	page   int           // log rows that the follower, its only user, asks for next
	kick   chan struct{} // buffer of one: the log may have something new
	// suspicions counts how often the database was unreachable, and so may have been set back;
	// allayed is how many of these proved groundless.
	suspicions, allayed atomic.Int64
	loads               atomic.Int64 // how often it has been loaded

	mu       sync.RWMutex
	loaded   bool
	resets   int             // how often it has been emptied
	contact  time.Time       // when the database last answered
	down     chan struct{}   // closed while the mirror does not follow; replaced when it follows again
	since    object.Revision // the revision from which the log was followed
	revision object.Revision // the newest revision applied
	last     place           // of revision
	ages     ages            // of revisions
	tables   map[string]*table
	byUID    map[types.UID]*object.Version
	most     int // the most objects at once since byUID was made
	indexes  []*indexed
	contents map[string]*contents                // by namespace; namespaces with nothing to count have none
	early    map[object.Revision]*object.Version // committed by this process, not yet next in line
	advanced chan struct{}                       // closed and replaced when revision grows
}

// place is a place in the log. It has a uid only if its row was read.
type place struct {
	revision object.Revision
	uid      types.UID
	at       object.Moment
}

// New makes an empty Mirror; Run fills and maintains it.
func New(log Log, config Config, logger *slog.Logger) *Mirror {
	m := &Mirror{log: log, config: config.withDefaults(), slog: logger, page: followPage, kick: make(chan struct{}, 1), down: make(chan struct{})}
	m.asks.signal = make(chan struct{}, 1)
	close(m.down)
	m.resetLocked()
	return m
}

// resetLocked empties the mirror. Watches end, because their tables no longer belong to the mirror.
func (m *Mirror) resetLocked() {
	for _, t := range m.tables {
		close(t.changed) // watchers find that the table no longer belongs to the mirror
	}
	if m.advanced != nil {
		close(m.advanced)
	}
	m.since, m.revision, m.last, m.loaded = 0, 0, place{}, false
	m.ages = ages{life: m.config.PageLife}
	m.resets++
	m.tables, m.byUID = map[string]*table{}, map[types.UID]*object.Version{}
	m.heat.clear()
	m.early, m.advanced = map[object.Revision]*object.Version{}, make(chan struct{})
	m.indexes, m.contents = nil, map[string]*contents{}
	for _, x := range m.config.Indexes {
		m.indexes = append(m.indexes, newIndexed(x))
	}
	for _, o := range m.config.Observers {
		o.Reset()
	}
}

func (m *Mirror) tableLocked(resource string) *table {
	t := m.tables[resource]
	if t == nil {
		t = newTable(m.config.WindowBytes)
		t.window.since = m.since
		m.tables[resource] = t
	}
	return t
}

// Kick says that the log may have grown. It does not block.
func (m *Mirror) Kick() {
	select {
	case m.kick <- struct{}{}:
	default:
	}
}

// Interrupted says that a database connection was lost and made again: the database may have been
// set back. It does not block.
func (m *Mirror) Interrupted() {
	m.suspicions.Add(1)
	m.Kick()
}

// suspected reports whether the database may have been set back since it was last verified.
func (m *Mirror) suspected() bool { return m.suspicions.Load() != m.allayed.Load() }

// Silence returns how long the database has not answered, in real time; zero until it has answered
// once.
func (m *Mirror) Silence() time.Duration {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.contact.IsZero() {
		return 0
	}
	return time.Since(m.contact)
}

// Ready returns nil if the mirror is loaded and follows the database, else ErrUnavailable.
func (m *Mirror) Ready() error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.readyLocked()
}

func (m *Mirror) readyLocked() error {
	if !m.loaded || time.Since(m.contact) > m.config.MaxStale {
		return ErrUnavailable
	}
	return nil
}
