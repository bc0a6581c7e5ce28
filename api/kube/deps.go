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
	// Write commits one change and returns the stored version; for object.Deleted that is the
	// tombstone. Errors are store.ErrExists, *store.ConflictError, store.ErrGone,
	// store.ErrNamespaceNotFound, store.ErrNamespaceTerminating, store.ErrDefinitionNotFound,
	// store.ErrDefinitionTerminating, store.ErrReserved, store.ErrBusy, store.ErrUnknownOutcome,
	// *kind.Exceeded and the context's.
	Write(ctx context.Context, c store.Change) (*object.Version, error)
}

// Reader is the mirror (see Mirror): the committed state in memory. Its methods may be called by
// many goroutines; those without a context never block.
type Reader interface { //nolint:interfacebloat // the mirror is wide: one suite runs against it and the store
	// Fresh waits until the mirror holds everything that was committed before the call. Its error
	// means 503.
	Fresh(ctx context.Context) error
	// WaitFor waits until the mirror has reached the revision. It returns ErrTooLarge when that
	// takes too long and ErrUnavailable when the database cannot be reached.
	WaitFor(ctx context.Context, rev object.Revision) error
	// Get returns the current version of an object, nil if there is none.
	Get(key object.Key) *object.Version
	// List returns all objects of a resource in a namespace, "" for all namespaces. It costs the
	// same however many objects there are.
	List(resource, namespace string) Snapshot
	// At is List as of an exact revision. It returns store.ErrCompacted for one that is no longer
	// retained and store.ErrFuture for one that has not been reached.
	At(ctx context.Context, resource, namespace string, rev object.Revision) (Snapshot, error)
	// Watch delivers the changes with revisions greater than from, which may lie in the future. It
	// returns store.ErrCompacted when some of them are no longer retained.
	Watch(resource, namespace string, from object.Revision) (Watch, error)
}

// Snapshot is the objects of one resource at one revision. It never changes.
type Snapshot = collection.Snapshot

// Watch is a stream of the changes of one resource, in the order of their revisions. One goroutine
// reads it.
type Watch interface {
	// Next returns the next change. If there is none it waits until the context is done and returns
	// the context's error. It returns store.ErrCompacted when the caller was too slow and changes
	// have been lost, and ErrUnavailable when the mirror cannot follow the database any more.
	Next(ctx context.Context) (Event, error)
	// Pending says whether Next would return at once.
	Pending() bool
	// Revision is the revision up to which everything has been delivered, for bookmarks.
	Revision() object.Revision
	Close()
}

// Deps is what the API needs from the rest of the program. All fields are required unless they say
// otherwise.
type Deps struct {
	Catalogue *kind.Catalogue
	// Past is the catalogue as of a revision, for exact reads; nil means that it never changes. Its
	// errors are those of Reader.At.
	Past     func(ctx context.Context, rev object.Revision) (*kind.Catalogue, error)
	Reader   Reader
	Writer   Writer
	Logs     connect.Logs
	Inside   connect.Inside
	Sessions connect.Sessions

	Now    func() time.Time           // cluster time
	Status func(error) *metav1.Status // api/status.go

	// Authorizer answers questions of who may do what; nil allows all. Requests are judged before
	// they come here.
	Authorizer auth.Authorizer

	// Login judges the tokens that clients ask about, and makes those of service accounts. It is
	// there without a login too: it then judges no requests.
	Login *auth.Authenticator

	// Gates are the feature gates that are not at their defaults.
	Gates kind.Gates

	// WithoutAdmission are the admission plugins that are left out, by upstream's names; nil leaves
	// out none.
	WithoutAdmission map[string]bool

	// PodSecurity configures that plugin; nil has upstream's defaults.
	PodSecurity *security.Config

	// NewUID draws a uid, NameSuffix five characters of bcdfghjklmnpqrstvwxz2456789 for a
	// generateName, Jitter a number in [0, 1) that spreads the ends of watches. nil draws at
	// random.
	NewUID     func() types.UID
	NameSuffix func() string
	Jitter     func() float64

	// Holder says which object holds an address or a port, by the key of kind.Pool, "" for none, as
	// fresh as the Reader; nil means that none is held.
	Holder func(key string) types.UID

	// Read shows f the newest objects that are known, for as long as f runs, which must be quick;
	// it is as fresh as the Reader. nil means that admission sees no other objects.
	Read func(f func(kind.Cluster))

	// Judge says what the Writer would refuse of a change by quotas, for dry runs; nil refuses
	// nothing.
	Judge func(ctx context.Context, c store.Change) error

	// Room says why no object can be created, whatever it is, nil if one can; a nil function always
	// has room.
	Room func() error

	// OpenAPI serves the documents under /openapi/v2 and /openapi/v3; nil is those of the
	// catalogue.
	OpenAPI http.Handler
	Log     *slog.Logger

	// MinWatchTimeout is how long a watch lasts at least whose client names no end; it lasts up to
	// twice as long. Zero is 30 minutes. BookmarkEvery is the time between bookmarks; zero is a
	// minute. Both are real time.
	MinWatchTimeout, BookmarkEvery time.Duration
	// SlowAfter is how long a client may take to accept a piece of a watch before it is cut off;
	// zero is a minute.
	SlowAfter time.Duration
}

// Failure is the answer of the Reader or the Writer to one request, with what a Status says about
// it besides.
type Failure struct {
	Verb            string
	Resource        schema.GroupResource
	Namespace, Name string
	Err             error
}

// Error is the error of the reader or writer, with the request it came up in.
func (f *Failure) Error() string {
	return f.Verb + " " + f.Resource.String() + " " + f.Namespace + "/" + f.Name + ": " + f.Err.Error()
}

// Unwrap gives the error of the reader or writer.
func (f *Failure) Unwrap() error { return f.Err }
