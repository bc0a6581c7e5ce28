package kube

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// update serves PUT on an object or, if sub is not nil, on its subresource.
func (r *resource) update(sub *kind.Subresource) route.Verb {
	return func(w http.ResponseWriter, req *http.Request) error {
		o := r.Kind.New()
		rep, opts, err := r.receive(w, req, expected{r.objects(), updateOptions, r.Kind.GroupVersionKind()}, o)
		if err != nil {
			return err
		}
		namespace, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
		if err := registry.MatchNamespace(o, namespace); err != nil {
			return err
		}
		if err := registry.MatchName(o, name); err != nil {
			return err
		}
		wire.AddWarning(w, registry.DedupeOwners(o, ""))
		u := &update{
			r: r, namespace: namespace, name: name, sub: sub, uid: o.GetUID(),
			creates: sub == nil && r.Kind.UpdateCreates,
			write:   opts.write(req),
			next:    func(*object.Version) (object.Object, error) { return o.DeepCopyObject().(object.Object), nil },
		}
		done, err := u.commit(req.Context())
		wire.AddWarnings(w, done.warnings)
		if err != nil {
			return err
		}
		return r.WriteVersion(w, req, rep, codeOf(done.created), done.version)
	}
}

func codeOf(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// update is an update in progress: a PUT, a patch, a scale or a binding.
type update struct {
	r               *resource
	namespace, name string
	sub             *kind.Subresource // nil for the main resource
	uid             types.UID         // required UID; "" for any
	creates         bool              // create the object if it is missing
	write           writeContext
	warnings        []string // for the client

	// next computes the desired object, in the served kind, from the current version, which is nil
	// if the object does not exist. It is called for every attempt and returns an object that the
	// caller may modify. An empty resourceVersion means that the update applies to any version.
	next func(current *object.Version) (object.Object, error)
}

// commit decides and stores the update, and tries again if the version on which it decided has
// changed, until the context ends. An update with a resourceVersion then becomes a conflict.
// Further attempts at the same object take turns.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, Update, and
// .../pkg/storage/etcd3/store.go, GuaranteedUpdate, which tries again without a limit
func (u *update) commit(ctx context.Context) (outcome, error) {
	var attempts attempts
	defer attempts.end()
	for {
		current, err := u.r.current(ctx, "update", u.namespace, u.name)
		if apierrors.IsNotFound(err) && u.creates {
			v, err := u.create(ctx)
			if apierrors.IsAlreadyExists(err) {
				continue
			}
			return outcome{v, err == nil, u.warnings}, err
		}
		if err != nil {
			return outcome{warnings: u.warnings}, err
		}
		v, err := u.attempt(ctx, current)
		if errors.Is(err, store.ErrReserved) {
			continue
		}
		again, err := u.r.overtaken(ctx, &attempts, "update", current, err)
		if !again {
			return outcome{v, false, u.warnings}, err
		}
	}
}

// warn adds warnings for the client, each once, because an update may be decided several times.
func (u *update) warn(texts ...string) {
	for _, text := range texts {
		if text != "" && !slices.Contains(u.warnings, text) {
			u.warnings = append(u.warnings, text)
		}
	}
}

// overtaken reports whether a write failed because the version on which it was decided has been
// changed or deleted; there may be a new object with its name. It then waits for the object's turn,
// and until the mirror has the newer version. Otherwise it returns the error.
func (r *resource) overtaken(ctx context.Context, a *attempts, verb string, current *object.Version, err error) (again bool, left error) {
	var conflict *store.ConflictError
	switch {
	case errors.As(err, &conflict):
		if err := a.take(ctx, r.turns.of(current.Key())); err != nil {
			return false, r.failure(verb, current.Namespace, current.Name, err)
		}
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

// create stores an object if an update names one that does not exist.
func (u *update) create(ctx context.Context) (*object.Version, error) {
	o, err := u.next(nil)
	if err != nil {
		return nil, err
	}
	if err := registry.CheckUID(u.r.Kind, u.key(), u.uid, "", u.write.dryRun); err != nil {
		return nil, err
	}
	registry.WipeSystemFields(o)
	o.SetResourceVersion("")
	done, err := u.r.commitNew(ctx, o, u.write)
	u.warn(done.warnings...)
	return done.version, err
}

// key returns the key of the stored object.
func (u *update) key() object.Key { return u.r.key(u.namespace, u.name) }

// attempt decides the update on the current version and stores it. A *store.ConflictError requests
// another attempt.
func (u *update) attempt(ctx context.Context, current *object.Version) (*object.Version, error) {
	next, err := u.decide(ctx, current)
	if err != nil {
		return nil, u.stands(ctx, current, err)
	}
	v, err := u.store(ctx, next, current)
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		return nil, err
	case err != nil:
		return nil, u.r.failure("update", u.namespace, u.name, err)
	}
	return v, nil
}

// decide returns the object to store, or why the update does not apply to the current version.
func (u *update) decide(ctx context.Context, current *object.Version) (object.Object, error) {
	if err := registry.CheckUID(u.r.Kind, u.key(), u.uid, current.UID, u.write.dryRun); err != nil {
		return nil, err
	}
	next, err := u.next(current)
	if err != nil {
		return nil, err
	}
	in := u.r.input(&state{u.r, ctx, "update", u.namespace, u.name}, u.write, u.sub)
	in.Pool, in.Complete = u.r.pool(current.UID), u.write.settled
	decided, err := registry.Update(u.r.Kind, next, u.r.Object(current), in)
	u.r.reportOwners(decided.OwnerError)
	u.warn(decided.Warnings...)
	return decided.Object, err
}

// stands returns an error, or nil for an update that changes nothing, if the version on which that
// was decided is still the newest. The mirror may lag behind what other clients, or this one, have
// read: then a *store.ConflictError requests another attempt.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go, GuaranteedUpdate, which tries again
// where origStateIsCurrent is false
func (u *update) stands(ctx context.Context, current *object.Version, refusal error) error {
	if err := u.r.Reader.Fresh(ctx); err != nil {
		return u.r.failure("update", u.namespace, u.name, err)
	}
	newest := u.r.Reader.Get(current.Key())
	switch {
	case newest == nil:
		return &store.ConflictError{Key: current.Key(), Current: current.Revision} // the next attempt will find no object
	case newest.Revision != current.Revision:
		return &store.ConflictError{Key: current.Key(), Current: newest.Revision}
	}
	return refusal
}

// store commits the prepared object. An update without a change is not stored; one that removes the
// last finalizer of an object being deleted deletes it.
func (u *update) store(ctx context.Context, next object.Object, current *object.Version) (*object.Version, error) {
	removes := registry.Removes(next, current.Object())
	v, err := u.r.unstored(next, current.Revision)
	if err != nil {
		return nil, err
	}
	if v.Size() > wire.MaxBodyBytes {
		return nil, wire.TooLarge() // many patches can make a large object
	}
	if v, err = u.keepTimes(next, v, current); err != nil {
		return nil, err
	}
	write := store.Change{Verb: object.Updated, Type: &u.r.Stored.Type, Old: current, New: next, Body: v.Body(), Writer: u.write.writer}
	if removes {
		write.Verb = object.Deleted
	}
	if u.write.dryRun {
		if err := u.r.judge(ctx, write); err != nil {
			return nil, err
		}
	}
	if u.write.dryRun || !removes && bytes.Equal(v.Body(), current.Body()) {
		return v, u.stands(ctx, current, nil)
	}
	written, err := u.r.Writer.Write(ctx, write)
	if removes {
		return v, err // the last version, as upstream's deleteWithoutFinalizers returns
	}
	return written, err
}
