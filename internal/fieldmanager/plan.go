package fieldmanager

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// shape is how the values of a type are owned.
type shape uint8

const (
	leaf    shape = iota // as a whole: scalars, and what the schema calls atomic
	record               // a structure, by its fields
	mapping              // by its keys
	keyed                // a list whose elements are known by some of their fields
	set                  // a list of scalars, each of which is there or not
	odd                  // in a way that only upstream's own code knows
)

// plan is how a Go type is walked. Plans may refer to each other in circles, and never change once they are made.
type plan struct {
	shape  shape
	fields []planField // of a record, by their JSON names
	elem   *plan       // of mapping and keyed
	keys   []planKey   // of keyed, by their names
	equal  equality    // of leaf, and whether elements of a set are the same
	free   bool        // what is owned within is not checked
}

// planField is a field of a record, as encoding/json knows it.
type planField struct {
	name      string
	index     []int
	plan      *plan
	omitEmpty bool
	omitZero  func(reflect.Value) bool // nil unless the field has the option omitzero
	skipped   bool                     // it is not compared: the kind, and what the writer cannot change
	stripped  bool                     // nobody who writes it comes to own it
	hidden    bool                     // the newer object has none of it: managedFields
}

// planKey is a field by which an element is known.
type planKey struct {
	name    string
	field   *planField
	missing string // the text of the key where the field is left out; "" leaves the key out too
}

// absent says whether the field is left out of an object.
//
// Source: sigs.k8s.io/structured-merge-diff/v6 value/reflectcache.go, CanOmit
func (f *planField) absent(v reflect.Value) bool {
	if f.omitEmpty {
		switch v.Kind() {
		case reflect.String, reflect.Map, reflect.Slice, reflect.Array:
			return v.Len() == 0
		case reflect.Pointer, reflect.Interface:
			return v.IsNil()
		case reflect.Struct:
		default:
			return v.IsZero()
		}
	}
	return f.omitZero != nil && f.omitZero(v)
}

// of is the field of a structure, which may lie in an embedded one.
func (f *planField) of(structure reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return structure.Field(f.index[0])
	}
	return structure.FieldByIndex(f.index)
}

//go:embed rules.txt
var rulesText string

// rules are where a type is not owned as is usual, which is lists as a whole and everything else by its parts: by the names of type
// and field, "-" for the type itself. TestRules keeps them with the schema.
var rules = sync.OnceValue(func() map[[2]string]string {
	out := map[[2]string]string{}
	for line := range strings.Lines(rulesText) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		field, rule, _ := strings.Cut(rest, " ")
		out[[2]string{name, field}] = rule
	}
	return out
})

// compiler makes plans.
type compiler struct {
	plans map[compiled]*plan
}

// compiled is what a plan is made for: a type, and what a field says of it.
type compiled struct {
	t    reflect.Type
	rule string
}

var timeType, microTimeType = reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime]()

// root is the plan of a kind's objects for a writer who cannot change the fields at some paths.
func (c *compiler) root(t reflect.Type, resets [][]string) *plan {
	p := *c.plan(t, "")
	p.fields = slices.Clone(p.fields)
	for i := range p.fields {
		f := &p.fields[i]
		f.skipped = f.name == "apiVersion" || f.name == "kind" || contains(resets, f.name)
		if f.name != "metadata" {
			continue
		}
		f.stripped = true
		meta := *f.plan
		meta.fields = slices.Clone(meta.fields)
		for j := range meta.fields {
			m := &meta.fields[j]
			m.skipped = contains(resets, f.name, m.name)
			m.stripped = slices.Contains(strippedMeta, m.name)
			m.hidden = m.name == "managedFields"
		}
		f.plan = &meta
	}
	return &p
}

func contains(paths [][]string, path ...string) bool {
	return slices.ContainsFunc(paths, func(p []string) bool { return slices.Equal(p, path) })
}

// strippedMeta is metadata that nobody owns.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/stripmeta.go, NewStripMetaManager
var strippedMeta = []string{"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"}

func (c *compiler) plan(t reflect.Type, rule string) *plan {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	key := compiled{t, rule}
	if p := c.plans[key]; p != nil {
		return p
	}
	p := &plan{}
	c.plans[key] = p // before its parts, which may contain it
	switch {
	case isScalar(t):
	case marshals(t):
		p.shape = odd
	case t.Kind() == reflect.Struct:
		c.structure(p, t, rule)
	case t.Kind() == reflect.Map:
		p.shape = mapping
		if rule == "atomic" {
			p.shape = leaf
		} else {
			p.elem = c.plan(t.Elem(), "")
		}
	case t.Kind() == reflect.Slice:
		c.list(p, t, rule)
	default:
		p.shape = odd
	}
	p.equal = equalityOf(t)
	return p
}

