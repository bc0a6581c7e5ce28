package connect

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/podlog"
	"github.com/rowlock/rowlock/internal/visit"
)

// Handler serves the paths that reach into objects of one resource, one method per path. A method
// that returns an error has written nothing.
type Handler struct {
	// Resource is "pods", "services" or "nodes".
	Resource string
	Reader   Source
	// Target returns the object that a request names, as fresh as its resourceVersion demands.
	Target func(req *http.Request) (*object.Version, error)
	// Failure attaches a request to an error of the Reader or of Logs.
	Failure func(verb, namespace, name string, err error) error
	// Refuse writes the Status of an error.
	Refuse func(w http.ResponseWriter, req *http.Request, err error)

	Logs     Logs
	Inside   Inside
	Sessions Sessions

	Authorizer auth.Authorizer
	Now        func() time.Time // cluster time
	// Jitter returns a random number in [0, 1), which selects an endpoint of a Service.
	Jitter func() float64
	// Read calls f with the newest known objects. If nil, nodes have no Pods.
	Read func(f func(kind.Cluster))
	// SlowAfter is how long a client may take to accept a write before it is disconnected.
	SlowAfter time.Duration
}

// Source is the part of the mirror that a Handler reads. Fresh and Get are those of kube.Reader.
type Source interface {
	Fresh(ctx context.Context) error
	Get(key object.Key) *object.Version
	// Follow delivers the changes after a revision.
	Follow(resource, namespace string, from object.Revision) (Follow, error)
}

// Follow delivers changes, as kube.Watch does.
type Follow interface {
	Next(ctx context.Context) (mirror.Event, error)
	Close()
}

// Logs provides the logs of Pods' containers.
type Logs interface {
	// Log returns the log of the container run with this ID, as in the Pod's status.
	Log(container, id string) Log
}

// Log is the log of one container run. Only one goroutine may use it.
type Log interface {
	// Read returns what the run has written so far. It may be called again with a newer version of
	// the Pod.
	Read(ctx context.Context, pod *object.Version) (LogPage, error)
}

// LogPage is what a run has written at some moment.
type LogPage = podlog.Page

// PodLogs adapts a source of logs to Logs.
func PodLogs(s *podlog.Source) Logs { return podLogs{s} }

type podLogs struct{ *podlog.Source }

// Log implements Logs.
func (p podLogs) Log(container, id string) Log { return p.Source.Log(container, id) }

// Sessions connects clients to processes in Pods.
type Sessions interface {
	// Run connects streams to a process until the process ends, the client disconnects, which
	// cancels ctx, or the streams fail. It returns a *visit.ExitError for a command with an exit
	// code other than 0.
	Run(ctx context.Context, pod types.UID, start visit.Start, streams visit.Streams) error
}
