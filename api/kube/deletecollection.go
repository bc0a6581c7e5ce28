package kube

import (
	"net/http"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// deleteCollection serves DELETE on a collection: it deletes each selected object as a DELETE of
// its own, and returns their list. It is not one transaction; the first error ends it.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, DeleteCollection
func (r *resource) deleteCollection(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, r.objects())
	if err != nil {
		return err
	}
	list, err := collection.Options(req)
	if err != nil {
		return err
	}
	sel, err := collection.Select(&r.Resource, list.LabelSelector, list.FieldSelector)
	if err != nil {
		return err
	}
	opts, err := r.deleteOptions(req)
	if err != nil {
		return err
	}
	wire.AddWarning(w, registry.DeletionWarning(r.Kind, opts))
	ctx := req.Context()
	p, err := r.page(ctx, wire.PathValue(req, "namespace"), list, sel)
	if err != nil {
		return err
	}
	if err := r.deleteAll(req, p.Versions, func(v *object.Version) error {
		if err := registry.AdmitDelete(r.Kind, v.Name); err != nil {
			return err
		}
		_, _, err := r.commitDelete(ctx, removal{namespace: v.Namespace, name: v.Name, opts: opts, writer: WriterOf(req)})
		return err
	}); err != nil {
		return err
	}
	switch rep.As {
	case "Table", "PartialObjectMetadataList":
		return r.WritePage(w, req, rep, p)
	}
	return r.WriteList(w, req, rep, p)
}

// deleteWorkers limits the concurrent deletions of a collection. The store batches concurrent
// commits.
const deleteWorkers = 64

// deleteAll deletes the versions, several at a time. It ignores objects that are already deleted.
func (r *resource) deleteAll(req *http.Request, versions []*object.Version, remove func(*object.Version) error) error {
	var g errgroup.Group
	g.SetLimit(deleteWorkers)
	for _, v := range versions {
		if req.Context().Err() != nil {
			break
		}
		g.Go(func() error {
			if err := contain.Call(func() error { return remove(v) }); err != nil && !apierrors.IsNotFound(err) {
				return err
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return req.Context().Err()
}
