package kube

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// partialOf is an object reduced to its metadata, in the representation's version of meta.k8s.io.
func partialOf(o object.Object, rep wire.Representation) *metav1.PartialObjectMetadata {
	p := meta.AsPartialObjectMetadata(o)
	p.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "PartialObjectMetadata"})
	if rep.Bare {
		p.ManagedFields = nil
	}
	return p
}

// appendPartial appends the object's metadata in the encoding of the representation.
func (r *resource) appendPartial(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	p := partialOf(r.decoded(v), rep)
	if rep.Encoding == wire.Protobuf {
		return wire.AppendProtobuf(dst, p)
	}
	doc, err := json.Marshal(p)
	return append(dst, doc...), err
}

// writePartialList sends a page as a list of metadata.
func (r *resource) writePartialList(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *page) error {
	gvk := schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "PartialObjectMetadataList"}
	if rep.Encoding == wire.Protobuf {
		l := wire.ProtobufList{
			Kind: gvk, Meta: p.meta(), MetaTag: wire.Tag1, ItemTag: wire.Tag2,
			Item: func(v *object.Version) any { return partialOf(r.decoded(v), rep) },
		}
		if rep.Version == "v1beta1" {
			l.MetaTag, l.ItemTag = l.ItemTag, l.MetaTag
		}
		return l.Write(w, req, rep, p.versions)
	}
	out := wire.NewAnswer(r.conversions, w, req, rep, http.StatusOK)
	defer out.Free()
	out.Buf.B = appendListHead(out.Buf.B, gvk.Kind, gvk.GroupVersion().String(), p)
	for i, v := range p.versions {
		more, err := out.Item(i, func(dst []byte) ([]byte, error) { return r.appendPartial(dst, rep, v) })
		if err != nil || !more {
			return err
		}
	}
	return out.End("]}\n")
}

// goType is how errors name a Go type, "*v1.Pod".
func goType(v any) string { return fmt.Sprintf("%T", v) }
