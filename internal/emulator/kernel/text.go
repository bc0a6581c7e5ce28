package kernel

import (
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Text is a string of any bytes. In JSON it is a string if it is UTF-8, and otherwise an array of
// one base64 string, because a JSON string cannot hold such bytes.
type Text string

// MarshalJSON implements json.Marshaler.
func (t Text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal([][]byte{[]byte(t)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		var raw [][]byte
		if err := json.Unmarshal(text, &raw); err != nil {
			return err
		}
		if len(raw) != 1 {
			return errors.New("a text of bytes is one string")
		}
		*t = Text(raw[0])
		return nil
	}
	return json.Unmarshal(text, (*string)(t))
}

// Texts are strings of any bytes, such as the arguments of a process.
type Texts []string

// MarshalJSON implements json.Marshaler.
func (t Texts) MarshalJSON() ([]byte, error) {
	for _, s := range t {
		if !utf8.ValidString(s) {
			all := make([]Text, len(t))
			for i, s := range t {
				all[i] = Text(s)
			}
			return json.Marshal(all)
		}
	}
	if t == nil {
		return []byte("[]"), nil // null would turn a pointer to nil Texts into a nil pointer
	}
	return json.Marshal([]string(t))
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Texts) UnmarshalJSON(text []byte) error {
	var all []Text
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*t = nil
	for _, s := range all {
		*t = append(*t, string(s))
	}
	return nil
}
