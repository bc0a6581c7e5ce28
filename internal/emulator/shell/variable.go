package shell

import (
	"maps"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// variable is a variable. A shell never changes it in place, because subshells share it.
type variable struct {
	Value    kernel.Text            `json:",omitempty"`
	Export   bool                   `json:",omitempty"`
	ReadOnly bool                   `json:",omitempty"`
	Integer  bool                   `json:",omitempty"`
	Unset    bool                   `json:",omitempty"` // it has attributes, but no value
	List     map[int]kernel.Text    `json:",omitempty"` // an indexed array
	IsList   bool                   `json:",omitempty"`
	Table    map[string]kernel.Text `json:",omitempty"` // an associative array
	IsTable  bool                   `json:",omitempty"`
}

func (v *variable) size() int64 {
	if v == nil {
		return 0
	}
	n := 32 + len(v.Value)
	for _, e := range v.List {
		n += 16 + len(e)
	}
	for k, e := range v.Table {
		n += 16 + len(k) + len(e)
	}
	return int64(n)
}

// indices returns the indices of an indexed array, in order.
func (v *variable) indices() []int { return slices.Sorted(maps.Keys(v.List)) }

// elements returns the values of an array, ordered by index; a plain variable has one.
func (v *variable) elements() []string {
	var all []string
	switch {
	case v.IsList:
		for _, i := range v.indices() {
			all = append(all, string(v.List[i]))
		}
	case v.IsTable:
		for _, k := range slices.Sorted(maps.Keys(v.Table)) {
			all = append(all, string(v.Table[k]))
		}
	case !v.Unset:
		all = []string{string(v.Value)}
	}
	return all
}

// toList turns a copy of a variable into an indexed array.
func (v *variable) toList() {
	if v.IsList {
		v.List = maps.Clone(v.List)
		return
	}
	v.IsList = true
	if v.Value != "" {
		v.List = map[int]kernel.Text{0: v.Value}
		v.Value = ""
	}
}

func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

func isAlnum(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
