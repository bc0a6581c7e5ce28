package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// optimisticLock is the text of a conflict about a resourceVersion.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, OptimisticLockErrorMsg
const optimisticLock = "the object has been modified; please apply your changes to the latest version and try again"

// update serves PUT on an object or, where sub is given, on its subresource.
func (r *resource) update(sub *kind.Subresource) verb {
	return func(w http.ResponseWriter, req *http.Request) error {
		o := r.kind.New()
		rep, opts, err := r.receive(w, req, expected{transforms, updateOptions, r.kind.GroupVersionKind()}, o)
		if err != nil {
			return err
		}
		namespace, name := pathValue(req, "namespace"), pathValue(req, "name")
		if err := matchNamespace(o, namespace); err != nil {
			return err
		}
		if err := matchName(o, name); err != nil {
			return err
		}
		dedupeOwners(w, o, "")
		u := &change{
			r: r, w: w, namespace: namespace, name: name, sub: sub, uid: o.GetUID(),
			creates: sub == nil && r.kind.UpdateCreates,
			write:   opts.write(req),
			next:    func(*object.Version) (object.Object, error) { return o.DeepCopyObject().(object.Object), nil },
		}
		v, created, err := u.commit(req.Context())
		if err != nil {
			return err
		}
		return r.writeVersion(w, req, rep, codeOf(created), v)
	}
}

func codeOf(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// change is an update in the making: a PUT, a patch or a scale.
type change struct {
	r               *resource
	w               http.ResponseWriter // for warnings
	namespace, name string
	sub             *kind.Subresource // nil for the main resource
	uid             types.UID         // the object must have it; "" for any
	creates         bool              // a missing object is created
	owned           bool              // next's object has its managedFields already
	write           writeContext

	// next computes the object wanted, in the served kind, from the current version, nil if there is none. It is
	// called again for every attempt and returns an object that the caller may change. An empty resourceVersion
	// means that the change fits any version.
	next func(current *object.Version) (object.Object, error)
}

// commit decides and stores the change, and decides it again when the version it was decided on has moved on, until
// the context ends. A change that names a resourceVersion then finds that it does not fit.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, Update, and
// .../pkg/storage/etcd3/store.go, GuaranteedUpdate, which tries again without a limit
func (c *change) commit(ctx context.Context) (v *object.Version, created bool, err error) {
	for {
		current, err := c.r.current(ctx, "update", c.namespace, c.name)
		if apierrors.IsNotFound(err) && c.creates {
			v, err := c.create(ctx)
			if apierrors.IsAlreadyExists(err) {
				continue
			}
			return v, err == nil, err
		}
		if err != nil {
			return nil, false, err
		}
		v, err := c.attempt(ctx, current)
		if errors.Is(err, store.ErrReserved) {
			continue
		}
		again, err := c.r.overtaken(ctx, "update", current, err)
		if !again {
			return v, false, err
		}
	}
}

// overtaken says whether a write came to nothing because the version that it was decided on has moved on, or is gone: there may be
// another object of its name. It then waits until the mirror has what came after. Else it returns the error.
func (r *resource) overtaken(ctx context.Context, verb string, current *object.Version, err error) (again bool, left error) {
	var conflict *store.ConflictError
	switch {
	case errors.As(err, &conflict):
		left = r.waitFor(ctx, verb, current.Namespace, current.Name, conflict.Current)
	case errors.Is(err, store.ErrGone):
		if err := r.Reader.Fresh(ctx); err != nil {
			left = r.failure(verb, current.Namespace, current.Name, err)
		}
	default:
		return false, err
	}
	return left == nil, left
}

// create stores an object that an update names and that does not exist.
func (c *change) create(ctx context.Context) (*object.Version, error) {
	o, err := c.next(nil)
	if err != nil {
		return nil, err
	}
	if c.uid != "" {
		return nil, c.uidConflict("")
	}
	wipeSystemFields(o)
	o.SetResourceVersion("")
	if !c.owned {
		c.r.ownNew(o, c.write)
	}
	return c.r.commitNew(ctx, c.w, o, c.write)
}

// attempt decides the change on the current version and stores it. A *store.ConflictError asks for another attempt.
func (c *change) attempt(ctx context.Context, current *object.Version) (*object.Version, error) {
	next, err := c.decide(ctx, current)
	if err != nil {
		return nil, c.stands(ctx, current, err)
	}
	v, err := c.store(ctx, next, current)
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		return nil, err
	case err != nil:
		return nil, c.r.failure("update", c.namespace, c.name, err)
	}
	return v, nil
}

// decide is the object to store, or why the change does not fit the current version.
func (c *change) decide(ctx context.Context, current *object.Version) (object.Object, error) {
	if c.uid != "" && c.uid != current.UID {
		return nil, c.uidConflict(current.UID)
	}
	next, err := c.next(current)
	if err != nil {
		return nil, err
	}
	if err := c.checkRevision(next.GetResourceVersion(), current); err != nil {
		return nil, err
	}
	c.own(next, current)
	return c.prepare(ctx, next, current)
}

// stands is a refusal, or nil for a change that changes nothing, if the version by which that was decided is still the newest. It may
// be behind what others were told, and what the client itself was: then a *store.ConflictError asks for another attempt.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go, GuaranteedUpdate, which tries again
// where origStateIsCurrent is false
func (c *change) stands(ctx context.Context, current *object.Version, refusal error) error {
	if err := c.r.Reader.Fresh(ctx); err != nil {
		return c.r.failure("update", c.namespace, c.name, err)
	}
	newest := c.r.Reader.Get(current.Key())
	switch {
	case newest == nil:
		return &store.ConflictError{Key: current.Key(), Current: current.Revision} // the next attempt finds nothing
	case newest.Revision != current.Revision:
		return &store.ConflictError{Key: current.Key(), Current: newest.Revision}
	}
	return refusal
}

