package fieldmanager

import (
	"bytes"
	"cmp"
	"strconv"
)

// flags describe a path.
type flags uint8

const (
	member   flags = 1 << iota // of a set of fields
	added                      // the newer object has it, the older does not
	modified                   // both have it, with different values
	removed                    // only the older has it
	stripped                   // no writer comes to own it
)

// claimed reports whether the author of the change now owns the path.
func (f flags) claimed() bool { return f&(added|modified) != 0 && f&stripped == 0 }

// node is one element of paths, in a tree of them. The elements below it are in upstream's order.
type node struct {
	kind        byte   // of the element: f a field, k an element with keys, v an element of a set, i an index
	text        []byte // of the element, as in FieldsV1 after its kind and a colon
	flags       flags
	child, next int32  // 0 for none
	inner       []byte // in a tree that was read: the text between the braces
}

// tree is a set of paths; its first node is the root.
type tree struct {
	nodes []node
	text  []byte // of elements that are in no other buffer
}

func (t *tree) reset() {
	t.nodes = append(t.nodes[:0], node{})
	t.text = t.text[:0]
}

func (t *tree) add(n node) int32 {
	t.nodes = append(t.nodes, n)
	return int32(len(t.nodes) - 1)
}

// compareElements is upstream's order of elements: fields, keys, values, indexes.
//
// Source: sigs.k8s.io/structured-merge-diff/v6 fieldpath/element.go, Compare
func compareElements(a, b *node) int {
	if a.kind != b.kind {
		return cmp.Compare(bytes.IndexByte(kinds, a.kind), bytes.IndexByte(kinds, b.kind))
	}
	if a.kind == 'f' || bytes.Equal(a.text, b.text) {
		return bytes.Compare(a.text, b.text)
	}
	if a.kind == 'k' {
		return compareKeys(a.text, b.text)
	}
	return compareScalars(a.text, b.text)
}

var kinds = []byte("fkvi")

// compareKeys compares keys, {\"containerPort\":80,\"protocol\":\"TCP\"}, name by name and value by
// value.
func compareKeys(a, b []byte) int {
	a, b = a[1:len(a)-1], b[1:len(b)-1]
	for {
		switch {
		case len(a) == 0 || len(b) == 0:
			return cmp.Compare(len(a), len(b))
		}
		var nameA, nameB, valueA, valueB []byte
		nameA, valueA, a = cutField(a)
		nameB, valueB, b = cutField(b)
		if c := bytes.Compare(nameA, nameB); c != 0 {
			return c
		}
		if c := compareScalars(valueA, valueB); c != 0 {
			return c
		}
	}
}

// cutField cuts the first field off keys: \"name\":value, and returns what follows the comma.
// Neither names nor strings contain quotes.
func cutField(s []byte) (name, value, rest []byte) {
	name, s, _ = bytes.Cut(s[2:], []byte(`\":`))
	n := bytes.IndexByte(s, ',')
	if bytes.HasPrefix(s, []byte(`\"`)) {
		n = 2 + bytes.Index(s[2:], []byte(`\"`)) + 2
	}
	if n < 0 || n >= len(s) {
		return name, s, nil
	}
	return name, s[:n], s[n+1:]
}

// compareScalars compares \"text\" and whole numbers; numbers come first.
func compareScalars(a, b []byte) int {
	textA, textB := a[0] == '\\', b[0] == '\\'
	switch {
	case textA && textB:
		return bytes.Compare(a[2:len(a)-2], b[2:len(b)-2])
	case textA:
		return 1
	case textB:
		return -1
	}
	x, _ := strconv.ParseInt(string(a), 10, 64)
	y, _ := strconv.ParseInt(string(b), 10, 64)
	return cmp.Compare(x, y)
}
