package kube

import (
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// listOrWatch serves GET on a collection.
func (r *resource) listOrWatch(w http.ResponseWriter, req *http.Request) error {
	rep, opts, err := collection.Question(req, r.collections())
	if err != nil {
		return err
	}
	sel, err := collection.Select(&r.Resource, opts.LabelSelector, opts.FieldSelector)
	if err != nil {
		return err
	}
	if opts.Watch {
		return r.watch(w, req, rep, opts, sel)
	}
	return r.list(w, req, rep, opts, sel)
}

// list sends a page of a list, or all of it.
func (r *resource) list(w http.ResponseWriter, req *http.Request, rep wire.Representation, opts *internalversion.ListOptions, sel collection.Selection) error {
	p, err := r.page(req.Context(), wire.PathValue(req, "namespace"), opts, sel)
	if err != nil {
		return err
	}
	return r.WritePage(w, req, rep, p)
}

// page reads one page.
func (r *resource) page(ctx context.Context, namespace string, opts *internalversion.ListOptions, sel collection.Selection) (*render.Page, error) {
	at, err := wire.ParseRevision(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	in := collection.Range{Limit: opts.Limit, AllNamespaces: namespace == "", Exact: collection.Exact(opts, at)}
	if opts.Continue != "" {
		var token collection.Continue
		if in.From, token, err = collection.DecodeContinue(opts.Continue, namespace, r.Kind.Namespaced); err != nil {
			return nil, err
		}
		at, in.Exact = token.Revision, token.Exact
		if opts.ResourceVersion != "" && opts.ResourceVersion != "0" {
			return nil, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
		}
	}
	if only, ok := sel.Namespace(); ok && in.AllNamespaces && r.Kind.Namespaced && only != "" && opts.Continue == "" && opts.Limit == 0 {
		namespace = only
	}
	snap, err := r.snapshot(ctx, namespace, opts, at)
	if opts.Continue != "" && (errors.Is(err, store.ErrCompacted) || err == nil && r.expired(at, in.Exact)) {
		return nil, collection.ExpiredContinue(in.From, in.AllNamespaces)
	}
	if err != nil {
		return nil, err
	}
	if name, ok := sel.Name(); ok && opts.Continue == "" && (namespace != "" || !r.Kind.Namespaced) {
		return collection.Pick(snap, object.Key{Namespace: namespace, Name: name}, sel), nil
	}
	if opts.ResourceVersion == "0" {
		in.Limit = 0 // upstream answers from its cache, which does not page
	}
	return collection.Cut(snap, in, sel), nil
}

// expired reports whether a list can no longer be continued at a revision.
func (r *resource) expired(at object.Revision, exact bool) bool {
	return !exact && at != collection.Latest && r.Reader.Expired(at)
}

// snapshot reads the collection as the options demand: at exactly the revision, no older than it,
// or, without one, the newest.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/cacher/delegator/interface.go, ShouldDelegateList
func (r *resource) snapshot(ctx context.Context, namespace string, opts *internalversion.ListOptions, at object.Revision) (Snapshot, error) {
	var err error
	switch {
	case collection.Exact(opts, at):
		snap, err := r.Reader.At(ctx, r.Stored.Resource(), namespace, at)
		switch {
		case errors.Is(err, store.ErrFuture):
			return nil, tooLargeRevision(at, r.Reader.List(r.Stored.Resource(), namespace).Revision(), 0) // as in etcd's client
		case err != nil:
			return nil, r.failure("list", namespace, "", err)
		}
		return snap, nil
	case at == collection.Latest:
		err = r.reach(ctx, "list", namespace, "", "")
	default:
		err = r.reach(ctx, "list", namespace, "", opts.ResourceVersion)
	}
	if err != nil {
		return nil, err
	}
	return r.Reader.List(r.Stored.Resource(), namespace), nil
}
