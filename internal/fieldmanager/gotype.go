package fieldmanager

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var timeType, microTimeType = reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime]()

// isScalar reports whether values of a type are scalars in JSON.
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

// marshals reports whether a type writes its JSON itself.
func marshals(t reflect.Type) bool {
	m := reflect.TypeFor[json.Marshaler]()
	return t.Implements(m) || reflect.PointerTo(t).Implements(m)
}

// fieldType returns the type of a structure's field.
func fieldType(t reflect.Type, index []int) reflect.Type { return t.FieldByIndex(index).Type }

// jsonFields returns the JSON fields of a structure, by their JSON names, without plans.
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

// zeroOf returns which values of a type are zero to encoding/json.
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
