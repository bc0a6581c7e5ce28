package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Encode renders an object as a log body. It sets the object's TypeMeta and clears its
// resourceVersion. It fails if the object has no metadata at all, because every stored object has a
// name.
func Encode(t *Type, o Object) ([]byte, error) {
	encodes.Add(1)
	o.GetObjectKind().SetGroupVersionKind(t.GroupVersionKind())
	o.SetResourceVersion("")
	var body []byte
	var err error
	if u, custom := o.(*unstructured.Unstructured); custom {
		body, err = encodeCustom(t, u)
	} else {
		body, err = encodeTyped(t, o)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s %s/%s: %w", t.Resource(), o.GetNamespace(), o.GetName(), err)
	}
	prefix := Prefix(t)
	if !bytes.HasPrefix(body, []byte(prefix)) || len(body) == len(prefix) || body[len(prefix)] == '}' {
		return nil, fmt.Errorf("encode %s %s/%s: unexpected beginning of body", t.Resource(), o.GetNamespace(), o.GetName())
	}
	return body, nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled is the largest buffer that is kept for the next object.
const maxPooled = 64 << 10

// encodeTyped is json.Marshal except for the managedFields: they are a third of most objects and
// have been encoded before, so they are copied; json.Marshal would parse them to check that they
// are JSON.
func encodeTyped(t *Type, o Object) ([]byte, error) {
	buffer := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buffer.Cap() <= maxPooled {
			buffers.Put(buffer)
		}
	}()
	buffer.Reset()
	fields := o.GetManagedFields()
	o.SetManagedFields(nil)
	err := json.NewEncoder(buffer).Encode(o)
	o.SetManagedFields(fields)
	if err != nil {
		return nil, err
	}
	body := bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	if len(fields) == 0 {
		return bytes.Clone(body), nil
	}
	end := endOfMetadata(t, body)
	if end < 0 {
		return nil, fmt.Errorf("no metadata")
	}
	out := make([]byte, 0, len(body)+sizeOf(fields))
	out = append(append(out, body[:end]...), `,"managedFields":[`...)
	for i := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendEntry(out, &fields[i]); err != nil {
			return nil, err
		}
	}
	return append(append(out, ']'), body[end:]...), nil
}

// endOfMetadata returns the position of the metadata's closing brace in a body whose metadata is
// not empty; -1 for any other body.
func endOfMetadata(t *Type, body []byte) int {
	end := EndOfValue(body, len(Prefix(t)))
	if end > 0 && body[end-1] == '{' {
		return -1
	}
	return end
}

// EndOfValue returns the position of the brace or bracket that closes an object or a list in valid
// JSON, given any position between the two that is not inside a value of it; without its end, -1.
func EndOfValue(doc []byte, from int) int {
	depth := 1
	for i := from; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			i = endOfString(doc, i+1)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// sizeOf returns an upper bound of the entries' size as JSON, if nothing in them must be escaped.
func sizeOf(entries []metav1.ManagedFieldsEntry) int {
	const names = 160 // of an entry's members, its time, its operation, quotes and commas
	size := 0
	for i := range entries {
		e := &entries[i]
		size += names + len(e.Manager) + len(e.APIVersion) + len(e.FieldsType) + len(e.Subresource)
		if e.FieldsV1 != nil {
			size += len(e.FieldsV1.Raw)
		}
	}
	return size
}

// appendEntry appends an entry of managedFields as json.Marshal writes it.
func appendEntry(dst []byte, e *metav1.ManagedFieldsEntry) ([]byte, error) {
	if e.Time.IsZero() || e.FieldsV1 == nil || !sharedOf(e, e.FieldsV1.Raw).encodedAsIs() {
		entry, err := json.Marshal(e)
		return append(dst, entry...), err
	}
	dst = slices.Grow(dst, sizeOf([]metav1.ManagedFieldsEntry{*e}))
	dst = append(append(dst, `{"manager":"`...), e.Manager...)
	dst = append(append(dst, `","operation":"`...), e.Operation...)
	dst = append(append(dst, `","apiVersion":"`...), e.APIVersion...)
	dst = e.Time.UTC().AppendFormat(append(dst, `","time":"`...), time.RFC3339)
	dst = append(append(dst, `","fieldsType":"`...), e.FieldsType...)
	dst = append(append(dst, `","fieldsV1":`...), e.FieldsV1.Raw...)
	if e.Subresource != "" {
		dst = append(append(append(dst, `,"subresource":"`...), e.Subresource...), '"')
	}
	return append(dst, '}'), nil
}
