package kube

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// partialOf is an object reduced to its metadata, in the representation's version of meta.k8s.io.
func partialOf(o object.Object, rep representation) *metav1.PartialObjectMetadata {
	p := meta.AsPartialObjectMetadata(o)
	p.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.version, Kind: "PartialObjectMetadata"})
	if rep.bare {
		p.ManagedFields = nil
	}
	return p
}

// appendPartial appends the object's metadata in the encoding of the representation.
func (r *resource) appendPartial(dst []byte, rep representation, v *object.Version) ([]byte, error) {
	p := partialOf(r.decoded(v), rep)
	if rep.encoding == asProtobuf {
		return appendProtobuf(dst, p)
	}
	doc, err := json.Marshal(p)
	return append(dst, doc...), err
}

// writePartialList sends a page as a list of metadata.
func (r *resource) writePartialList(w http.ResponseWriter, req *http.Request, rep representation, p *page) error {
	gvk := schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.version, Kind: "PartialObjectMetadataList"}
	if rep.encoding == asProtobuf {
		l := protobufList{
			kind: gvk, meta: p.meta(), metaTag: tag1, itemTag: tag2,
			item: func(v *object.Version) any { return partialOf(r.decoded(v), rep) },
		}
		if rep.version == "v1beta1" {
			l.metaTag, l.itemTag = l.itemTag, l.metaTag
		}
		return l.write(w, req, rep, p.versions)
	}
	out := newAnswer(r.conversions, w, req, rep, http.StatusOK)
	defer out.free()
	out.buf.b = appendListHead(out.buf.b, gvk.Kind, gvk.GroupVersion().String(), p)
	for i, v := range p.versions {
		more, err := out.item(i, func(dst []byte) ([]byte, error) { return r.appendPartial(dst, rep, v) })
		if err != nil || !more {
			return err
		}
	}
	return out.end("]}\n")
}

// goType is how errors name a Go type, "*v1.Pod".
func goType(v any) string { return fmt.Sprintf("%T", v) }
