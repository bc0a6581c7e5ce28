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

// Handler serves what reaches into the objects of one resource, each path by a method. After an
// error a method has written nothing.
type Handler struct {
	// Resource is "pods", "services" or "nodes".
	Resource string
	Reader   Source
	// Target finds the object that a request names, as fresh as its resourceVersion demands.
	Target func(req *http.Request) (*object.Version, error)
	// Failure attaches the request to an error of the Reader or of Logs.
	Failure func(verb, namespace, name string, err error) error
	// Refuse answers with the Status of an error.
	Refuse func(w http.ResponseWriter, req *http.Request, err error)

	Logs     Logs
	Inside   Inside
	Sessions Sessions

	Authorizer auth.Authorizer
	Now        func() time.Time // cluster time
	// Jitter draws a number in [0, 1), which chooses among the endpoints of a Service.
	Jitter func() float64
	// Read shows f the newest objects that are known. If nil, nodes have no Pods.
	Read func(f func(kind.Cluster))
	// SlowAfter is how long a client may take to accept a piece before it is disconnected.
	SlowAfter time.Duration
}

// Source is what a Handler reads of the mirror. Fresh and Get are those of kube.Reader.
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

// Logs is what the containers of Pods write.
type Logs interface {
	// Log is what one run of a container writes: the run with that id, as the Pod's status has it.
	Log(container, id string) Log
}

// Log is what one run of a container writes. One goroutine reads it.
type Log interface {
	// Read reads what has been written up to now by the run of this Pod. It may be called again,
	// with a newer version.
	Read(ctx context.Context, pod *object.Version) (LogPage, error)
}

// LogPage is what a run had written at a moment.
type LogPage = podlog.Page

// PodLogs is a source of logs as Logs.
func PodLogs(s *podlog.Source) Logs { return podLogs{s} }

type podLogs struct{ *podlog.Source }

// Log is Logs'.
func (p podLogs) Log(container, id string) Log { return p.Source.Log(container, id) }

// Sessions join clients to processes in Pods.
type Sessions interface {
	// Run joins streams to a process until that ends, the client goes, which ends ctx, or the
	// streams fail. The error is a *visit.ExitError for a command that ended with another code
	// than 0.
	Run(ctx context.Context, pod types.UID, start visit.Start, streams visit.Streams) error
}
