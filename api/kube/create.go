package kube

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/access"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// maxNameAttempts limits the attempts to generate a free name for an object with a generateName.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go,
// maxNameGenerationCreateAttempts
const maxNameAttempts = 8

// outcome is the result of a write.
type outcome struct {
	version  *object.Version
	created  bool
	warnings []string // for the client, in order; also after an error
}

// create serves POST on a collection.
func (r *resource) create(w http.ResponseWriter, req *http.Request) error {
	o := r.Kind.New()
	rep, opts, err := r.receive(w, req, expected{r.objects(), createOptions, r.Kind.GroupVersionKind()}, o)
	if err != nil {
		return err
	}
	registry.WipeSystemFields(o)
	if err := registry.MatchNamespace(o, wire.PathValue(req, "namespace")); err != nil {
		return err
	}
	wire.AddWarning(w, registry.DedupeOwners(o, ""))
	done, err := r.commitNew(req.Context(), o, opts.write(req))
	wire.AddWarnings(w, done.warnings)
	if err != nil {
		return err
	}
	return r.WriteVersion(w, req, rep, http.StatusCreated, done.version)
}

// commitNew decides and stores a new object, and tries again if the generated name or the allocated
// addresses were taken first. It takes ownership of o.
func (r *resource) commitNew(ctx context.Context, o object.Object, wc writeContext) (outcome, error) {
	var done outcome
	draws := o.GetName() == "" && o.GetGenerateName() != ""
	for attempts := 1; ; {
		next := o
		if draws || r.Stored.Reservations != nil {
			next = o.DeepCopyObject().(object.Object)
		}
		v, warnings, err := r.attemptNew(ctx, next, wc)
		done.version, done.warnings = v, append(done.warnings, warnings...)
		switch {
		case errors.Is(err, store.ErrReserved):
		case draws && attempts < maxNameAttempts && apierrors.IsAlreadyExists(err):
			attempts++
		default:
			done.created = err == nil
			return done, err
		}
	}
}

// attemptNew decides and stores a new object once. It takes ownership of o.
func (r *resource) attemptNew(ctx context.Context, o object.Object, wc writeContext) (v *object.Version, warnings []string, err error) {
	namespace, name := o.GetNamespace(), cmp.Or(o.GetName(), o.GetGenerateName(), "Unknown")
	if c := r.Stored.Custom; c != nil && c.Terminating {
		return nil, nil, r.failure("create", namespace, o.GetName(), store.ErrDefinitionTerminating)
	}
	if r.Room != nil {
		if err := r.Room(); err != nil {
			return nil, nil, err
		}
	}
	in := r.input(&state{r, ctx, "create", namespace, name}, wc, nil)
	in.UID, in.Requester, in.DryRun = r.NewUID(), access.UserInfo(auth.FromContext(ctx)), wc.dryRun
	in.Pool = r.pool(in.UID)
	if o.GetName() == "" && o.GetGenerateName() != "" {
		in.NameSuffix = r.NameSuffix()
	}
	decided, err := registry.Create(r.Kind, o, in)
	r.reportOwners(decided.OwnerError)
	if err != nil {
		return nil, decided.Warnings, err
	}
	next := decided.Object
	write := store.Change{Verb: object.Created, Type: &r.Stored.Type, New: next, Writer: wc.writer}
	if wc.dryRun {
		v, err = r.dryRunNew(ctx, write)
		return v, decided.Warnings, err
	}
	v, err = r.Writer.Write(ctx, write)
	switch {
	case errors.Is(err, store.ErrReserved):
	case errors.Is(err, store.ErrExists):
		err = r.alreadyExists(r.key(namespace, next.GetName()), next.GetGenerateName() != "")
	case err != nil:
		err = r.failure("create", namespace, next.GetName(), err)
	}
	return v, decided.Warnings, err
}

// alreadyExists returns the error for a name that is taken, perhaps by an object that is being
// deleted.
func (r *resource) alreadyExists(key object.Key, generated bool) error {
	err := apierrors.NewAlreadyExists(r.Kind.GroupResource(), key.Name)
	if generated {
		err = apierrors.NewGenerateNameConflict(r.Kind.GroupResource(), key.Name, 1)
	}
	if v := r.Reader.Get(key); v != nil && v.Object().GetDeletionTimestamp() != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// dryRunNew returns the version that would have been created.
//
// Differs: upstream's answer has the resourceVersion that the client sent, if any.
func (r *resource) dryRunNew(ctx context.Context, write store.Change) (*object.Version, error) {
	next := write.New
	if err := r.Reader.Fresh(ctx); err != nil {
		return nil, r.failure("create", next.GetNamespace(), next.GetName(), err)
	}
	if err := r.judge(ctx, write); err != nil {
		return nil, r.failure("create", next.GetNamespace(), next.GetName(), err)
	}
	if key := r.key(next.GetNamespace(), next.GetName()); r.Reader.Get(key) != nil {
		return nil, r.alreadyExists(key, next.GetGenerateName() != "")
	}
	return r.unstored(next, 0)
}

// judge returns the error with which the Writer would reject the change of a dry run.
func (r *resource) judge(ctx context.Context, write store.Change) error {
	if r.Judge == nil {
		return nil
	}
	return r.Judge(ctx, write)
}

// unstored returns a version of an object that is not stored, for the answer to a dry run.
func (r *resource) unstored(o object.Object, rev object.Revision) (*object.Version, error) {
	body, err := object.Encode(&r.Stored.Type, o)
	if err != nil {
		return nil, err
	}
	v := &object.Version{
		Type: &r.Stored.Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(),
		Revision: rev, Verb: object.Updated, At: object.MomentOf(r.Now()),
	}
	v.SetBody(body)
	return v, nil
}
