// Package injector tracks the deliberate faults that exist, as in the mirror, and creates and ends
// them.
//
// It observes the mirror, so that every replica learns of a fault as soon as of any other change,
// and costs nothing if there is none: the API's middleware loads one pointer per request. How often
// a fault may hit is counted in the database (faultcount.Counts): faults with a count end when it is
// reached, whichever replicas the requests came to.
package injector

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/faultcount"
)

// Injector is the faults as this process knows them. Its methods are safe for concurrent use.
type Injector struct {
	deps    atomic.Pointer[Deps]
	metrics *metrics
	current atomic.Pointer[set] // nil if there are no faults
	turns   chan struct{}       // bounds how many turns are taken concurrently
	changed atomic.Pointer[func(*fault.Rule)]

	kick chan struct{} // buffer of one: another fault may be the next to end

	mu     sync.Mutex
	faults map[types.UID]*fault.Fault
}

// set is the faults that have not ended, ready for decisions; it never changes.
type set struct {
	api    []*fault.Rule
	pods   []*fault.PodRule
	images []*fault.ImageRule
}

// mostTurns bounds how many of the process's database connections faults use.
const mostTurns = 4

// New makes an Injector without faults, which must observe the mirror. Whatever needs no database
// works without Connect.
func New() *Injector {
	return &Injector{
		metrics: newMetrics(), turns: make(chan struct{}, mostTurns), kick: make(chan struct{}, 1), faults: map[types.UID]*fault.Fault{},
	}
}

var _ mirror.Observer = (*Injector)(nil)

// Deps is what creating and ending faults needs.
type Deps struct {
	Store  *store.Store
	Counts *faultcount.Counts
	Mirror *mirror.Mirror
	Now    func() time.Time // cluster time
	NewUID func() types.UID
	Suffix func() string // the random end of a name
	Log    *slog.Logger
}

// Connect gives the Injector what it needs besides the faults.
func (in *Injector) Connect(d Deps) { in.deps.Store(&d) }