// checkRevision compares the resourceVersion that a client sent with the current version.
func (c *change) checkRevision(sent string, current *object.Version) error {
	resource := c.r.kind.GroupResource()
	if sent == "" || sent == "0" {
		if c.r.kind.UnconditionalUpdate {
			return nil
		}
		kind := schema.GroupKind{Group: resource.Group, Kind: resource.Resource}
		return apierrors.NewInvalid(kind, c.name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update")})
	}
	rev, err := strconv.ParseUint(sent, 10, 63)
	if err != nil {
		return untyped(err) // as upstream, for want of a typed error
	}
	if object.Revision(rev) != current.Revision {
		return apierrors.NewConflict(resource, c.name, errors.New(optimisticLock))
	}
	return nil
}

// prepare carries over what this update may not change, and judges the result. It returns an object of the stored
// kind.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/update.go, BeforeUpdate
func (c *change) prepare(ctx context.Context, next object.Object, current *object.Version) (object.Object, error) {
	r, k, old, view := c.r, c.r.stored, current.Object(), object.Object(nil)
	if r.kind.Stored != nil {
		r.kind.Default(next)
		view, next = next, r.kind.Stored.To(next)
	}
	if k.Default != nil {
		k.Default(next)
	}
	next.SetGeneration(old.GetGeneration())
	if c.sub == nil {
		if err := r.allocate(ctx, next, old); err != nil {
			return nil, err
		}
	}
	validate := k.ValidateUpdate
	switch {
	case c.sub != nil:
		validate = c.sub.Validate
		if c.sub.Prepare != nil {
			c.sub.Prepare(next, old)
		}
	case k.PrepareUpdate != nil:
		k.PrepareUpdate(next, old)
	}
	carryMeta(next, old)
	if view != nil && c.sub == nil {
		carryMeta(view, old)
		validate = func(_, old object.Object) field.ErrorList {
			return r.kind.ValidateUpdate(view, r.kind.Stored.From(old))
		}
	}
	errs := validateMeta(next, k.Namespaced)
	errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(next, old, field.NewPath("metadata"))...)
	if validate != nil {
		errs = append(errs, validate(next, old)...)
	}
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(k.GroupVersionKind().GroupKind(), c.name, errs)
	}
	if c.sub == nil {
		if err := r.denyUpdate(ctx, next, old); err != nil {
			return nil, err
		}
	}
	warnings := k.Warnings
	if c.sub != nil {
		warnings = c.sub.Warnings
	}
	if warnings != nil {
		for _, text := range warnings(next, old) {
			addWarning(c.w, text)
		}
	}
	return next, nil
}

// carryMeta keeps the metadata that no update changes.
func carryMeta(next, old object.Object) {
	if next.GetUID() == "" {
		next.SetUID(old.GetUID())
	}
	if created := old.GetCreationTimestamp(); !created.IsZero() {
		next.SetCreationTimestamp(created)
	}
	if deleted := old.GetDeletionTimestamp(); deleted != nil {
		next.SetDeletionTimestamp(deleted)
	}
	if grace := old.GetDeletionGracePeriodSeconds(); grace != nil && next.GetDeletionGracePeriodSeconds() == nil {
		next.SetDeletionGracePeriodSeconds(grace)
	}
	next.SetSelfLink("")
	next.SetResourceVersion(old.GetResourceVersion())
}

// store commits the prepared object. What changes nothing is not stored; what leaves nothing to wait for removes an
// object that is being deleted.
func (c *change) store(ctx context.Context, next object.Object, current *object.Version) (*object.Version, error) {
	removes := current.Object().GetDeletionTimestamp() != nil && kind.ReadyToRemove(next)
	v, err := c.r.unstored(next, current.Revision)
	if err != nil {
		return nil, err
	}
	if v.Size() > MaxBodyBytes {
		return nil, tooLarge() // patches add up
	}
	if v, err = c.keepTimes(next, v, current); err != nil {
		return nil, err
	}
	change := store.Change{Verb: object.Updated, Type: &c.r.stored.Type, Old: current, New: next, Writer: c.write.writer}
	if removes {
		change.Verb = object.Deleted
	}
	if c.write.dryRun {
		if err := c.r.judge(ctx, change); err != nil {
			return nil, err
		}
	}
	if c.write.dryRun || !removes && bytes.Equal(v.Body(), current.Body()) {
		return v, c.stands(ctx, current, nil)
	}
	written, err := c.r.Writer.Write(ctx, change)
	if removes {
		return v, err // of the version that it was, as upstream's deleteWithoutFinalizers answers
	}
	return written, err
}

// uidConflict says that the object is another one than the client meant.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/interfaces.go, Preconditions.Check, and
// .../storage/errors.go, StorageError.Error
func (c *change) uidConflict(found types.UID) error {
	where := resourcePath(c.r.stored.Plural, c.r.key(c.namespace, c.name))
	return apierrors.NewConflict(c.r.kind.GroupResource(), c.name, fmt.Errorf("StorageError: invalid object, Code: 4, Key: %s, "+
		"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", where, c.uid, found))
}
