package kube

import (
	"context"
	"math"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/watching"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// watch streams the changes of a collection.
//
// A watch without a revision, or from "0", starts with an ADDED for every existing object. With
// sendInitialEvents and bookmarks, a bookmark with the annotation k8s.io/initial-events-end
// follows. A watch from a revision continues after it.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/get.go, handleWatch, and
// .../pkg/storage/cacher/cacher.go, Watch
func (r *resource) watch(w http.ResponseWriter, req *http.Request, rep wire.Representation, opts *internalversion.ListOptions, sel collection.Selection) error {
	if rep.As == "PartialObjectMetadataList" {
		return r.NotAList()
	}
	ctx, cancel := context.WithTimeout(req.Context(), r.watchTimeout(opts))
	defer cancel()
	if r.Stored.Custom != nil {
		defer watching.EndWith(r.Stored.Custom.Life, cancel)()
	}

	namespace := wire.PathValue(req, "namespace")
	initial, from, err := r.watchStart(ctx, namespace, opts)
	if err != nil {
		return err
	}
	events, err := r.Reader.Watch(r.Stored.Resource(), namespace, from)
	if err != nil {
		return r.failure("watch", namespace, "", err)
	}
	defer events.Close()

	out, err := r.watches.NewStream(&r.Resource, w, req, rep)
	if err != nil {
		return err
	}
	out.Serve(ctx, watching.Watch{
		Initial: initial, Events: events, Selection: sel, Bookmarks: opts.AllowWatchBookmarks,
		Failed: func(err error) *metav1.Status { return r.Status(r.failure("watch", namespace, "", err)) },
	})
	return nil
}

// maxWatchSeconds is the longest watch, about as long as a time.Duration can represent.
const maxWatchSeconds = math.MaxInt64 / int64(time.Second)

// watchTimeout returns how long the watch may last.
func (r *resource) watchTimeout(opts *internalversion.ListOptions) time.Duration {
	if opts.TimeoutSeconds != nil && *opts.TimeoutSeconds != 0 { // a negative timeout ends at once
		return time.Duration(max(-1, min(*opts.TimeoutSeconds, maxWatchSeconds))) * time.Second
	}
	return time.Duration(float64(r.MinWatchTimeout) * (1 + r.Jitter()))
}

// watchStart returns where a watch starts: at a snapshot, whose objects are sent as ADDED, or after
// a revision.
func (r *resource) watchStart(ctx context.Context, namespace string, opts *internalversion.ListOptions) (Snapshot, object.Revision, error) {
	rev, invalid := wire.ReadRevision(opts.ResourceVersion)
	if invalid != nil {
		return nil, 0, registry.Untyped(invalid)
	}
	wantsInitial := opts.SendInitialEvents != nil && *opts.SendInitialEvents
	if rev > 0 && !wantsInitial {
		return nil, rev, nil
	}
	if err := r.reach(ctx, "watch", namespace, "", opts.ResourceVersion); err != nil {
		return nil, 0, err
	}
	snap := r.Reader.List(r.Stored.Resource(), namespace)
	if wantsInitial {
		return snap, snap.Revision(), nil
	}
	return nil, snap.Revision(), nil
}

// watchAll serves the deprecated paths under /watch/, for a collection or for one name.
func (r *resource) watchAll(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, r.collections())
	if err != nil {
		return err
	}
	opts := new(internalversion.ListOptions)
	if err := wire.DecodeQuery(req, opts); err != nil {
		return err
	}
	opts.Watch = true
	opts, err = collection.JudgeOptions(opts)
	if err != nil {
		return err
	}
	if name := wire.PathValue(req, "name"); name != "" {
		if err := selectName(opts, name); err != nil {
			return err
		}
	}
	sel, err := collection.Select(&r.Resource, opts.LabelSelector, opts.FieldSelector)
	if err != nil {
		return err
	}
	return r.watch(w, req, rep, opts, sel)
}

// selectName narrows a watch to one name.
func selectName(opts *internalversion.ListOptions, name string) error {
	only := collection.NameSelector(name)
	if opts.FieldSelector == nil || opts.FieldSelector.Empty() {
		opts.FieldSelector = only
		return nil
	}
	if selected, ok := opts.FieldSelector.RequiresExactMatch(collection.NameField); !ok || selected != name {
		return apierrors.NewBadRequest("fieldSelector metadata.name doesn't match requested name")
	}
	return nil
}
