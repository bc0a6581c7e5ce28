package kube

import (
	"context"
	"errors"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// maxNameAttempts is how often a name is drawn for an object with a generateName before it is given up.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go,
// maxNameGenerationCreateAttempts
const maxNameAttempts = 8

// create serves POST on a collection.
func (r *resource) create(w http.ResponseWriter, req *http.Request) error {
	o := r.kind.New()
	rep, opts, err := r.receive(w, req, expected{transforms, createOptions, r.kind.GroupVersionKind()}, o)
	if err != nil {
		return err
	}
	wipeSystemFields(o)
	if err := matchNamespace(o, pathValue(req, "namespace")); err != nil {
		return err
	}
	dedupeOwners(w, o, "")
	wc := opts.write(req)
	r.ownNew(o, wc)
	v, err := r.commitNew(req.Context(), w, o, wc)
	if err != nil {
		return err
	}
	return r.writeVersion(w, req, rep, http.StatusCreated, v)
}

// commitNew creates the object, drawing a name for it where it asks for one. It owns o, which has its managedFields.
func (r *resource) commitNew(ctx context.Context, w http.ResponseWriter, o object.Object, wc writeContext) (*object.Version, error) {
	if o.GetResourceVersion() != "" {
		return nil, untyped(errors.New("resourceVersion should not be set on objects to be created"))
	}
	if err := r.checkNamespace(ctx, o); err != nil {
		return nil, err
	}
	if o.GetName() != "" || o.GetGenerateName() == "" {
		return r.commitNamed(ctx, w, o, wc)
	}
	var v *object.Version
	var err error
	for range maxNameAttempts {
		named := o.DeepCopyObject().(object.Object)
		named.SetName(object.GeneratedName(o.GetGenerateName(), r.NameSuffix()))
		v, err = r.commitNamed(ctx, w, named, wc)
		if err == nil || !apierrors.IsAlreadyExists(err) {
			return v, err
		}
	}
	return nil, err
}

// commitNamed prepares, judges and stores a new object that has its name.
func (r *resource) commitNamed(ctx context.Context, w http.ResponseWriter, o object.Object, wc writeContext) (*object.Version, error) {
	sent := o
	if r.stored.Reservations != nil {
		sent = o.DeepCopyObject().(object.Object)
	}
	next, err := r.prepareNew(ctx, w, o)
	if err != nil {
		return nil, err
	}
	name := next.GetName()
	change := store.Change{Verb: object.Created, Type: &r.stored.Type, New: next, Writer: wc.writer}
	if wc.dryRun {
		return r.dryRunNew(ctx, change)
	}
	v, err := r.Writer.Write(ctx, change)
	if errors.Is(err, store.ErrReserved) {
		return r.commitNamed(ctx, w, sent, wc)
	}
	if errors.Is(err, store.ErrExists) {
		return nil, r.alreadyExists(r.key(o.GetNamespace(), name), o.GetGenerateName() != "")
	}
	if err != nil {
		return nil, r.failure("create", o.GetNamespace(), generatedName(o), err)
	}
	return v, nil
}

// prepareNew makes what a client sent into what is stored, and judges it.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/create.go, BeforeCreate
func (r *resource) prepareNew(ctx context.Context, w http.ResponseWriter, o object.Object) (object.Object, error) {
	k, next, validate := r.stored, o, r.stored.Validate
	if r.kind.Stored != nil {
		r.kind.Default(o)
		next, validate = r.kind.Stored.To(o), func(object.Object) field.ErrorList { return r.kind.Validate(o) }
	}
	next.SetUID(r.NewUID())
	next.SetCreationTimestamp(metav1.NewTime(r.Now()).Rfc3339Copy())
	if k.Default != nil {
		k.Default(next)
	}
	if err := r.allocate(ctx, next, nil); err != nil {
		return nil, err
	}
	if err := r.admit(ctx, next); err != nil {
		return nil, err
	}
	if k.PrepareCreate != nil {
		k.PrepareCreate(next)
	}
	var errs field.ErrorList
	if validate != nil {
		errs = validate(next)
	}
	if len(errs) == 0 {
		errs = validateMeta(next, k.Namespaced)
	}
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(k.GroupVersionKind().GroupKind(), next.GetName(), errs) // of a view, that of the stored kind, as upstream
	}
	if err := r.deny(next); err != nil {
		return nil, err
	}
	if k.Warnings != nil {
		for _, text := range k.Warnings(next, nil) {
			addWarning(w, text)
		}
	}
	return next, nil
}

// checkNamespace refuses to create in a namespace that is missing or terminating, before anything else is judged.
// The Writer decides; this only gives the answer early where it is known.
func (r *resource) checkNamespace(ctx context.Context, o object.Object) error {
	if !r.kind.Namespaced {
		return nil
	}
	name := o.GetNamespace()
	key := object.Key{Resource: "namespaces", Name: name}
	v := r.Reader.Get(key)
	if v == nil {
		if err := r.Reader.Fresh(ctx); err != nil {
			return r.failure("create", name, o.GetName(), err)
		}
		v = r.Reader.Get(key)
	}
	if v == nil {
		return r.failure("create", name, generatedName(o), store.ErrNamespaceNotFound)
	}
	if ns, ok := v.Object().(*corev1.Namespace); ok && ns.Status.Phase == corev1.NamespaceTerminating {
		return r.failure("create", name, generatedName(o), store.ErrNamespaceTerminating)
	}
	return nil
}

// generatedName is how errors name an object that may not have its name yet.
func generatedName(o object.Object) string {
	switch {
	case o.GetName() != "":
		return o.GetName()
	case o.GetGenerateName() != "":
		return o.GetGenerateName()
	}
	return "Unknown"
}

// alreadyExists says that a name is taken, perhaps by an object that is going away.
func (r *resource) alreadyExists(key object.Key, generated bool) error {
	err := apierrors.NewAlreadyExists(r.kind.GroupResource(), key.Name)
	if generated {
		err = apierrors.NewGenerateNameConflict(r.kind.GroupResource(), key.Name, 1)
	}
	if v := r.Reader.Get(key); v != nil && v.Object().GetDeletionTimestamp() != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// dryRunNew answers as if the object had been created.
func (r *resource) dryRunNew(ctx context.Context, change store.Change) (*object.Version, error) {
	next := change.New
	if err := r.Reader.Fresh(ctx); err != nil {
		return nil, r.failure("create", next.GetNamespace(), next.GetName(), err)
	}
	if err := r.judge(ctx, change); err != nil {
		return nil, r.failure("create", next.GetNamespace(), next.GetName(), err)
	}
	if key := r.key(next.GetNamespace(), next.GetName()); r.Reader.Get(key) != nil {
		return nil, r.alreadyExists(key, next.GetGenerateName() != "")
	}
	return r.unstored(next, 0)
}

// judge says whether the Writer would refuse what a dry run does not write.
func (r *resource) judge(ctx context.Context, change store.Change) error {
	if r.Judge == nil {
		return nil
	}
	return r.Judge(ctx, change)
}

// unstored makes a version of an object that was never stored, for the answer to a dry run.
func (r *resource) unstored(o object.Object, rev object.Revision) (*object.Version, error) {
	body, err := object.Encode(&r.stored.Type, o)
	if err != nil {
		return nil, err
	}
	v := &object.Version{
		Type: &r.stored.Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(),
		Revision: rev, Verb: object.Updated, At: r.Now(),
	}
	v.SetBody(body)
	return v, nil
}