func (c *compiler) structure(p *plan, t reflect.Type, rule string) {
	name := modelName(t)
	if rule == "" {
		rule = rules()[[2]string{name, "-"}]
	}
	switch rule {
	case "atomic":
		return
	case "free":
		p.shape = odd
		return
	}
	p.shape = record
	for _, f := range jsonFields(t) {
		f.plan = c.plan(fieldType(t, f.index), rules()[[2]string{name, f.name}])
		p.fields = append(p.fields, f)
	}
}

func (c *compiler) list(p *plan, t reflect.Type, rule string) {
	words := strings.Fields(rule)
	if t.Elem().Kind() == reflect.Uint8 || len(words) == 0 {
		return // a leaf
	}
	switch words[0] {
	case "set":
		p.shape = set
	case "keys":
		p.shape = keyed
		p.elem = c.plan(t.Elem(), "")
		fields := jsonFields(t.Elem())
		for _, f := range fields {
			f.plan = c.plan(fieldType(t.Elem(), f.index), "")
			for _, word := range words[1:] {
				if name, missing, _ := strings.Cut(word, "="); name == f.name {
					p.keys = append(p.keys, planKey{name: name, field: &f, missing: strings.ReplaceAll(missing, `"`, `\"`)})
				}
			}
		}
	}
}

// modelName is how the schema names a Go type.
func modelName(t reflect.Type) string {
	if m, ok := reflect.New(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return m.OpenAPIModelName()
	}
	return t.PkgPath() + "." + t.Name()
}

// isScalar says whether values of a type are scalars in JSON.
func isScalar(t reflect.Type) bool {
	switch t {
	case timeType, microTimeType, reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString]():
		return true
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return !marshals(t)
	}
	return false
}

// marshals says whether a type writes its JSON itself.
func marshals(t reflect.Type) bool {
	m := reflect.TypeFor[json.Marshaler]()
	return t.Implements(m) || reflect.PointerTo(t).Implements(m)
}

// fieldType is the type of a structure's field.
func fieldType(t reflect.Type, index []int) reflect.Type { return t.FieldByIndex(index).Type }

// jsonFields are the fields of a structure that JSON has, by their names there, without plans.
//
// Source: sigs.k8s.io/structured-merge-diff/v6 value/jsontagutil.go and reflectcache.go, buildStructCacheEntry
func jsonFields(t reflect.Type) []planField {
	var out []planField
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if !f.IsExported() && !f.Anonymous || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if f.Anonymous && name == "" {
			if f.Type.Kind() == reflect.Struct {
				for _, inner := range jsonFields(f.Type) {
					inner.index = append([]int{i}, inner.index...)
					out = append(out, inner)
				}
			}
			continue
		}
		pf := planField{name: cmp.Or(name, f.Name), index: []int{i}}
		for _, o := range strings.Split(options, ",") {
			switch o {
			case "omitempty":
				pf.omitEmpty = true
			case "omitzero":
				pf.omitZero = zeroOf(f.Type)
			}
		}
		out = append(out, pf)
	}
	slices.SortFunc(out, func(a, b planField) int { return cmp.Compare(a.name, b.name) })
	return out
}

// zeroOf says which values of a type are zero to encoding/json.
func zeroOf(t reflect.Type) func(reflect.Value) bool {
	switch {
	case t == timeType:
		return func(v reflect.Value) bool { return timeOf(v).IsZero() }
	case t.Implements(reflect.TypeFor[interface{ IsZero() bool }]()):
		return func(v reflect.Value) bool {
			if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
				return true
			}
			return v.Interface().(interface{ IsZero() bool }).IsZero()
		}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ IsZero() bool }]()):
		return func(v reflect.Value) bool {
			boxed := reflect.New(t)
			boxed.Elem().Set(v)
			return boxed.Interface().(interface{ IsZero() bool }).IsZero()
		}
	}
	return reflect.Value.IsZero
}

// timeOf is a metav1.Time, without a copy where it has an address.
func timeOf(v reflect.Value) *metav1.Time {
	if v.CanAddr() {
		return v.Addr().Interface().(*metav1.Time)
	}
	t := v.Interface().(metav1.Time)
	return &t
}

// equality says whether two values of a type are the same in JSON. Pointers in it have been followed. It fails for types that only upstream's
// code can compare.
type equality func(a, b reflect.Value) (same, ok bool)

var equalities sync.Map // reflect.Type to equality

// equalityOf is the equality of a type.
func equalityOf(t reflect.Type) equality {
	if e, ok := equalities.Load(t); ok {
		return e.(equality)
	}
	e := newEquality(t)
	equalities.Store(t, e)
	return e
}

