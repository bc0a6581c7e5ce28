package render

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// WriteList sends a page as the kind's list. Items are assembled from stored bytes; a long list is
// sent in pieces.
func (r *Resource) WriteList(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *Page) error {
	if rep.Encoding == wire.Protobuf {
		return r.writeProtobufList(w, req, rep, p)
	}
	out := wire.NewAnswer(r.converter, w, req, rep, http.StatusOK)
	defer out.Free()
	out.Buf.B = appendListHead(out.Buf.B, r.Kind.Kind+"List", r.Kind.GroupVersion().String(), p)
	var v *object.Version
	item := func(dst []byte) ([]byte, error) { return r.appendItem(dst, rep, v) } // one for all items
	for i := range p.Versions {
		v = p.Versions[i]
		more, err := out.Item(i, item)
		if err != nil || !more {
			return err
		}
	}
	return out.End("]}\n")
}

// appendItem appends an object as an item of its list.
func (r *Resource) appendItem(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	switch {
	case r.Kind.Custom != nil: // items have apiVersion and kind, as upstream's do
		return r.AppendObject(dst, rep, v)
	case r.Kind.Stored != nil:
		return r.appendView(dst, rep, v, schema.GroupVersionKind{})
	case rep.Bare:
		return v.AppendBareItemJSON(dst), nil
	}
	return v.AppendItemJSON(dst), nil
}
