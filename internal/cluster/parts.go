package cluster

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/podclient"
	"github.com/rowlock/rowlock/internal/serviceaccount"
	"github.com/rowlock/rowlock/internal/store/replica"
	"github.com/rowlock/rowlock/internal/visit"
)

// parts are the parts of a replica, wired to each other and not yet running.
type parts struct {
	engine.Deps
	*Cluster
	hints       *replica.Hints
	controllers []engine.Controller
	registry    *prometheus.Registry
	archive     *archive.Archive
	forks       *forks // nil in a fork
	images      *emulator.Catalogue
	visits      *visit.Source
	podclients  *podclient.Server
	faults      *injector.Injector
	world       world.World
	authorizer  auth.Authorizer
	panics      *prometheus.CounterVec // by part
	tokenKeys   *serviceaccount.Keys
	definitions *definition.Catalogue
}
