package kube

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// listOrWatch serves GET on a collection.
func (r *resource) listOrWatch(w http.ResponseWriter, req *http.Request) error {
	rep, opts, err := listQuestion(req, r.collections())
	if err != nil {
		return err
	}
	sel, err := r.selection(opts.LabelSelector, opts.FieldSelector)
	if err != nil {
		return err
	}
	if opts.Watch {
		return r.watch(w, req, rep, opts, sel)
	}
	return r.list(w, req, rep, opts, sel)
}

// listQuestion is what a GET on a collection asks for, and in which form.
func listQuestion(req *http.Request, o *wire.Offer) (wire.Representation, *internalversion.ListOptions, error) {
	rep, err := wire.Negotiate(req, o)
	if err != nil {
		return rep, nil, err
	}
	opts, err := listOptions(req)
	return rep, opts, err
}

// listOptions reads and judges the options of a list or watch.
func listOptions(req *http.Request) (*internalversion.ListOptions, error) {
	opts := new(internalversion.ListOptions)
	if err := wire.DecodeQuery(req, opts); err != nil {
		return nil, err
	}
	return judgeListOptions(opts)
}

// judgeListOptions fills in defaults and refuses contradictions.
func judgeListOptions(opts *internalversion.ListOptions) (*internalversion.ListOptions, error) {
	internalversion.SetListOptionsDefaults(opts, true)
	return opts, wire.InvalidOptions("ListOptions", validation.ValidateListOptions(opts, true))
}

// list sends one page of a list, or all of it.
func (r *resource) list(w http.ResponseWriter, req *http.Request, rep wire.Representation, opts *internalversion.ListOptions, sel selection) error {
	p, err := r.page(req.Context(), wire.PathValue(req, "namespace"), opts, sel)
	if err != nil {
		return err
	}
	switch rep.As {
	case "":
		return r.writeList(w, req, rep, p)
	case "Table":
		return r.writeTable(w, req, rep, p)
	case "PartialObjectMetadataList":
		return r.writePartialList(w, req, rep, p)
	}
	return r.isAList()
}

// page is one page of a list: the versions, and what the list's metadata says.
type page struct {
	versions  []*object.Version
	revision  object.Revision
	next      string // the token for the next page, "" on the last
	remaining *int64 // how many objects follow; nil where that is not known
}

// meta is the list's metadata.
func (p *page) meta() metav1.ListMeta {
	return metav1.ListMeta{ResourceVersion: p.revision.ResourceVersion(), Continue: p.next, RemainingItemCount: p.remaining}
}

