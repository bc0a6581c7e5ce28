package render

import (
	"encoding/json"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// Partial is an object reduced to its metadata, in the representation's version of meta.k8s.io.
func Partial(o object.Object, rep wire.Representation) *metav1.PartialObjectMetadata {
	p := meta.AsPartialObjectMetadata(o)
	p.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "PartialObjectMetadata"})
	if rep.Bare {
		p.ManagedFields = nil
	}
	return p
}

// appendPartial appends the object's metadata in the encoding of the representation.
func (r *Resource) appendPartial(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	p := Partial(r.decoded(v), rep)
	if rep.Encoding == wire.Protobuf {
		return wire.AppendProtobuf(dst, p)
	}
	doc, err := json.Marshal(p)
	return append(dst, doc...), err
}

// writePartialList sends a page as a list of metadata.
func (r *Resource) writePartialList(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *Page) error {
	gvk := schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "PartialObjectMetadataList"}
	if rep.Encoding == wire.Protobuf {
		l := wire.ProtobufList{
			Kind: gvk, Meta: p.meta(), MetaTag: wire.Tag1, ItemTag: wire.Tag2,
			Item: func(v *object.Version) any { return Partial(r.decoded(v), rep) },
		}
		if rep.Version == "v1beta1" {
			l.MetaTag, l.ItemTag = l.ItemTag, l.MetaTag
		}
		return l.Write(w, req, rep, p.Versions)
	}
	out := wire.NewAnswer(r.converter, w, req, rep, http.StatusOK)
	defer out.Free()
	out.Buf.B = appendListHead(out.Buf.B, gvk.Kind, gvk.GroupVersion().String(), p)
	for i, v := range p.Versions {
		more, err := out.Item(i, func(dst []byte) ([]byte, error) { return r.appendPartial(dst, rep, v) })
		if err != nil || !more {
			return err
		}
	}
	return out.End("]}\n")
}
