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

// maxBodyEntries is how many entries all lists and maps of a body may have together. An entry of
// two bytes can stand for a kilobyte in memory, and for an error of its own in the answer.
//
// Differs: upstream has no such bound.
const maxBodyEntries = 200_000

var errEntries = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("all lists and maps together may have no more than %d entries", maxBodyEntries))

// CheckEntries refuses a body for the object "into" that has more than maxBodyEntries. It need not
// be valid.
func CheckEntries(body []byte, media string, into runtime.Object) error {
	if len(body) <= 2*maxBodyEntries { // each takes two bytes at least
		return nil
	}
	n := 0
	switch media {
	case MediaProtobuf:
		n = documentEntries(body, reflect.TypeOf(into))
	case MediaYAML:
		converted, err := yaml.YAMLToJSON(body)
		if err != nil {
			return nil //nolint:nilerr // whoever decodes the body says what is wrong with it
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

// jsonEntries counts what begins a list, a map or a further entry of one.
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
// the type.
func documentEntries(body []byte, t reflect.Type) (n int) {
	w := typeWalk{fields: map[reflect.Type]map[protowire.Number]reflect.Type{}}
	raw := protowire.Number(2) // of a runtime.Unknown
	w.each(body[min(len(body), len(protobufMagic)):], func(number protowire.Number, value []byte) {
		if number == raw {
			n += w.entries(value, t)
		}
	})
	return n
}

// typeWalk counts entries in messages whose types it learns from the tags of Go's.
type typeWalk struct {
	fields map[reflect.Type]map[protowire.Number]reflect.Type
}

// each calls f for the fields of a message, with the value of those that are strings, bytes or
// messages. It stops where the message is broken.
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

// entries counts those of a message for a value of the type.
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

// field is the type of a struct's field that has the number; nil if none has.
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
