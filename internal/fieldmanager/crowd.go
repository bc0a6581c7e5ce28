package fieldmanager

import (
	"bytes"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// maxSlowEntries is how many entries all lists, maps and managedFields of an object may have for
// upstream's code, which keeps its sets sorted by moving everything after a new element: a hundred
// thousand would take minutes.
const maxSlowEntries = 10_000

// crowded reports whether an object is too large for upstream's code.
func crowded(o object.Object) bool {
	left := maxSlowEntries
	for _, e := range o.GetManagedFields() {
		if e.FieldsV1 != nil {
			left -= bytes.Count(e.FieldsV1.Raw, []byte("{"))
		}
	}
	return !fits(reflect.ValueOf(o), &left)
}

// fits subtracts the entries within a value from what is left, and stops when nothing is.
func fits(v reflect.Value, left *int) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || fits(v.Elem(), left)
	case reflect.Struct:
		if t := v.Type(); t == timeType || t == microTimeType || t == reflect.TypeFor[metav1.FieldsV1]() {
			return true
		}
		for i := range v.NumField() {
			if !fits(v.Field(i), left) {
				return false
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return true
		}
		*left -= v.Len()
		for i := 0; i < v.Len() && *left >= 0; i++ {
			if !fits(v.Index(i), left) {
				return false
			}
		}
	case reflect.Map:
		*left -= v.Len()
		for each := v.MapRange(); *left >= 0 && each.Next(); {
			if !fits(each.Value(), left) {
				return false
			}
		}
	default:
	}
	return *left >= 0
}