// page reads one page.
func (r *resource) page(ctx context.Context, namespace string, opts *internalversion.ListOptions, sel selection) (*page, error) {
	from := object.Key{}
	at, err := wire.ParseRevision(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if opts.Continue != "" {
		if from, at, err = decodeContinue(opts.Continue, namespace, r.kind.Namespaced); err != nil {
			return nil, err
		}
		if opts.ResourceVersion != "" && opts.ResourceVersion != "0" {
			return nil, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
		}
	}
	allNamespaces := namespace == ""
	if only, ok := sel.namespace(); ok && allNamespaces && r.kind.Namespaced && only != "" && opts.Continue == "" && opts.Limit == 0 {
		namespace = only
	}
	snap, err := r.snapshot(ctx, namespace, opts, at)
	if errors.Is(err, store.ErrCompacted) && opts.Continue != "" {
		return nil, expiredContinue(from, allNamespaces)
	}
	if err != nil {
		return nil, err
	}
	if name, ok := sel.name(); ok && opts.Continue == "" && (namespace != "" || !r.kind.Namespaced) {
		return pick(snap, object.Key{Namespace: namespace, Name: name}, sel), nil
	}
	limit := opts.Limit
	if opts.ResourceVersion == "0" {
		limit = 0 // upstream answers from its cache, which has no pages
	}
	return cut(snap, from, limit, sel, allNamespaces), nil
}

// pick takes the one object that can match out of a snapshot.
func pick(snap Snapshot, key object.Key, sel selection) *page {
	p := &page{revision: snap.Revision()}
	snap.Ascend(key, func(v *object.Version) bool {
		if v.Namespace == key.Namespace && v.Name == key.Name && sel.matches(v) {
			p.versions = append(p.versions, v)
		}
		return false
	})
	return p
}

// exact says whether a list is to be read at exactly a revision.
func exact(opts *internalversion.ListOptions, at object.Revision) bool {
	return opts.ResourceVersionMatch == metav1.ResourceVersionMatchExact ||
		opts.ResourceVersionMatch == "" && at > 0 && (opts.Limit > 0 || opts.Continue != "")
}

// snapshot reads the collection as the options demand: at exactly the revision, no older than it,
// or, without one, as of now.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/cacher/delegator/interface.go, ShouldDelegateList
func (r *resource) snapshot(ctx context.Context, namespace string, opts *internalversion.ListOptions, at object.Revision) (Snapshot, error) {
	var err error
	switch {
	case exact(opts, at):
		snap, err := r.Reader.At(ctx, r.stored.Resource(), namespace, at)
		switch {
		case errors.Is(err, store.ErrFuture):
			return nil, tooLargeRevision(at, r.Reader.List(r.stored.Resource(), namespace).Revision(), 0) // as etcd's client has it
		case err != nil:
			return nil, r.failure("list", namespace, "", err)
		}
		return snap, nil
	case at == latest:
		err = r.reach(ctx, "list", namespace, "", "")
	default:
		err = r.reach(ctx, "list", namespace, "", opts.ResourceVersion)
	}
	if err != nil {
		return nil, err
	}
	return r.Reader.List(r.stored.Resource(), namespace), nil
}

// cut takes the page that begins at the key out of a snapshot. A limit of 0 takes everything.
func cut(snap Snapshot, from object.Key, limit int64, sel selection, allNamespaces bool) *page {
	p := &page{revision: snap.Revision()}
	size := int64(snap.Len())
	if limit > 0 && limit < size {
		size = limit
	}
	if sel.everything() {
		p.versions = make([]*object.Version, 0, size)
	}
	rest := int64(0)
	snap.Ascend(from, func(v *object.Version) bool {
		switch {
		case limit > 0 && int64(len(p.versions)) == limit && sel.everything():
			rest++
		case !sel.matches(v):
		case limit > 0 && int64(len(p.versions)) == limit:
			rest++
			return false
		default:
			p.versions = append(p.versions, v)
		}
		return true
	})
	if rest > 0 {
		p.next = encodeContinue(p.versions[len(p.versions)-1].Key(), allNamespaces, p.revision)
		if sel.everything() {
			p.remaining = &rest
		}
	}
	return p
}

// expiredContinue is the 410 for a page whose revision has been compacted. Its token continues at
// the newest one.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/errors.go, handleCompactedErrorForPaging
func expiredContinue(from object.Key, allNamespaces bool) error {
	err := apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent list result. " +
		"You can start a new list without the continue parameter, or use the continue token in this response to retrieve " +
		"the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that " +
		"were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.")
	from.Name = trimNUL(from.Name)
	err.ErrStatus.Continue = encodeContinue(from, allNamespaces, latest)
	return err
}

// trimNUL takes the last byte off a start key that goes on behind a name.
func trimNUL(name string) string {
	if n := len(name); n > 0 && name[n-1] == 0 {
		return name[:n-1]
	}
	return name
}

// writeList sends a page as the kind's list. The items are spliced together as they are stored; a
// long list leaves in pieces.
func (r *resource) writeList(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *page) error {
	if rep.Encoding == wire.Protobuf {
		return r.writeProtobufList(w, req, rep, p)
	}
	out := wire.NewAnswer(r.conversions, w, req, rep, http.StatusOK)
	defer out.Free()
	out.Buf.B = appendListHead(out.Buf.B, r.kind.Kind+"List", r.kind.GroupVersion().String(), p)
	for i, v := range p.versions {
		more, err := out.Item(i, func(dst []byte) ([]byte, error) { return r.appendItem(dst, rep, v) })
		if err != nil || !more {
			return err
		}
	}
	return out.End("]}\n")
}

// appendItem appends an object as an item of its list.
func (r *resource) appendItem(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	switch {
	case r.kind.Custom != nil: // with their kinds, as upstream sends them
		return r.appendObject(dst, rep, v)
	case r.kind.Stored != nil:
		return r.appendView(dst, rep, v, schema.GroupVersionKind{})
	case rep.Bare:
		return v.AppendBareItemJSON(dst), nil
	}
	return v.AppendItemJSON(dst), nil
}

// appendListHead appends a list up to its first item.
func appendListHead(dst []byte, kind, apiVersion string, p *page) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(dst, kind...)
	dst = append(dst, `","apiVersion":"`...)
	dst = append(dst, apiVersion...)
	dst = append(dst, `","metadata":{"resourceVersion":"`...)
	dst = strconv.AppendInt(dst, int64(p.revision), 10)
	dst = append(dst, '"')
	if p.next != "" {
		dst = append(dst, `,"continue":"`...)
		dst = append(dst, p.next...)
		dst = append(dst, '"')
	}
	if p.remaining != nil {
		dst = append(dst, `,"remainingItemCount":`...)
		dst = strconv.AppendInt(dst, *p.remaining, 10)
	}
	return append(dst, `},"items":[`...)
}
