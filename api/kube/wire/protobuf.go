package wire

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Protobuf is encoded from decoded objects on demand and not cached, because objects are stored as
// JSON. A document consists of four bytes and a runtime.Unknown with the object's kind and message.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go

// message is a type that encodes itself as protobuf.
type message = runtime.ProtobufReverseMarshaller

// protobufMagic is the start of every document.
const protobufMagic = "k8s\x00"

// Tags of fields that hold bytes: field number and wire type.
const (
	Tag1 = 1<<3 | 2
	Tag2 = 2<<3 | 2
)

// AppendProtobuf appends the document of a value, which must be an object with its kind set.
func AppendProtobuf(dst []byte, v any) ([]byte, error) {
	o, ok := v.(runtime.Object)
	if !ok {
		return dst, fmt.Errorf("%T has no protobuf form", v)
	}
	return AppendDocument(dst, o.GetObjectKind().GroupVersionKind(), v)
}

// AppendDocument appends the document of a message of the kind.
func AppendDocument(dst []byte, gvk schema.GroupVersionKind, v any) ([]byte, error) {
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
// the message.
func appendEnvelope(dst []byte, gvk schema.GroupVersionKind, size int) []byte {
	version := gvk.GroupVersion().String()
	dst = append(dst, protobufMagic...)
	dst = append(dst, Tag1)
	dst = protowire.AppendVarint(dst, uint64(2+protowire.SizeBytes(len(version))+protowire.SizeBytes(len(gvk.Kind))))
	dst = protowire.AppendString(append(dst, Tag1), version)
	dst = protowire.AppendString(append(dst, Tag2), gvk.Kind)
	return protowire.AppendVarint(append(dst, Tag2), uint64(size))
}

// envelopeEnd is the empty contentEncoding and contentType of a runtime.Unknown.
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

// FieldSize returns the size of a field whose content has size bytes.
func FieldSize(size int) int { return 1 + protowire.SizeBytes(size) }
