package fieldmanager

import (
	"reflect"
	"strconv"
)

// appendScalar appends a scalar as the text of a path element, escaped as within a JSON string. It
// fails for values that only upstream's code can write.
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

// plain reports whether a text is unchanged within a JSON string, and within a JSON string within
// one.
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
