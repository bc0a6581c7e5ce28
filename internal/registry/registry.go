package registry

import (
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

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

// Create decides what is stored when an object of the kind is created: it judges and completes o,
// in place unless the kind is a view. Errors: *Invalid, *Forbidden, *NamespaceError, *Exhausted,
// those of Input.State, and those of admission plugins that carry their own Status.
func Create(k *kind.Kind, o object.Object, in Input) (Result, error) {
	w := write{in: in, kind: k, stored: storedKind(k), next: o}
	return w.take(stepsOf(k).create, Lifecycle, Approval)
}

// Complete is Create without checks, except those of admission while it completes the object: for
// objects from the same template as one that Create has judged. After an error, o is left as far as
// it was completed.
func Complete(k *kind.Kind, o object.Object, in Input) (Result, error) {
	w := write{in: in, kind: k, stored: storedKind(k), next: o}
	return w.take(stepsOf(k).create, Completion, Preparation)
}

// Update decides what is stored when next, of the kind, replaces old, of the stored kind: next is
// judged and completed in place unless the kind is a view; old is not changed. A resourceVersion in
// next must be that of old. Errors: *Invalid, *Forbidden, *Conflict, *Exhausted, *Unclassified,
// those of Input.State, and those of admission plugins that carry their own Status.
func Update(k *kind.Kind, next, old object.Object, in Input) (Result, error) {
	w := write{in: in, kind: k, stored: storedKind(k), next: next, old: old}
	list := stepsOf(k).update
	if in.Subresource != nil {
		list = SubresourceSteps(k, in.Subresource)
	}
	return w.take(list, Lifecycle, Approval)
}

// CheckQuestion validates an object of a kind whose objects are queries, and which is not stored.
// Errors: *Invalid.
func CheckQuestion(k *kind.Kind, o object.Object) error {
	if errs := k.Validate(o); len(errs) > 0 {
		return &Invalid{Kind: k.GroupVersionKind().GroupKind(), Errors: errs}
	}
	return nil
}

// CheckStored completes and validates, in place, an object that claims to have been stored, such as
// one from a backup. Its errors are those of validation.
func CheckStored(k *kind.Kind, o object.Object) field.ErrorList {
	if k.Default != nil {
		k.Default(o)
	}
	if k.Validate == nil {
		return nil
	}
	return k.Validate(o)
}

// AdmitNamespace is the first step of Create alone: it refuses an object in a namespace that is
// missing or terminating. Errors: *NamespaceError, those of state.
func AdmitNamespace(k *kind.Kind, o object.Object, state State) error {
	w := write{in: Input{State: state}, kind: k, stored: storedKind(k), next: o}
	if !w.stored.Namespaced {
		return nil
	}
	return w.checkNamespace()
}

// write is one write in progress.
type write struct {
	in           Input
	kind, stored *kind.Kind
	next, old    object.Object // old is nil for a creation
	view         object.Object // next before its conversion; nil if there is none
	fresh        bool          // whether the state has been waited for
	asked        asked
	result       Result
}

// take runs the steps of some stages.
func (w *write) take(all []Step, first, last Stage) (Result, error) {
	for i := range all {
		if s := &all[i]; s.Stage >= first && s.Stage <= last && !w.in.WithoutAdmission[s.Name] {
			if err := s.run(w); err != nil {
				return w.result, err
			}
		}
	}
	w.result.Object = w.next
	return w.result, nil
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
