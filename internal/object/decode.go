package object

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Decoding is how all stored JSON of built-in types is decoded: as json.Unmarshal does, but without
// reading it once before to word errors as that does.
var Decoding = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// decodingOf returns how bodies of a built-in type with these Type.Parts are decoded.
func decodingOf(parts *json.Unmarshalers) json.Options {
	all := []*json.Unmarshalers{json.UnmarshalFromFunc(decodeTime), json.UnmarshalFromFunc(decodeFields)}
	if parts != nil {
		all = append(all, parts)
	}
	return json.JoinOptions(Decoding, json.WithUnmarshalers(json.JoinUnmarshalers(all...)))
}

// decodeTime does what metav1.Time.UnmarshalJSON does, which decodes the string as JSON once more.
func decodeTime(d *jsontext.Decoder, t *metav1.Time) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	if len(value) == len(`"2006-01-02T15:04:05Z"`) {
		if at, err := time.Parse(time.RFC3339, string(value[1:len(value)-1])); err == nil {
			t.Time = at.Local()
			return nil
		}
	}
	return t.UnmarshalJSON(value)
}

// decodeFields does what metav1.FieldsV1.UnmarshalJSON does, without room for growth.
func decodeFields(d *jsontext.Decoder, f *metav1.FieldsV1) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	if value.Kind() == 'n' {
		return nil
	}
	f.Raw = bytes.Clone(value)
	return nil
}
