package engine

import (
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/store"
)

// Deps are what workers share.
type Deps struct {
	Pool   *pgxpool.Pool
	Store  *store.Store
	Mirror *mirror.Mirror
	Clock  *clock.Clock
	Driver *clock.Driver // is told when the workers have run out of work; nil where time is not to be advanced
	Kinds  *kind.Catalogue
	Draw   Draw
	// Real is real time, by which turns are measured; nil is time.Now. It must be safe for concurrent use.
	Real func() time.Time
	// ManagerOf is the field manager as whom a component writes, by its name: a controller's UserAgent, or an Event's component.
	ManagerOf func(component string) string
	// MostObjects is how many objects there may be for a plan to create further ones; 0 is no limit. Events are always written.
	MostObjects int
	// PodSecurity configures the admission plugin of that name; nil has upstream's defaults.
	PodSecurity *kind.PodSecurity
	// Recorder is shared by all workers of a process, so that they know each other's events again.
	Recorder *Recorder
	Metrics  *Metrics
	Log      *slog.Logger
}

// Draw gives what must not repeat. Tests fix it.
type Draw struct {
	UID    func() types.UID
	Suffix func() string // the random end of a generated name
}
