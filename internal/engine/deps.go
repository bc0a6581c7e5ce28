package engine

import (
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/store"
)

// Deps is what workers share.
type Deps struct {
	Pool   *pgxpool.Pool
	Store  *store.Store
	Mirror *mirror.Mirror
	Clock  *clock.Clock
	Driver *clock.Driver // notified when the workers have run out of work; nil if time must not be advanced
	Kinds  *kind.Catalogue
	Draw   Draw
	Turns  *Turns // shared by all workers of a replica; nil for no bound
	// Real returns real time, which turns are measured by; nil means time.Now. It must be safe for
	// concurrent use.
	Real func() time.Time
	// ManagerOf returns the field manager that a component writes as, by its name: a controller's
	// UserAgent, or an Event's component.
	ManagerOf func(component string) string
	// MostObjects is the number of objects above which plans create no more; 0 means no limit.
	// Events are always written.
	MostObjects int
	// PodSecurity configures the admission plugin of that name; nil means upstream's defaults.
	PodSecurity *security.Config
	// Recorder is shared by all workers of a process, so that they recognise each other's events.
	Recorder *Recorder
	Metrics  *Metrics
	Log      *slog.Logger
}

// Draw provides what must not repeat. Tests fix it.
type Draw struct {
	UID    func() types.UID
	Suffix func() string // the random end of a generated name
}
