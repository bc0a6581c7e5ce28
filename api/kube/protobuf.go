package kube

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// Protobuf is made from decoded objects when it is asked for, and nobody keeps it: what is stored
// is JSON. A document is four bytes and a runtime.Unknown, which names the object's kind and holds
// its message.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go

// message is a type that encodes itself as protobuf.
type message = runtime.ProtobufReverseMarshaller

// protobufMagic is how every document begins.
const protobufMagic = "k8s\x00"

// Tags of fields that hold bytes: their numbers, and that a length follows.
const (
	tag1 = 1<<3 | 2
	tag2 = 2<<3 | 2
	tag3 = 3<<3 | 2
	tag4 = 4<<3 | 2
)

// appendProtobuf appends the document of a value, which must be an object with its kind.
func appendProtobuf(dst []byte, v any) ([]byte, error) {
	o, ok := v.(runtime.Object)
	if !ok {
		return dst, fmt.Errorf("%T has no protobuf form", v)
	}
	return appendDocument(dst, o.GetObjectKind().GroupVersionKind(), v)
}

// appendDocument appends the document of a message of the kind.
func appendDocument(dst []byte, gvk schema.GroupVersionKind, v any) ([]byte, error) {
	m, ok := v.(message)
	if !ok {
		return dst, fmt.Errorf("%T has no protobuf form", v)
	}
	size := m.Size()
	dst = appendEnvelope(dst, gvk, size)
	dst, err := appendMessage(dst, m, size)
	return append(dst, envelopeEnd...), err
}

// appendEnvelope appends a document up to its message, which has size bytes; envelopeEnd follows
// that.
func appendEnvelope(dst []byte, gvk schema.GroupVersionKind, size int) []byte {
	version := gvk.GroupVersion().String()
	dst = append(dst, protobufMagic...)
	dst = append(dst, tag1)
	dst = protowire.AppendVarint(dst, uint64(2+protowire.SizeBytes(len(version))+protowire.SizeBytes(len(gvk.Kind))))
	dst = protowire.AppendString(append(dst, tag1), version)
	dst = protowire.AppendString(append(dst, tag2), gvk.Kind)
	return protowire.AppendVarint(append(dst, tag2), uint64(size))
}

// envelopeEnd are the empty contentEncoding and contentType of a runtime.Unknown.
const envelopeEnd = "\x1a\x00\x22\x00"

// appendMessage appends a message of size bytes.
func appendMessage(dst []byte, m message, size int) ([]byte, error) {
	n := len(dst)
	dst = slices.Grow(dst, size+len(envelopeEnd))[:n+size]
	written, err := m.MarshalToSizedBuffer(dst[n:])
	if err == nil && written != size {
		err = fmt.Errorf("%T has %d bytes and wrote %d", m, size, written)
	}
	if err != nil {
		return dst[:n], err
	}
	return dst, nil
}

// appendField appends a message as a field of another.
func appendField(dst []byte, tag byte, m message) ([]byte, error) {
	size := m.Size()
	return appendMessage(protowire.AppendVarint(append(dst, tag), uint64(size)), m, size)
}

// fieldSize is how many bytes a field takes whose content has size bytes.
func fieldSize(size int) int { return 1 + protowire.SizeBytes(size) }

// decoded is the object of a version, in the served kind. It is shared and must not be changed. A
// version without a revision, which only a dry run has, gets no resourceVersion.
func (r *resource) decoded(v *object.Version) object.Object {
	o := r.object(v)
	if v.Revision == 0 {
		o = o.DeepCopyObject().(object.Object)
		o.SetResourceVersion("")
	}
	if r.kind.Stored != nil {
		o = r.kind.Stored.From(o)
	}
	return o
}

// shown is the object of a version as whole as the representation wants it.
func (r *resource) shown(rep representation, v *object.Version) object.Object {
	if rep.bare {
		return bareOf(r.decoded(v))
	}
	return r.decoded(v)
}

// bareOf is a copy of the object that has no managedFields and shares everything else.
func bareOf(o object.Object) object.Object {
	if u, ok := o.(*unstructured.Unstructured); ok {
		return bareCustom(u)
	}
	c := reflect.New(reflect.TypeOf(o).Elem())
	c.Elem().Set(reflect.ValueOf(o).Elem())
	bare := c.Interface().(object.Object)
	bare.SetManagedFields(nil)
	return bare
}

// appendObjectProtobuf appends the object's document.
func (r *resource) appendObjectProtobuf(dst []byte, rep representation, v *object.Version) ([]byte, error) {
	return appendDocument(dst, r.kind.GroupVersionKind(), r.shown(rep, v))
}

// protobufList is a list to be written as protobuf.
type protobufList struct {
	kind schema.GroupVersionKind
	meta metav1.ListMeta
	// items tells the messages of the versions.
	item func(*object.Version) any
	// metaTag and itemTag are the fields of the list; those of a lower number come first.
	metaTag, itemTag byte
}

// writeProtobufList sends a page as the kind's list.
func (r *resource) writeProtobufList(w http.ResponseWriter, req *http.Request, rep representation, p *page) error {
	gvk := r.kind.GroupVersionKind()
	gvk.Kind += "List"
	return protobufList{
		kind: gvk, meta: p.meta(), metaTag: tag1, itemTag: tag2,
		item: func(v *object.Version) any { return r.shown(rep, v) },
	}.write(w, req, rep, p.versions)
}

// write sends the list. As it says its length before anything else, items are sized first; a long
// one leaves in pieces.
func (l protobufList) write(w http.ResponseWriter, req *http.Request, rep representation, versions []*object.Version) error {
	items, sizes := make([]message, len(versions)), make([]int, len(versions))
	size := fieldSize(l.meta.Size())
	for i, v := range versions {
		item := l.item(v)
		m, ok := item.(message)
		if !ok {
			return fmt.Errorf("%T has no protobuf form", item)
		}
		items[i], sizes[i] = m, m.Size()
		size += fieldSize(sizes[i])
	}
	out := newAnswer(nil, w, req, rep, http.StatusOK)
	defer out.free()
	out.buf.b = appendEnvelope(out.buf.b, l.kind, size)
	var err error
	if l.metaTag < l.itemTag {
		if out.buf.b, err = appendField(out.buf.b, l.metaTag, &l.meta); err != nil {
			return err
		}
	}
	for i, m := range items {
		if out.buf.b, err = appendMessage(protowire.AppendVarint(append(out.buf.b, l.itemTag), uint64(sizes[i])), m, sizes[i]); err != nil {
			return err
		}
		if !out.flush() {
			return nil // the client is gone, and part of the answer with it
		}
	}
	if l.metaTag > l.itemTag {
		if out.buf.b, err = appendField(out.buf.b, l.metaTag, &l.meta); err != nil {
			return err
		}
	}
	out.buf.b = append(out.buf.b, envelopeEnd...)
	return out.finish()
}
