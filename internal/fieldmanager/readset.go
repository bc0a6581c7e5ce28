package fieldmanager

import (
	"bytes"
	"strconv"
)

// maxSetDepth is the maximum depth of a set of fields that is read here.
const maxSetDepth = 64

// reader reads a set of fields. It only accepts what this package and upstream write: sorted,
// without spaces, without escapes; and only sets that the schema still allows. It leaves the rest
// to upstream's code.
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

// object reads the elements below a node. An empty object, and one that begins with a dot, mean
// that the node itself is a member.
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
			return false // perhaps owned in parts where the schema now has a whole
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

// fieldsOf returns the fields that elements are searched in, in order.
func fieldsOf(p *plan) []planField {
	if p == nil || p.shape != record {
		return nil
	}
	return p.fields
}

// belowOf returns the plan of what an element stands for; nil if the schema does not contain it.
// fields are those not yet passed.
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
