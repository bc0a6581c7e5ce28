package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// get sends one object.
func (r *resource) get(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, r.objects())
	if err != nil {
		return err
	}
	v, err := r.read(req)
	if err != nil {
		return err
	}
	return r.WriteVersion(w, req, rep, http.StatusOK, v)
}

// read returns the object that the request names, as fresh as its resourceVersion demands.
func (r *resource) read(req *http.Request) (*object.Version, error) {
	var options metav1.GetOptions
	if err := wire.DecodeQuery(req, &options); err != nil {
		return nil, err
	}
	namespace, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
	if err := r.reach(req.Context(), "get", namespace, name, options.ResourceVersion); err != nil {
		return nil, err
	}
	if v := r.Reader.Get(r.key(namespace, name)); v != nil {
		return v, nil
	}
	return nil, apierrors.NewNotFound(r.Kind.GroupResource(), name)
}

// reach waits until the mirror can serve a read at this resourceVersion: "" means everything
// committed so far, "0" any state, otherwise that revision or a later one.
func (r *resource) reach(ctx context.Context, verb, namespace, name, resourceVersion string) error {
	rev, invalid := wire.ReadRevision(resourceVersion)
	if invalid != nil {
		return registry.Untyped(invalid)
	}
	var err error
	switch {
	case resourceVersion == "":
		err = r.Reader.Fresh(ctx)
	case rev > 0:
		return r.waitFor(ctx, verb, namespace, name, rev)
	}
	if err != nil {
		return r.failure(verb, namespace, name, err)
	}
	return nil
}

// waitFor waits until the mirror has reached the revision.
func (r *resource) waitFor(ctx context.Context, verb, namespace, name string, rev object.Revision) error {
	err := r.Reader.WaitFor(ctx, rev)
	if err == nil {
		return nil
	}
	if errors.Is(err, ErrTooLarge) {
		const retrySeconds = 1
		return tooLargeRevision(rev, r.Reader.List(r.Stored.Resource(), namespace).Revision(), retrySeconds)
	}
	return r.failure(verb, namespace, name, err)
}

// tooLargeRevision returns the error for a revision in the future.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/errors.go, NewTooLargeResourceVersionError
func tooLargeRevision(asked, current object.Revision, retrySeconds int) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", asked, current), retrySeconds)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{
		{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"},
	}
	return err
}

// current returns the object that a write names. If the mirror does not have it, current looks
// again after a consistent read, because another replica may have created it.
func (r *resource) current(ctx context.Context, verb, namespace, name string) (*object.Version, error) {
	if v := r.Reader.Get(r.key(namespace, name)); v != nil {
		return v, nil
	}
	if err := r.Reader.Fresh(ctx); err != nil {
		return nil, r.failure(verb, namespace, name, err)
	}
	if v := r.Reader.Get(r.key(namespace, name)); v != nil {
		return v, nil
	}
	return nil, apierrors.NewNotFound(r.Kind.GroupResource(), name)
}
