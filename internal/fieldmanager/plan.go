package fieldmanager

import "reflect"

// shape is how the values of a type are owned.
type shape uint8

const (
	leaf    shape = iota // as a whole: scalars, and what the schema calls atomic
	record               // a structure, by its fields
	mapping              // by its keys
	keyed                // a list whose elements are identified by some of their fields
	set                  // a list of scalars, each of which is present or not
	odd                  // in a way that only upstream's code handles
)

// plan is how a Go type is walked. Plans may refer to each other in circles, and never change once
// they are made.
type plan struct {
	shape  shape
	fields []planField // of a record, by their JSON names
	elem   *plan       // of mapping and keyed
	keys   []planKey   // of keyed, by their names
	equal  equality    // of leaf, and whether elements of a set are equal
	free   bool        // what is owned within is not checked
}

// planField is a field of a record, as encoding/json sees it.
type planField struct {
	name      string
	index     []int
	plan      *plan
	omitEmpty bool
	omitZero  func(reflect.Value) bool // nil unless the field has the option omitzero
	skipped   bool                     // not compared: the kind, and what the writer cannot change
	stripped  bool                     // no writer comes to own it
	hidden    bool                     // the newer object has none of it: managedFields
}

// planKey is a field that identifies an element.
type planKey struct {
	name    string
	field   *planField
	missing string // the text of the key if the field is omitted; "" omits the key too
}

// absent reports whether the field is omitted from an object.
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

// of returns the field of a structure, which may be in an embedded one.
func (f *planField) of(structure reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return structure.Field(f.index[0])
	}
	return structure.FieldByIndex(f.index)
}
