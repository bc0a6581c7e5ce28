package fieldmanager

import (
	"reflect"
	"slices"
)

// differ compares two objects of a kind, and builds a tree of what was added, modified and removed.
//
// Source: sigs.k8s.io/structured-merge-diff/v6 typed/compare.go, compareWalker
type differ struct {
	tree
	claims bool // something was added or modified that the writer now owns
	failed bool // only upstream's code can decide
}

// side is one object's value of a path.
type side struct {
	value reflect.Value // what pointers lead to; zero for null
	there bool          // the object has the path
}

func (s side) null() bool { return !s.value.IsValid() }

// at returns the value of a path, with pointers followed.
func at(v reflect.Value) side {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return side{there: true}
		}
		v = v.Elem()
	}
	if k := v.Kind(); (k == reflect.Map || k == reflect.Slice) && v.IsNil() {
		return side{there: true}
	}
	return side{value: v, there: true}
}

// run compares two objects, given by what their pointers lead to.
func (d *differ) run(p *plan, older, newer reflect.Value) {
	d.reset()
	d.claims, d.failed = false, false
	last := int32(0)
	d.record(p, side{older, true}, side{newer, true}, 0, &last)
}

// step is an element of a path, on its way into the tree.
type step struct {
	kind  byte
	name  string // of a field
	key   []byte // the text of another element
	flags flags
}

// visit compares the values of one path and adds its node after the last one below the parent, if
// they differ.
func (d *differ) visit(p *plan, a, b side, parent int32, last *int32, s step) {
	if d.failed {
		return
	}
	id := d.add(node{})
	below := int32(0)
	whole := d.below(p, a, b, id, &below)
	is := s.flags
	switch {
	case !a.there:
		is |= added
	case !b.there:
		is |= removed
	case whole && d.differs(p, a, b):
		is |= modified
	case d.nodes[id].child == 0:
		d.nodes = d.nodes[:id]
		return
	}
	if s.kind == 'f' {
		d.failed = d.failed || !plain(s.name, false)
		begin := len(d.text)
		d.text = append(d.text, s.name...)
		s.key = d.text[begin:]
	}
	n := &d.nodes[id]
	n.kind, n.text, n.flags = s.kind, s.key, is
	d.claims = d.claims || is.claimed()
	if *last == 0 {
		d.nodes[parent].child = id
	} else {
		d.nodes[*last].next = id
	}
	*last = id
}

// differs reports whether two existing values, each owned as a whole, differ.
func (d *differ) differs(p *plan, a, b side) bool {
	if a.null() || b.null() {
		return a.null() != b.null()
	}
	if p.shape != leaf {
		return false // both are empty
	}
	same, ok := p.equal(a.value, b.value)
	d.failed = d.failed || !ok
	return !same
}

// below compares what is below a path. It returns whether the path is owned as a whole instead:
// that is so for leaves, and if both sides are empty.
func (d *differ) below(p *plan, a, b side, id int32, last *int32) (whole bool) {
	switch p.shape {
	case record:
		return d.record(p, a, b, id, last)
	case mapping:
		return d.mapping(p, a, b, id, last)
	case keyed:
		return d.keyed(p, a, b, id, last)
	case set:
		return d.set(a, b, id, last)
	case odd:
		d.failed = d.failed || !a.null() || !b.null()
	case leaf:
	}
	return true
}

// record compares two records, field by field.
func (d *differ) record(p *plan, a, b side, id int32, last *int32) (whole bool) {
	whole = true
	for i := range p.fields {
		f := &p.fields[i]
		x, y := f.side(a), f.side(b)
		if f.hidden {
			y = side{}
		}
		if !x.there && !y.there {
			continue
		}
		whole = false
		if !f.skipped {
			d.visit(f.plan, x, y, id, last, step{kind: 'f', name: f.name, flags: f.flags()})
		}
	}
	return whole
}

// side returns the field of one side's record.
func (f *planField) side(s side) side {
	if s.null() {
		return side{}
	}
	v := f.of(s.value)
	if f.absent(v) {
		return side{}
	}
	return at(v)
}

func (f *planField) flags() flags {
	if f.stripped {
		return stripped
	}
	return 0
}

func empty(s side) bool { return s.null() || s.value.Len() == 0 }

