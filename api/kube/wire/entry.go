package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// maxBodyEntries limits the total entries of all lists and maps of a body. An entry of two bytes
// can become a kilobyte in memory, and an error in the answer.
//
// Differs: upstream has no such limit.
const maxBodyEntries = 200_000

var errEntries = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("all lists and maps together may have no more than %d entries", maxBodyEntries))

// CheckEntries rejects a body for the object into with more than maxBodyEntries. The body need not
// be valid.
func CheckEntries(body []byte, media string, into runtime.Object) error {
	if len(body) <= 2*maxBodyEntries { // each takes at least two bytes
		return nil
	}
	n := 0
	switch media {
	case MediaProtobuf:
		n = documentEntries(body, reflect.TypeOf(into))
	case MediaYAML:
		converted, err := yaml.YAMLToJSON(body)
		if err != nil {
			return nil //nolint:nilerr // the decoder reports the error
		}
		n = jsonEntries(converted)
	default:
		n = jsonEntries(body)
	}
	if n > maxBodyEntries {
		return errEntries
	}
	return nil
}

// jsonEntries counts the entries of all lists and maps.
func jsonEntries(doc []byte) (n int) {
	quoted := false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '{' || c == '['):
			n++
		}
	}
	return n
}

// documentEntries counts the entries of all lists and maps in a protobuf document of an object of
// this type.
func documentEntries(body []byte, t reflect.Type) (n int) {
	w := typeWalk{fields: map[reflect.Type]map[protowire.Number]reflect.Type{}}
	raw := protowire.Number(2) // the field raw of a runtime.Unknown
	w.each(body[min(len(body), len(protobufMagic)):], func(number protowire.Number, value []byte) {
		if number == raw {
			n += w.entries(value, t)
		}
	})
	return n
}

// typeWalk counts entries in messages. It derives the message types from the tags of Go's types.
type typeWalk struct {
	fields map[reflect.Type]map[protowire.Number]reflect.Type
}

// each calls f for the fields of a message, with the value of strings, bytes and messages. It stops
// at invalid data.
func (w typeWalk) each(message []byte, f func(number protowire.Number, value []byte)) {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return
		}
		message = message[size:]
		if size = protowire.ConsumeFieldValue(number, kind, message); size < 0 {
			return
		}
		var value []byte
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(message)
		}
		f(number, value)
		message = message[size:]
	}
}

// entries counts the entries of a message for a value of the type.
func (w typeWalk) entries(message []byte, t reflect.Type) (n int) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return 0
	}
	w.each(message, func(number protowire.Number, value []byte) {
		field := w.field(t, number)
		if field == nil {
			return
		}
		if field.Kind() == reflect.Slice || field.Kind() == reflect.Map {
			n++
			field = field.Elem()
		}
		n += w.entries(value, field)
	})
	return n
}

// field returns the type of the struct field with this number, or nil.
func (w typeWalk) field(t reflect.Type, number protowire.Number) reflect.Type {
	byNumber, known := w.fields[t]
	if !known {
		byNumber = make(map[protowire.Number]reflect.Type, t.NumField())
		for i := range t.NumField() {
			tag := strings.Split(t.Field(i).Tag.Get("protobuf"), ",")
			if len(tag) < 2 {
				continue
			}
			if n, err := strconv.Atoi(tag[1]); err == nil {
				byNumber[protowire.Number(n)] = t.Field(i).Type
			}
		}
		w.fields[t] = byNumber
	}
	return byNumber[number]
}
