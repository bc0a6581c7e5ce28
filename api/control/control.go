package control

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/preview"
)

// Deps is what the operations need from the rest of the program. All fields are required to serve,
// and none to describe.
type Deps struct {
	Clock     *clock.Clock
	Stalled   func() []v1.StalledController // the controllers that do not get on; nil where there are none
	Faults    *injector.Injector
	Reader    kube.Reader
	Writer    kube.Writer
	NewUID    func() types.UID
	Catalogue *kind.Catalogue
	Status    func(error) *metav1.Status // api/status.go
	Snapshots *archive.Archive
	Chronicle *chronicle.Chronicle
	Forks     Forks // nil in a fork, which has none
	Previews  *preview.Source
	Traffic   TrafficSource
	// Authorizer says who may read what, as previews and the log tell of objects; nil allows all.
	// Requests as such are judged before.
	Authorizer auth.Authorizer
	// Heartbeat is how long a stream of changes or of the clock may be silent, in real time, before
	// an empty line is sent; a minute if 0.
	Heartbeat time.Duration
}

// Server serves the operations.
type Server struct{ Deps }

// New makes a Server.
func New(d Deps) *Server {
	if d.Authorizer == nil {
		d.Authorizer = auth.AllowAll
	}
	if d.Heartbeat == 0 {
		d.Heartbeat = heartbeat
	}
	return &Server{d}
}

// Register mounts the operations on the API, and describes them.
func (s *Server) Register(api huma.API) {
	a := newTyped(api, s)
	for _, mount := range []func(*typed){
		s.clockOperations, s.snapshotOperations, s.forkOperations, s.faultOperations, s.metricOperations, s.previewOperations, s.logOperations,
		s.scheduleOperation, s.trafficOperation,
	} {
		mount(a)
	}
}
