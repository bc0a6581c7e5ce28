package redis

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// kind is the type of a key's value.
type kind string

const (
	isString kind = "string"
	isList   kind = "list"
	isHash   kind = "hash"
	isSet    kind = "set"
	isSorted kind = "zset"
)

// perItem is what a key, an item or a value counts besides its text, in bytes.
const perItem = 16

// Entry is a key with its value.
type Entry struct {
	DB      int `json:",omitempty"`
	Key     kernel.Text
	Kind    kind
	Text    kernel.Text  `json:",omitempty"` // of a string
	Items   kernel.Texts `json:",omitempty"` // of a list, a hash (fields), a set, or a sorted set
	Values  kernel.Texts `json:",omitempty"` // of the fields of a hash
	Scores  []Score      `json:",omitempty"` // of the items of a sorted set, which are sorted by them
	Expires int64        `json:",omitempty"` // in milliseconds since 1970; 0 means never
	Used    uint64       `json:",omitempty"` // the number of its last use

	places map[string]int // of the items of hashes and sets; nil if not computed
}

// Score is the score of an item.
type Score float64

// MarshalJSON implements json.Marshaler: JSON has no infinite numbers.
func (s Score) MarshalJSON() ([]byte, error) { return json.Marshal(formatScore(s)) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Score) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	f, err := strconv.ParseFloat(text, 64)
	*s = Score(f)
	return err
}

// formatScore formats a score as Redis does.
func formatScore(s Score) string {
	f := float64(s)
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == math.Trunc(f) && math.Abs(f) < 1e17:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// size returns what the entry counts towards the limit, in bytes.
func (e *Entry) size() int {
	n := len(e.Key) + len(e.Text) + perItem*(1+len(e.Items)+len(e.Values))
	for _, i := range e.Items {
		n += len(i)
	}
	for _, v := range e.Values {
		n += len(v)
	}
	return n
}

// place returns the index of an item; −1 if it does not exist.
func (e *Entry) place(item string) int {
	if e.places == nil {
		e.places = make(map[string]int, len(e.Items))
		for i, it := range e.Items {
			e.places[it] = i
		}
	}
	if i, ok := e.places[item]; ok {
		return i
	}
	return -1
}

// put adds an item at the end.
func (e *Entry) put(item string) {
	e.place(item)
	e.places[item] = len(e.Items)
	e.Items = append(e.Items, item)
}

// drop removes an item.
func (e *Entry) drop(i int) {
	e.Items, e.places = slices.Delete(e.Items, i, i+1), nil
	if e.Values != nil {
		e.Values = slices.Delete(e.Values, i, i+1)
	}
	if e.Scores != nil {
		e.Scores = slices.Delete(e.Scores, i, i+1)
	}
}

// valid reports whether the parts of an entry fit together.
func (e *Entry) valid() bool {
	switch e.Kind {
	case isString:
		return len(e.Items)+len(e.Values)+len(e.Scores) == 0
	case isHash:
		return len(e.Items) > 0 && len(e.Values) == len(e.Items) && len(e.Scores) == 0
	case isSorted:
		return len(e.Items) > 0 && len(e.Scores) == len(e.Items) && len(e.Values) == 0
	case isList, isSet:
		return len(e.Items) > 0 && len(e.Values)+len(e.Scores) == 0
	}
	return false
}
