package registry

import (
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/object"
)

// State is the rest of the cluster, as a write sees it.
type State interface {
	// Get returns the newest known version of an object, without waiting; nil if none is known.
	Get(key object.Key) *object.Version
	// Fresh waits until everything committed before the call is known. A write calls it at most
	// once. An error says that this is not possible, and the write is refused with it.
	Fresh() error
	// Read passes f what is known, while f runs; f must be quick.
	Read(f func(kind.Cluster))
}

// Input is what a write depends on besides its objects.
type Input struct {
	State State
	// Owner comes to own the fields that the write sets; nil records no owner, because the object
	// already has its managedFields.
	Owner *fieldmanager.Writer
	// Pool is where addresses and ports are taken from; nil takes none.
	Pool *kind.Pool

	// Rights are the rights of the requesting user; nil for a user who may do everything.
	Rights kind.Rights

	// Now is the cluster time.
	Now time.Time
	// Gates are the feature gates that are not at their defaults.
	Gates kind.Gates
	// WithoutAdmission are the disabled admission plugins, by upstream's names; nil disables none.
	WithoutAdmission map[string]bool
	// PodSecurity configures that plugin; nil means upstream's defaults.
	PodSecurity *security.Config
	// User is the name of the writer, for admission.
	User string

	// Only for a creation: whether nothing is stored; the uid, unless the object has one; five
	// characters for the end of its name, if it has only a generateName; and who creates it.
	DryRun     bool
	UID        types.UID
	NameSuffix string
	Requester  authenticationv1.UserInfo

	// Only for an update: the subresource that it goes through, nil for the main resource; and
	// whether the object gets no defaults.
	Subresource *kind.Subresource
	Complete    bool
}

// Result is the result of a write.
type Result struct {
	// Object is what to store, of the stored kind; nil after an error.
	Object object.Object
	// Warnings are for the client, in order; an error may come with some too.
	Warnings []string
	// OwnerError says why the owners of the fields could not be recorded. The object is stored
	// without them.
	OwnerError error
}

// write is one write in progress.
type write struct {
	in           Input
	kind, stored *kind.Kind
	next, old    object.Object // old is nil for a creation
	view         object.Object // next before its conversion, or nil
	fresh        bool          // whether the state has been waited for
	asked        asked
	result       Result
}

// wait waits, once, until the state is fresh.
func (w *write) wait() error {
	if w.fresh {
		return nil
	}
	err := w.in.State.Fresh()
	w.fresh = err == nil
	return err
}

// asked is a question to a plugin and its answer. It is part of the write so that reading the state
// needs one function per write, not one per plugin.
type asked struct {
	plugin *kind.Plugin
	stage  Stage
	answer error
	run    func(kind.Cluster) // write.answer
}

// Stage is a part of a write. Stages follow each other in the order of their values.
type Stage int

// The stages of a write.
const (
	// Lifecycle refuses writes that may not happen whatever the object is.
	Lifecycle Stage = iota
	// Completion turns what was sent into a whole object of the stored kind.
	Completion
	// Mutation lets admission complete a new object, or refuse it.
	Mutation
	// Preparation clears, sets and carries over what a client may not choose.
	Preparation
	// Validation validates the object by itself, and against the one that it replaces.
	Validation
	// Approval lets admission judge what would be stored.
	Approval
)

// String returns the stage's name.
func (s Stage) String() string {
	return [...]string{"Lifecycle", "Completion", "Mutation", "Preparation", "Validation", "Approval"}[s]
}

// storedKind returns the kind whose objects are stored: k unless that is a view of another.
func storedKind(k *kind.Kind) *kind.Kind {
	if k.Stored != nil {
		return k.Stored.Kind
	}
	return k
}
