package wire

import (
	"fmt"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// ProtobufList is a list to encode as protobuf.
type ProtobufList struct {
	Kind schema.GroupVersionKind
	Meta metav1.ListMeta
	// Item returns the message of a version.
	Item func(*object.Version) any
	// MetaTag and ItemTag are the fields of the list; the one with the lower number comes first.
	MetaTag, ItemTag byte
}

// Write sends the list. It computes the sizes of all items first, because the encoding starts with
// the total length; a long list is sent in parts.
func (l ProtobufList) Write(w http.ResponseWriter, req *http.Request, rep Representation, versions []*object.Version) error {
	items, sizes := make([]message, len(versions)), make([]int, len(versions))
	size := FieldSize(l.Meta.Size())
	for i, v := range versions {
		item := l.Item(v)
		m, ok := item.(message)
		if !ok {
			return fmt.Errorf("%T has no protobuf form", item)
		}
		items[i], sizes[i] = m, m.Size()
		size += FieldSize(sizes[i])
	}
	out := NewAnswer(nil, w, req, rep, http.StatusOK)
	defer out.Free()
	out.Buf.B = appendEnvelope(out.Buf.B, l.Kind, size)
	var err error
	if l.MetaTag < l.ItemTag {
		if out.Buf.B, err = appendField(out.Buf.B, l.MetaTag, &l.Meta); err != nil {
			return err
		}
	}
	for i, m := range items {
		if out.Buf.B, err = appendMessage(protowire.AppendVarint(append(out.Buf.B, l.ItemTag), uint64(sizes[i])), m, sizes[i]); err != nil {
			return err
		}
		if !out.flush() {
			return nil // the client has disconnected in the middle of the answer
		}
	}
	if l.MetaTag > l.ItemTag {
		if out.Buf.B, err = appendField(out.Buf.B, l.MetaTag, &l.Meta); err != nil {
			return err
		}
	}
	out.Buf.B = append(out.Buf.B, envelopeEnd...)
	return out.Finish()
}
