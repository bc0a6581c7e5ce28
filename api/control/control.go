package control

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/fork"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/preview"
	"github.com/rowlock/rowlock/internal/store/loader"
	"github.com/rowlock/rowlock/internal/store/traffic"
)

// Deps holds the dependencies of the operations. Serving requires all fields, describing none.
type Deps struct {
	Clock     *clock.Clock
	Stalled   func() []v1.StalledController // controllers without progress; nil if there are none
	Faults    *injector.Injector
	Reader    kube.Reader
	Writer    kube.Writer
	NewUID    func() types.UID
	Catalogue *kind.Catalogue
	Status    func(error) *metav1.Status // api/status.go
	Snapshots *archive.Archive
	Chronicle *chronicle.Chronicle
	Forks     Forks // nil in a fork, which cannot be forked
	Previews  *preview.Source
	Traffic   TrafficSource
	Read      func(func(kind.Cluster)) // calls its argument with the current cluster
	// Authorizer decides which objects in previews and the log a user may read; nil allows all. The
	// middleware has authorized the request itself.
	Authorizer auth.Authorizer
	// Heartbeat is the longest silence of a stream of changes or of the clock, in real time, before
	// it sends an empty line; 0 is one minute.
	Heartbeat time.Duration
}

// Forks creates and deletes forks. It returns errors of the packages fork, archive, snapshot and
// store.
type Forks interface {
	// Make creates a fork and opens it.
	Make(ctx context.Context, o ForkOrder) (fork.Fork, error)
	List(ctx context.Context) ([]fork.Fork, error)
	// Remove deletes a fork and returns its last state.
	Remove(ctx context.Context, name string) (fork.Fork, error)
}

// ForkOrder describes a fork to create.
type ForkOrder struct {
	Name     string
	Revision object.Revision // 0 means the newest
	Snapshot string          // the snapshot to fork; "" means the cluster itself
	Clock    loader.ClockAfter
	TTL      time.Duration // 0 means no limit
}

// TrafficSource returns the requests between Pods.
type TrafficSource interface {
	Read(ctx context.Context, of traffic.Query) (traffic.Traffic, error)
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

// now returns cluster time.
func (s *Server) now() time.Time { return s.Clock.Now() }
