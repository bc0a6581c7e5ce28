package object

import (
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
	all := []*json.Unmarshalers{json.UnmarshalFromFunc(decodeTime), json.UnmarshalFromFunc(decodeEntry)}
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
	if at, ok := parseTime(value); ok {
		t.Time = at
		return nil
	}
	return t.UnmarshalJSON(value)
}

// timeSize is the size in bytes of a time as our encoder writes it.
const timeSize = len(`"2006-01-02T15:04:05Z"`)

// parseTime parses the JSON of a time; false if our encoder would write it in another way.
func parseTime(quoted []byte) (time.Time, bool) {
	if len(quoted) != timeSize {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, string(quoted[1:timeSize-1]))
	return at.Local(), err == nil
}
