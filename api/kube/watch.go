package kube

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// watch streams the changes of a collection.
//
// A watch from no revision, or from "0", begins with an ADDED for every object that there is. With
// sendInitialEvents and bookmarks, a bookmark with the annotation k8s.io/initial-events-end follows
// those. A watch from a revision goes on behind it.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/get.go, handleWatch, and
// .../pkg/storage/cacher/cacher.go, Watch
func (r *resource) watch(w http.ResponseWriter, req *http.Request, rep wire.Representation, opts *internalversion.ListOptions, sel selection) error {
	if rep.As == "PartialObjectMetadataList" {
		return r.notAList()
	}
	ctx, cancel := context.WithTimeout(req.Context(), r.watchTimeout(opts))
	defer cancel()
	if r.stored.Custom != nil {
		defer endWith(r.stored.Custom.Life, cancel)()
	}

	namespace := wire.PathValue(req, "namespace")
	initial, from, err := r.watchStart(ctx, namespace, opts)
	if err != nil {
		return err
	}
	events, err := r.Reader.Watch(r.stored.Resource(), namespace, from)
	if err != nil {
		return r.failure("watch", namespace, "", err)
	}
	defer events.Close()

	out, err := r.newStream(w, req, rep)
	if err != nil {
		return err
	}
	run := func(ctx context.Context) {
		err := r.stream(ctx, out, initial, events, opts, sel)
		switch until := r.until(); {
		case !errors.Is(err, errGone):
			_ = out.sendStatus(r.Status(r.failure("watch", namespace, "", err))) // the stream ends either way
		case until > 0:
			_ = out.sendRest(req.Context(), events, sel, until) // as above
		}
	}
	if wire.WantsSocket(req) {
		out.overSocket(ctx, run)
		return nil
	}
	out.open()
	run(ctx)
	return nil
}

// maxWatchSeconds is the longest watch, about as long as a time.Duration can say.
const maxWatchSeconds = math.MaxInt64 / int64(time.Second)

// watchTimeout is how long the watch may last.
func (r *resource) watchTimeout(opts *internalversion.ListOptions) time.Duration {
	if opts.TimeoutSeconds != nil && *opts.TimeoutSeconds != 0 { // one below zero is over at once
		return time.Duration(max(-1, min(*opts.TimeoutSeconds, maxWatchSeconds))) * time.Second
	}
	return time.Duration(float64(r.MinWatchTimeout) * (1 + r.Jitter()))
}

// watchStart decides where a watch begins: at a snapshot, all of which is sent as ADDED, or behind
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
	snap := r.Reader.List(r.stored.Resource(), namespace)
	if wantsInitial {
		return snap, snap.Revision(), nil
	}
	return nil, snap.Revision(), nil
}

// errGone says that the client has hung up or that the watch's time is over: there is nobody to
// tell.
var errGone = errors.New("the watch is over")

// stream sends the snapshot's objects and then the changes until the watch ends. It returns errGone
// for an ordinary end, else what to tell the client.
func (r *resource) stream(ctx context.Context, out *stream, initial Snapshot, events Watch, opts *internalversion.ListOptions, sel selection) error {
	if initial != nil {
		if err := out.sendInitial(initial, sel); err != nil {
			return err
		}
		if opts.AllowWatchBookmarks {
			if err := out.sendBookmark(initial.Revision(), true); err != nil {
				return err
			}
		}
	}
	if err := out.flush(); err != nil {
		return err
	}
	for {
		if ctx.Err() != nil {
			return errGone // although there may be more to send
		}
		wait, cancel := r.untilBookmark(ctx, opts.AllowWatchBookmarks)
		err := r.relay(wait, out, events, sel)
		due := wait.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil, errors.Is(err, ErrUnavailable):
			// Without the database there is nothing to tell: the client comes back, perhaps to
			// another replica.
			return errGone
		case !due:
			return err
		}
		if err := out.sendBookmark(events.Revision(), false); err != nil {
			return err
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
}

// bookmarkBeforeEnd is how long before its end a watch sends a last bookmark, so that the client
// goes on from there.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go, nextBookmarkTime
const bookmarkBeforeEnd = 2 * time.Second

// untilBookmark is a context that ends when the next bookmark is due.
func (r *resource) untilBookmark(ctx context.Context, bookmarks bool) (context.Context, context.CancelFunc) {
	if !bookmarks {
		return context.WithCancel(ctx)
	}
	due := time.Now().Add(r.BookmarkEvery)
	if end, ok := ctx.Deadline(); ok {
		if last := end.Add(-bookmarkBeforeEnd); last.Before(due) && time.Now().Before(last) {
			due = last
		}
	}
	return context.WithDeadline(ctx, due)
}

// relay sends changes until the context ends or something fails. What is waiting is sent in one
// piece.
func (r *resource) relay(ctx context.Context, out *stream, events Watch, sel selection) error {
	for {
		event, err := events.Next(ctx)
		if err != nil {
			return err
		}
		if err := out.sendEvent(event, sel); err != nil {
			return err
		}
		if !events.Pending() {
			if err := out.flush(); err != nil {
				return err
			}
		}
	}
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
	opts, err = judgeListOptions(opts)
	if err != nil {
		return err
	}
	if name := wire.PathValue(req, "name"); name != "" {
		if err := selectName(opts, name); err != nil {
			return err
		}
	}
	sel, err := r.selection(opts.LabelSelector, opts.FieldSelector)
	if err != nil {
		return err
	}
	return r.watch(w, req, rep, opts, sel)
}

// selectName narrows a watch to one name.
func selectName(opts *internalversion.ListOptions, name string) error {
	only := nameSelector(name)
	if opts.FieldSelector == nil || opts.FieldSelector.Empty() {
		opts.FieldSelector = only
		return nil
	}
	if selected, ok := opts.FieldSelector.RequiresExactMatch(nameField); !ok || selected != name {
		return apierrors.NewBadRequest("fieldSelector metadata.name doesn't match requested name")
	}
	return nil
}