// mapping compares two maps, key by key.
func (d *differ) mapping(p *plan, a, b side, id int32, last *int32) (whole bool) {
	if empty(a) && empty(b) {
		return true
	}
	if p.elem.shape == leaf && !a.null() && !b.null() {
		if same, ok := p.equal(a.value, b.value); same && ok {
			return false
		}
	}
	keys := make([]string, 0, 8)
	for _, s := range [2]side{a, b} {
		if s.null() {
			continue
		}
		for each := s.value.MapRange(); each.Next(); {
			keys = append(keys, each.Key().String())
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		d.visit(p.elem, entry(a, key), entry(b, key), id, last, step{kind: 'f', name: key})
	}
	return false
}

// entry returns a map's value for a key.
func entry(s side, key string) side {
	if s.null() {
		return side{}
	}
	k := reflect.ValueOf(key)
	if t := s.value.Type().Key(); t != k.Type() {
		k = k.Convert(t)
	}
	v := s.value.MapIndex(k)
	if !v.IsValid() {
		return side{}
	}
	return at(v)
}

// element is one of a list's elements that are identified by keys.
type element struct {
	key  []byte
	a, b side
}

// fewElements is how many elements are found fastest by linear search.
const fewElements = 16

// elements are those of two lists, each of them once.
type elements struct {
	all   []element
	known map[string]int // the index of each key in all; nil for a few
}

func (es *elements) find(key []byte) int {
	if es.known == nil {
		return slices.IndexFunc(es.all, func(e element) bool { return string(e.key) == string(key) })
	}
	if at, ok := es.known[string(key)]; ok {
		return at
	}
	return -1
}

// add adds an element that is not included yet.
func (es *elements) add(e element) {
	if len(es.all) == fewElements {
		es.known = make(map[string]int, 2*fewElements)
		for at := range es.all {
			es.known[string(es.all[at].key)] = at
		}
	}
	if es.known != nil {
		es.known[string(e.key)] = len(es.all)
	}
	es.all = append(es.all, e)
}

// keyed compares two lists of elements that are identified by keys.
func (d *differ) keyed(p *plan, a, b side, id int32, last *int32) (whole bool) {
	if empty(a) && empty(b) {
		return true
	}
	var room [fewElements]element
	es := elements{all: room[:0]}
	for i := range length(a) {
		key, ok := d.key(p, a.value.Index(i))
		if d.failed = d.failed || !ok || es.find(key) >= 0; d.failed {
			return false
		}
		es.add(element{key: key, a: at(a.value.Index(i))})
	}
	for i := range length(b) {
		key, ok := d.key(p, b.value.Index(i))
		if d.failed = d.failed || !ok; d.failed {
			return false
		}
		s := at(b.value.Index(i))
		switch at := es.find(key); {
		case at >= 0 && es.all[at].b.there:
			d.failed = true // duplicate
			return false
		case at >= 0:
			es.all[at].b = s
		default:
			es.add(element{key: key, b: s})
		}
	}
	slices.SortFunc(es.all, func(x, y element) int { return compareKeys(x.key, y.key) })
	for _, e := range es.all {
		d.visit(p.elem, e.a, e.b, id, last, step{kind: 'k', key: e.key})
	}
	return false
}

func length(s side) int {
	if s.null() {
		return 0
	}
	return s.value.Len()
}

// key returns the text that identifies an element.
func (d *differ) key(p *plan, v reflect.Value) ([]byte, bool) {
	begin := len(d.text)
	d.text = append(d.text, '{')
	for i := range p.keys {
		k := &p.keys[i]
		field := k.field.of(v)
		missing := k.field.absent(field)
		if missing && k.missing == "" {
			continue
		}
		if len(d.text) > begin+1 {
			d.text = append(d.text, ',')
		}
		d.text = append(d.text, `\"`...)
		d.text = append(d.text, k.name...)
		d.text = append(d.text, `\":`...)
		if missing {
			d.text = append(d.text, k.missing...)
			continue
		}
		var ok bool
		if d.text, ok = appendScalar(d.text, field); !ok {
			return nil, false
		}
	}
	if len(d.text) == begin+1 {
		return nil, false // nothing identifies it
	}
	d.text = append(d.text, '}')
	return d.text[begin:], true
}

// scalar is the plan of a set's elements, which are on both sides only if they are equal.
var scalar = &plan{equal: func(_, _ reflect.Value) (bool, bool) { return true, true }}

// set compares two lists of scalars, each of which is present or not.
func (d *differ) set(a, b side, id int32, last *int32) (whole bool) {
	if empty(a) && empty(b) {
		return true
	}
	var room [fewElements]element
	es := elements{all: room[:0]}
	for i := range length(a) {
		if !d.scalar(&es, a.value.Index(i), true) {
			return false
		}
	}
	for i := range length(b) {
		if !d.scalar(&es, b.value.Index(i), false) {
			return false
		}
	}
	slices.SortFunc(es.all, func(x, y element) int { return compareScalars(x.key, y.key) })
	for _, e := range es.all {
		d.visit(scalar, e.a, e.b, id, last, step{kind: 'v', key: e.key})
	}
	return false
}

// scalar adds an element of a set, which must occur once.
func (d *differ) scalar(es *elements, v reflect.Value, older bool) bool {
	begin := len(d.text)
	var ok bool
	d.text, ok = appendScalar(d.text, v)
	key := d.text[begin:]
	i := es.find(key)
	if i < 0 {
		i = len(es.all)
		es.add(element{key: key})
	}
	e := &es.all[i]
	s := &e.b
	if older {
		s = &e.a
	}
	if d.failed = d.failed || !ok || s.there; d.failed {
		return false
	}
	*s = at(v)
	return true
}
