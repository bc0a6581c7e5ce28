package fieldmanager

import (
	"bytes"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// equality reports whether two values of a type are equal in JSON. Pointers have been followed. It
// fails for values that only upstream's code can compare.
type equality func(a, b reflect.Value) (same, ok bool)

var equalities sync.Map // reflect.Type to equality

// equalityOf returns the equality of a type.
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
		return func(a, b reflect.Value) (bool, bool) {
			same := reflect.DeepEqual(a.Interface(), b.Interface()) // others may still be equal in JSON
			return same, same
		}
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

// timeOf returns a metav1.Time, without a copy if it is addressable.
func timeOf(v reflect.Value) *metav1.Time {
	if v.CanAddr() {
		return v.Addr().Interface().(*metav1.Time)
	}
	t := v.Interface().(metav1.Time)
	return &t
}
