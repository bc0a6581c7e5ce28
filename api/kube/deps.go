package kube

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Writer commits changes.
type Writer interface {
	// Write commits one change and returns the stored version; for object.Deleted, the tombstone.
	// It returns store.ErrExists, *store.ConflictError, store.ErrGone, store.ErrNamespaceNotFound,
	// store.ErrNamespaceTerminating, store.ErrDefinitionNotFound, store.ErrDefinitionTerminating,
	// store.ErrReserved, store.ErrBusy, store.ErrUnknownOutcome, *kind.Exceeded and errors of the
	// context.
	Write(ctx context.Context, c store.Change) (*object.Version, error)
}

// Reader is the mirror (see Mirror): the committed state in memory. It is safe for concurrent use;
// methods without a context never block.
type Reader interface { //nolint:interfacebloat // the mirror is wide: one suite runs against it and the store
	// Fresh waits until the mirror has everything that was committed before the call. An error
	// becomes a 503.
	Fresh(ctx context.Context) error
	// WaitFor waits until the mirror has reached the revision. It returns ErrTooLarge if that takes
	// too long and ErrUnavailable if the database cannot be reached.
	WaitFor(ctx context.Context, rev object.Revision) error
	// Get returns the current version of an object, or nil.
	Get(key object.Key) *object.Version
	// List returns all objects of a resource in a namespace, "" for all namespaces. Its cost does
	// not depend on the number of objects.
	List(resource, namespace string) Snapshot
	// At is List at an exact revision. It returns store.ErrCompacted if the revision is no longer
	// retained and store.ErrFuture if it has not been reached.
	At(ctx context.Context, resource, namespace string, rev object.Revision) (Snapshot, error)
	// Expired reports whether there has been a newer revision for so long that a list can no longer
	// be continued at this one.
	Expired(rev object.Revision) bool
	// Watch delivers the changes after the revision from, which may be in the future. It returns
	// store.ErrCompacted if some of them are no longer retained.
	Watch(resource, namespace string, from object.Revision) (Watch, error)
}

// Snapshot is the objects of one resource at one revision. It is immutable.
type Snapshot = collection.Snapshot

// Watch is a stream of the changes of one resource, in order of revision. Only one goroutine may
// use it.
type Watch interface {
	// Next returns the next change. If there is none, it waits until the context ends and returns
	// the context's error. It returns store.ErrCompacted if the caller was too slow and missed
	// changes, and ErrUnavailable if the mirror can no longer follow the database.
	Next(ctx context.Context) (Event, error)
	// Pending reports whether Next would return at once.
	Pending() bool
	// Revision returns the revision up to which everything has been delivered, for bookmarks.
	Revision() object.Revision
	Close()
}

// Deps holds the API's dependencies. All fields are required unless they say otherwise.
type Deps struct {
	Catalogue *kind.Catalogue
	// Past returns the catalogue at a revision, for exact reads; nil means that it never changes.
	// It returns the errors of Reader.At.
	Past     func(ctx context.Context, rev object.Revision) (*kind.Catalogue, error)
	Reader   Reader
	Writer   Writer
	Logs     connect.Logs
	Inside   connect.Inside
	Sessions connect.Sessions

	Now    func() time.Time           // cluster time
	Status func(error) *metav1.Status // api/status.go

	// Authorizer answers access reviews; nil allows everything. The middleware has authorized the
	// request itself.
	Authorizer auth.Authorizer

	// Login checks tokens for token reviews, and signs those of service accounts. It exists on a
	// server without a login too, where it does not authenticate requests.
	Login *auth.Authenticator

	// Gates are the feature gates that differ from their defaults.
	Gates kind.Gates

	// WithoutAdmission lists disabled admission plugins by upstream's names; nil disables none.
	WithoutAdmission map[string]bool

	// PodSecurity configures the plugin PodSecurity; nil means upstream's defaults.
	PodSecurity *security.Config

	// NewUID returns a UID, NameSuffix five characters of bcdfghjklmnpqrstvwxz2456789 for a
	// generateName, Jitter a number in [0, 1) that spreads the ends of watches. If nil, they are
	// random.
	NewUID     func() types.UID
	NameSuffix func() string
	Jitter     func() float64

	// Holder returns the object that holds an address or port, by a key of kind.Pool, "" if it is
	// free, as fresh as the Reader. nil means that everything is free.
	Holder func(key string) types.UID

	// Read calls f, which must be fast, with the newest known objects, as fresh as the Reader. nil
	// means that admission sees no other objects.
	Read func(f func(kind.Cluster))

	// Judge returns the error with which the Writer would reject a change because of quotas, for
	// dry runs; nil never rejects.
	Judge func(ctx context.Context, c store.Change) error

	// Room returns why no object can be created at all, nil if objects can. A nil function never
	// objects.
	Room func() error

	// OpenAPI serves the documents under /openapi/v2 and /openapi/v3; nil serves the catalogue's.
	OpenAPI http.Handler
	Log     *slog.Logger

	// MinWatchTimeout is the minimum duration of a watch without a timeout; the maximum is twice
	// that. Zero means 30 minutes. BookmarkEvery is the interval of bookmarks; zero means one
	// minute. Both are in real time.
	MinWatchTimeout, BookmarkEvery time.Duration
	// SlowAfter is how long a client may take to accept an event of a watch before it is cut off;
	// zero means one minute.
	SlowAfter time.Duration
}

// Failure is an error of the Reader or Writer, with the request in which it occurred.
type Failure struct {
	Verb            string
	Resource        schema.GroupResource
	Namespace, Name string
	Err             error
}

// Error formats the request and the error.
func (f *Failure) Error() string {
	return f.Verb + " " + f.Resource.String() + " " + f.Namespace + "/" + f.Name + ": " + f.Err.Error()
}

// Unwrap returns the error of the Reader or Writer.
func (f *Failure) Unwrap() error { return f.Err }
