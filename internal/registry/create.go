package registry

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/object"
)

// checkNoRevision refuses a new object that has a resourceVersion, when it is about to be stored. A
// resourceVersion that is not a number, or is 0, does not count.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go, Create, and
// .../pkg/registry/generic/registry/dryrun.go, Create
func (w *write) checkNoRevision() error {
	n, err := strconv.ParseUint(w.next.GetResourceVersion(), 10, 64)
	if err == nil && n != 0 && !w.in.DryRun {
		return &Unclassified{Err: errors.New("resourceVersion should not be set on objects to be created")}
	}
	w.next.SetResourceVersion("")
	return nil
}

// checkNamespace is an early check: it uses what is known, and waits only if the namespace is not.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go, Admit
func (w *write) checkNamespace() error {
	name := w.next.GetNamespace()
	key := object.Key{Resource: "namespaces", Name: name}
	v := w.in.State.Get(key)
	if v == nil {
		if err := w.wait(); err != nil {
			return err
		}
		v = w.in.State.Get(key)
	}
	refusal := &NamespaceError{Resource: w.kind.GroupResource(), Name: provisionalName(w.next), Namespace: name}
	if v == nil {
		return refusal
	}
	ns, ok := v.Object().(*corev1.Namespace)
	if refusal.Terminating = ok && (ns.DeletionTimestamp != nil || ns.Status.Phase == corev1.NamespaceTerminating); refusal.Terminating {
		return refusal
	}
	return nil
}

// provisionalName returns how errors name an object that may not have its name yet.
func provisionalName(o object.Object) string {
	return cmp.Or(o.GetName(), o.GetGenerateName(), "Unknown")
}

func (w *write) drawName() error {
	if o := w.next; o.GetName() == "" && o.GetGenerateName() != "" {
		o.SetName(object.GeneratedName(o.GetGenerateName(), w.in.NameSuffix))
	}
	return nil
}

func (w *write) setDefaults() error {
	if w.in.Complete {
		return nil
	}
	if w.kind.Default != nil {
		w.kind.Default(w.next)
	}
	if g := w.kind.Gated; g != nil && w.in.Gates[g.Gate] {
		g.Default(w.next)
	}
	return nil
}

// dropGated drops fields whose feature gate is off.
func (w *write) dropGated(old object.Object) {
	if g := w.stored.Gated; g != nil && !w.in.Gates[g.Gate] {
		g.Drop(w.next, old)
	}
}

// recordOwners records who owns what was sent, with defaults. What is added afterwards has no
// owner.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go, createHandler, and
// .../handlers/update.go, UpdateResource
func (w *write) recordOwners() error {
	switch {
	case w.in.Owner == nil:
	case w.old == nil:
		w.result.OwnerError = fieldmanager.Created(&w.kind.Type, w.next, *w.in.Owner)
	default:
		old := w.old
		if w.kind.Stored != nil {
			old = w.kind.Stored.From(old)
		}
		w.result.OwnerError = fieldmanager.Updated(&w.kind.Type, w.next, old, *w.in.Owner)
	}
	return nil
}

func (w *write) convert() error {
	w.view, w.next = w.next, w.kind.Stored.To(w.next)
	if w.stored.Default != nil {
		w.stored.Default(w.next)
	}
	return nil
}

func (w *write) identify() error {
	if w.next.GetUID() == "" {
		w.next.SetUID(w.in.UID)
	}
	w.next.SetCreationTimestamp(metav1.Time{Time: w.in.Now.Truncate(time.Second)})
	return nil
}

// allocate gives the object addresses and ports. Another writer may take them first: the store then
// refuses the write, which is decided again from what was sent.
func (w *write) allocate() error {
	if w.in.Pool == nil {
		return nil
	}
	if err := w.wait(); err != nil {
		return err
	}
	errs, err := w.stored.Allocate(w.next, w.old, *w.in.Pool)
	switch {
	case err != nil:
		return &Exhausted{Err: err}
	case len(errs) > 0:
		return &Invalid{Kind: w.kind.GroupVersionKind().GroupKind(), Name: w.next.GetName(), Errors: errs}
	}
	return nil
}

func (w *write) prepareNew() error {
	w.dropGated(nil)
	w.stored.PrepareCreate(w.next)
	if w.view != nil && w.kind.PrepareCreate != nil {
		w.kind.PrepareCreate(w.view)
	}
	if w.stored.SetRequester != nil {
		w.stored.SetRequester(w.next, w.in.Requester)
	}
	if w.stored.SetTimes != nil {
		w.stored.SetTimes(w.next, w.in.Now)
	}
	return nil
}

// validateNew judges the common metadata only if the kind's own validation passes.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/create.go, BeforeCreate
func (w *write) validateNew() error {
	var errs field.ErrorList
	switch {
	case w.view != nil:
		errs = w.kind.Validate(w.view)
	case w.stored.Validate != nil:
		errs = w.stored.Validate(w.next)
	}
	if len(errs) == 0 {
		errs = validateMeta(w.next, w.stored.Namespaced)
	}
	if len(errs) > 0 {
		return &Invalid{Kind: w.named(), Name: w.next.GetName(), Errors: errs}
	}
	return nil
}

// named returns how an error names the kind of the object: by the stored kind or, for a custom
// resource, by the object itself.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/create.go, objectMetaAndKind
func (w *write) named() schema.GroupKind {
	if w.stored.Custom == nil {
		return w.stored.GroupVersionKind().GroupKind()
	}
	o := w.next
	if w.view != nil {
		o = w.view
	}
	return o.GetObjectKind().GroupVersionKind().GroupKind()
}

// defaultStatus sets the defaults of a status that preparation has cleared. The client that sent
// the object owns none of them.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go,
// crdConversionRESTOptionsGetter, which completes objects as they are read from storage
func (w *write) defaultStatus() error {
	w.stored.Custom.DefaultStatus(w.next)
	return nil
}

// reread completes the result of an apply or of a write of the status. Other writes were completed
// when they were decoded.
//
// Source: as that of defaultStatus
func (w *write) reread() error {
	if w.in.Owner == nil || w.in.Subresource != nil {
		w.stored.Custom.Reread(w.next)
	}
	return nil
}

func (w *write) warn() error {
	warnings := w.stored.Warnings
	if sub := w.in.Subresource; sub != nil {
		warnings = sub.Warnings
	}
	if warnings != nil {
		w.result.Warnings = append(w.result.Warnings, warnings(w.next, w.old)...)
	}
	if w.in.Subresource == nil && metrics.TakesLoad(&w.stored.Type) {
		if warning := metrics.WarnOfLoad(w.next); warning != "" {
			w.result.Warnings = append(w.result.Warnings, warning)
		}
	}
	return nil
}
