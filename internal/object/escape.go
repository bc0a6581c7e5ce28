package object

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// encodedAsIs reports whether json.Marshal writes all texts of the entry unchanged, and omits none
// as empty.
func encodedAsIs(e *metav1.ManagedFieldsEntry) bool {
	for _, text := range []string{e.Manager, string(e.Operation), e.APIVersion, e.FieldsType} {
		if text == "" || !escapesNothing(text) {
			return false
		}
	}
	return escapesNothing(e.Subresource) && isPlainJSON(e.FieldsV1.Raw)
}

// isPlainJSON reports whether json.Marshal would write a json.RawMessage unchanged.
func isPlainJSON(raw []byte) bool {
	if escapesOrSpaces := bytes.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' || r == '&' }); !escapesOrSpaces {
		return jsontext.Value(raw).IsValid()
	}
	written, err := json.Marshal(json.RawMessage(raw))
	return err == nil && bytes.Equal(written, raw)
}

// escapesNothing reports whether JSON escapes nothing in a text.
func escapesNothing(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}
