package fieldmanager

import (
	"bytes"
	"cmp"
	"strconv"
)

// flags say what is so of a path.
type flags uint8

const (
	member   flags = 1 << iota // of a set of fields
	added                      // the newer object has it, the older has not
	modified                   // both have it, with different values
	removed                    // only the older has it
	stripped                   // nobody comes to own it by writing it
)

// claimed says whether whoever made the change now owns the path.
func (f flags) claimed() bool { return f&(added|modified) != 0 && f&stripped == 0 }

// node is one element of paths, in a tree of them. The elements below it stand in upstream's order.
type node struct {
	kind        byte   // of the element: f a field, k an element known by keys, v an element of a set, i an index
	text        []byte // of the element, as it stands in FieldsV1 behind its kind and a colon
	flags       flags
	child, next int32  // 0 for none
	inner       []byte // in a tree that was read: what stands between the braces
}

// tree is a set of paths; its first node is the root.
type tree struct {
	nodes []node
	text  []byte // of elements that stand nowhere else
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

// compareKeys compares keys, {\"containerPort\":80,\"protocol\":\"TCP\"}, name by name and value by value.
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

// cutField cuts the first field off keys: \"name\":value, and what follows the comma. Neither names nor strings have quotes within.
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

// maxSetDepth is how deep a set of fields may be that is read here.
const maxSetDepth = 64

// reader reads a set of fields. It takes only what this package and upstream write: sorted, without spaces, without escapes; and only sets
// that the schema still allows. The rest is upstream's code's.
type reader struct {
	*tree
	in []byte
	at int
}

// readSet reads FieldsV1 of a kind with this plan into the tree.
func (t *tree) readSet(raw []byte, p *plan) bool {
	t.reset()
	r := reader{tree: t, in: raw}
	return r.object(0, p, 0) && r.at == len(raw)
}

func (r *reader) take(s string) bool {
	if len(r.in)-r.at < len(s) || string(r.in[r.at:r.at+len(s)]) != s {
		return false
	}
	r.at += len(s)
	return true
}

// object reads the elements below a node. An empty object, and one that begins with a dot, say that the node itself is a member.
func (r *reader) object(parent int32, p *plan, depth int) bool {
	if depth > maxSetDepth || !r.take("{") {
		return false
	}
	begin := r.at
	last := int32(0)
	if r.take(`".":{}`) {
		if parent == 0 || !r.take(",") {
			return false
		}
		r.nodes[parent].flags = member
	} else if r.take("}") {
		r.nodes[parent].flags = member
		return parent != 0
	}
	fields := fieldsOf(p)
	for {
		n, ok := r.element()
		if !ok || last != 0 && compareElements(&r.nodes[last], &n) >= 0 {
			return false
		}
		below := belowOf(p, &n, &fields)
		id := r.add(n)
		if last == 0 {
			r.nodes[parent].child = id
		} else {
			r.nodes[last].next = id
		}
		last = id
		if !r.take(":") || !r.object(id, below, depth+1) {
			return false
		}
		if below != nil && below.shape == leaf && r.nodes[id].child != 0 && !below.free {
			return false // owned in parts where the schema now has a whole, perhaps
		}
		if r.take("}") {
			r.nodes[parent].inner = r.in[begin : r.at-1]
			return true
		}
		if !r.take(",") {
			return false
		}
	}
}

// fieldsOf are the fields among which elements are looked for, in their order.
func fieldsOf(p *plan) []planField {
	if p == nil || p.shape != record {
		return nil
	}
	return p.fields
}

// belowOf is the plan of what an element stands for; nil if the schema does not know it. fields are those not yet passed.
func belowOf(p *plan, n *node, fields *[]planField) *plan {
	switch {
	case p == nil:
		return nil
	case p.shape == mapping || p.shape == keyed:
		return p.elem
	}
	for len(*fields) > 0 {
		f := &(*fields)[0]
		switch {
		case f.name == string(n.text) && n.kind == 'f':
			return f.plan
		case f.name > string(n.text):
			return nil
		}
		*fields = (*fields)[1:]
	}
	return nil
}

// element reads the name of a member, "k:{\"type\":\"Ready\"}", without its colon.
func (r *reader) element() (node, bool) {
	if len(r.in)-r.at < 3 || r.in[r.at] != '"' || r.in[r.at+2] != ':' {
		return node{}, false
	}
	kind := r.in[r.at+1]
	r.at += 3
	n := node{kind: kind}
	var ok bool
	switch begin := r.at; kind {
	case 'f':
		for r.at < len(r.in) && r.in[r.at] != '"' {
			if c := r.in[r.at]; c < ' ' || c >= 0x7f || c == '\\' {
				return n, false
			}
			r.at++
		}
		n.text, ok = r.in[begin:r.at], true
	case 'k':
		ok = r.keys()
		n.text = r.in[begin:r.at]
	case 'v':
		ok = r.scalar()
		n.text = r.in[begin:r.at]
	}
	return n, ok && r.take(`"`)
}

// keys reads {\"name\":value,…} with sorted names.
func (r *reader) keys() bool {
	if !r.take("{") {
		return false
	}
	var last []byte
	for {
		begin := r.at
		if !r.text(false) {
			return false
		}
		name := r.in[begin:r.at]
		if last != nil && bytes.Compare(last, name) >= 0 || !r.take(":") || !r.scalar() {
			return false
		}
		last = name
		if r.take("}") {
			return true
		}
		if !r.take(",") {
			return false
		}
	}
}

// scalar reads \"text\" or a whole number as upstream writes it.
func (r *reader) scalar() bool {
	if r.at < len(r.in) && r.in[r.at] == '\\' {
		return r.text(true)
	}
	begin := r.at
	r.take("-")
	for r.at < len(r.in) && r.in[r.at] >= '0' && r.in[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.ParseInt(string(r.in[begin:r.at]), 10, 64)
	return err == nil && r.at-begin <= 19 && string(strconv.AppendInt(nil, n, 10)) == string(r.in[begin:r.at])
}

// text reads \"text\" that needs no escapes.
func (r *reader) text(value bool) bool {
	if !r.take(`\"`) {
		return false
	}
	begin := r.at
	for r.at < len(r.in) && r.in[r.at] != '\\' {
		r.at++
	}
	for _, c := range r.in[begin:r.at] {
		if c < ' ' || c >= 0x7f || c == '"' || value && (c == '<' || c == '>' || c == '&') {
			return false
		}
	}
	return r.take(`\"`)
}

// touches says whether a change takes anything from a set, both below the given nodes.
func touches(s *tree, in int32, change *tree, by int32) bool {
	a, b := s.nodes[in].child, change.nodes[by].child
	for a != 0 && b != 0 {
		x, y := &s.nodes[a], &change.nodes[b]
		switch c := compareElements(x, y); {
		case c < 0:
			a = x.next
		case c > 0:
			b = y.next
		default:
			if x.flags != 0 && y.flags&(added|modified|removed) != 0 || touches(s, a, change, b) {
				return true
			}
			a, b = x.next, y.next
		}
	}
	return false
}

// writer writes the set that a change leaves of a set of fields.
type writer struct {
	own    *tree // what was owned; its first node alone for nothing
	change *tree
	mine   bool // whether the change is the owner's, who then gains what it adds and modifies
}

// write appends what is owned below two nodes, one of which may be -1 for none, without braces.
func (w *writer) write(dst []byte, in, by int32) []byte {
	begin := len(dst)
	a, b := int32(0), int32(0)
	if in >= 0 {
		a = w.own.nodes[in].child
	}
	if by >= 0 {
		b = w.change.nodes[by].child
	}
	for a != 0 || b != 0 && w.mine {
		c := 0
		switch {
		case b == 0:
			c = -1
		case a == 0:
			c = 1
		default:
			c = compareElements(&w.own.nodes[a], &w.change.nodes[b])
		}
		switch {
		case c < 0:
			x := &w.own.nodes[a]
			dst = openElement(dst, x)
			dst = append(append(dst, x.inner...), "},"...)
			a = x.next
		case c > 0:
			dst = w.element(dst, -1, b)
			b = w.change.nodes[b].next
		default:
			dst = w.element(dst, a, b)
			a, b = w.own.nodes[a].next, w.change.nodes[b].next
		}
	}
	if len(dst) > begin {
		dst = dst[:len(dst)-1] // the last comma
	}
	return dst
}

// element appends one element with what is below it and a comma, or nothing if neither is owned.
func (w *writer) element(dst []byte, a, b int32) []byte {
	y := &w.change.nodes[b]
	is := w.mine && y.flags.claimed()
	x := y
	if a >= 0 {
		x = &w.own.nodes[a]
		taken := y.flags & removed
		if !w.mine {
			taken = y.flags & (added | modified | removed)
		}
		is = is || x.flags != 0 && taken == 0
	}
	mark := len(dst)
	dst = openElement(dst, x)
	inside := len(dst)
	if is {
		dst = append(dst, `".":{},`...)
	}
	below := len(dst)
	dst = w.write(dst, a, b)
	switch {
	case len(dst) > below:
	case is:
		dst = dst[:inside] // a member with nothing below it is an empty object
	default:
		return dst[:mark]
	}
	return append(dst, "},"...)
}

func openElement(dst []byte, n *node) []byte {
	dst = append(dst, '"', n.kind, ':')
	dst = append(dst, n.text...)
	return append(dst, `":{`...)
}