func newEquality(t reflect.Type) equality {
	switch t {
	case timeType:
		return func(a, b reflect.Value) (bool, bool) {
			x, y := timeOf(a), timeOf(b)
			return x.IsZero() == y.IsZero() && (x.IsZero() || x.Unix() == y.Unix()), true
		}
	case microTimeType:
		return func(a, b reflect.Value) (bool, bool) {
			x, y := a.Interface().(metav1.MicroTime), b.Interface().(metav1.MicroTime)
			return x.IsZero() == y.IsZero() && (x.IsZero() || x.Unix() == y.Unix() && x.Nanosecond()/1000 == y.Nanosecond()/1000), true
		}
	case reflect.TypeFor[resource.Quantity]():
		return func(a, b reflect.Value) (bool, bool) {
			x, y := a.Interface().(resource.Quantity), b.Interface().(resource.Quantity)
			return x == y || x.String() == y.String(), true
		}
	case reflect.TypeFor[intstr.IntOrString]():
		return func(a, b reflect.Value) (bool, bool) {
			x, y := a.Interface().(intstr.IntOrString), b.Interface().(intstr.IntOrString)
			if x.Type == intstr.Int && y.Type == intstr.Int {
				return x.IntVal == y.IntVal, true
			}
			return x.Type == y.Type && x.StrVal == y.StrVal, true
		}
	}
	if marshals(t) {
		return func(_, _ reflect.Value) (bool, bool) { return false, false }
	}
	switch t.Kind() {
	case reflect.String:
		return func(a, b reflect.Value) (bool, bool) { return a.String() == b.String(), true }
	case reflect.Bool:
		return func(a, b reflect.Value) (bool, bool) { return a.Bool() == b.Bool(), true }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(a, b reflect.Value) (bool, bool) { return a.Int() == b.Int(), true }
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return func(a, b reflect.Value) (bool, bool) { return a.Uint() == b.Uint(), true }
	case reflect.Float32, reflect.Float64:
		return func(a, b reflect.Value) (bool, bool) { return a.Float() == b.Float(), true }
	case reflect.Pointer:
		return func(a, b reflect.Value) (bool, bool) {
			if a.IsNil() || b.IsNil() {
				return a.IsNil() == b.IsNil(), true
			}
			return equalityOf(t.Elem())(a.Elem(), b.Elem())
		}
	case reflect.Struct:
		return equalStructures(t)
	case reflect.Slice:
		return equalLists(t)
	case reflect.Map:
		return equalMaps(t)
	}
	return func(_, _ reflect.Value) (bool, bool) { return false, false }
}

func equalStructures(t reflect.Type) equality {
	fields := sync.OnceValue(func() []planField { return jsonFields(t) })
	return func(a, b reflect.Value) (bool, bool) {
		for i := range fields() {
			f := &fields()[i]
			x, y := f.of(a), f.of(b)
			switch left, right := f.absent(x), f.absent(y); {
			case left && right:
				continue
			case left || right:
				return false, true
			}
			if same, ok := equalityOf(x.Type())(x, y); !same || !ok {
				return same, ok
			}
		}
		return true, true
	}
}

func equalLists(t reflect.Type) equality {
	if t.Elem().Kind() == reflect.Uint8 {
		return func(a, b reflect.Value) (bool, bool) {
			return a.IsNil() == b.IsNil() && bytes.Equal(a.Bytes(), b.Bytes()), true
		}
	}
	return func(a, b reflect.Value) (bool, bool) {
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false, true
		}
		equal := equalityOf(t.Elem())
		for i := range a.Len() {
			if same, ok := equal(a.Index(i), b.Index(i)); !same || !ok {
				return same, ok
			}
		}
		return true, true
	}
}

func equalMaps(t reflect.Type) equality {
	return func(a, b reflect.Value) (bool, bool) {
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false, true
		}
		equal := equalityOf(t.Elem())
		for each := a.MapRange(); each.Next(); {
			other := b.MapIndex(each.Key())
			if !other.IsValid() {
				return false, true
			}
			if same, ok := equal(each.Value(), other); !same || !ok {
				return same, ok
			}
		}
		return true, true
	}
}

// appendScalar appends a scalar as the text of a path element, escaped as within a JSON string. It fails for what only upstream's
// code can write.
func appendScalar(dst []byte, v reflect.Value) ([]byte, bool) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return dst, false
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		if !plain(v.String(), true) {
			return dst, false
		}
		dst = append(append(dst, `\"`...), v.String()...)
		return append(dst, `\"`...), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10), true
	}
	return dst, false
}

// plain says whether a text is the same within a JSON string, and within a JSON string within one.
func plain(s string, twice bool) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c >= 0x7f || c == '"' || c == '\\':
			return false
		case twice && (c == '<' || c == '>' || c == '&'):
			return false
		}
	}
	return true
}
