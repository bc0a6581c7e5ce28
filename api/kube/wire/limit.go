package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// Limits on what small bodies can cost. All are far above realistic values.
const (
	// MaxPatchDepth limits the nesting of a patch, because applying one takes time quadratic in its
	// depth.
	MaxPatchDepth = 500
	// MaxBodyDepth limits the nesting of an object, so that recursive code does not overflow the
	// stack.
	MaxBodyDepth = 1000
	// maxDecodedDepth is the nesting beyond which encoding/json, and so every decoder, fails.
	maxDecodedDepth = 10000
	// maxExpandedBytes limits a YAML document, assuming that every alias stands for the whole
	// document.
	maxExpandedBytes = 64 << 20
	// MaxAppliedEntries limits the entries of a list or map in an applied configuration and in the
	// object that it is applied to, because merging takes quadratic time. MaxAppliedTotal limits
	// the entries of all lists and maps.
	MaxAppliedEntries = 10000
	MaxAppliedTotal   = 50000
	// maxQuantityDigits limits a quantity: computing with 1e2147483647 would write out that number.
	maxQuantityDigits = 1000
)

var (
	anchors = regexp.MustCompile(`(?:^|[\s,\[{])&[\w-]+`)
	aliases = regexp.MustCompile(`(?:^|[\s,\[{])\*[\w-]+`)
	// vast finds what might be a quantity with a huge exponent, in a body of any format. Most
	// bodies have none.
	vast = regexp.MustCompile(`[0-9.][eE][+-]?[0-9]{4}`)
	// vastQuantity matches exactly such a quantity.
	vastQuantity = regexp.MustCompile(`^\s*[+-]?[0-9.]+[eE][+-]?[0-9]{4,}\s*$`)
	// vastMessage matches one in protobuf: a string that is the first field of its message. Names
	// that look like it have shorter exponents.
	vastMessage = regexp.MustCompile(`(?s)\x0a.[+-]?[0-9.]+[eE][+-]?[0-9]{7,}`)
)

var errDepth = errors.New("exceeded max depth")

// CheckAliases rejects YAML whose aliases could expand to more than the server can hold. The parser
// limits nodes, not bytes, so one long string with many aliases would pass it.
func CheckAliases(body []byte) error {
	if !anchors.Match(body) {
		return nil
	}
	if n := len(aliases.FindAllIndex(body, -1)); n*len(body) > maxExpandedBytes {
		return errors.New("yaml: document contains excessive aliasing")
	}
	return nil
}

// CheckDepth rejects JSON nested more deeply than most. It need not be valid.
func CheckDepth(doc []byte, most int) error {
	if len(doc) <= most { // each level takes at least one byte
		return nil
	}
	depth, quoted := 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return errDepth
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// CheckQuantities rejects a body for the type of object into with a quantity beyond the limit. It
// parses only bodies that may have one.
func CheckQuantities(body []byte, media string, into any) error {
	if !measures(reflect.TypeOf(into)) || !Suspicious(body) {
		return nil
	}
	if media == MediaProtobuf {
		if vastMessage.Match(body) {
			return quantity.ErrFormatWrong
		}
		return nil
	}
	if media == MediaYAML {
		var err error
		if body, err = yaml.YAMLToJSON(body); err != nil {
			return err
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	doc, err := parse(decoder, maxDecodedDepth)
	if errors.Is(err, errDepth) {
		return err
	}
	if err != nil {
		return nil //nolint:nilerr // the decoder reports the error
	}
	if VastIn(doc, reflect.TypeOf(into)) {
		return quantity.ErrFormatWrong
	}
	return nil
}

// CheckJSON rejects JSON for the type of object into that would be expensive to decode or compute
// with. Request bodies have been checked already.
func CheckJSON(body []byte, into any) error { return CheckQuantities(body, "", into) }

// Suspicious reports whether a body may have a quantity beyond the limit.
func Suspicious(body []byte) bool { return longNumber(body) || vast.Match(body) }

// longNumber reports whether a body has a number of more than maxQuantityDigits digits.
func longNumber(body []byte) bool {
	run := 0
	for _, c := range body {
		if c != '.' && (c < '0' || c > '9') {
			run = 0
			continue
		}
		if run++; run >= maxQuantityDigits {
			return true
		}
	}
	return false
}

var quantityType = reflect.TypeFor[quantity.Quantity]()

// measured caches, for each decoded type, whether its values can have quantities.
var measured sync.Map // reflect.Type to bool

// measures reports whether values of a type can have quantities. Definitions, ConfigMaps, Secrets
// and custom resources cannot, and may be large.
func measures(t reflect.Type) bool {
	if is, ok := measured.Load(t); ok {
		return is.(bool)
	}
	is := leadsToQuantity(t, map[reflect.Type]bool{})
	measured.Store(t, is)
	return is
}

// several holds the values of a key that an object has more than once. Decoding into a struct may
// take parts of each.
type several []any

// parse parses JSON like json.Decoder.Decode, but keeps all values of a key.
func parse(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	if _, nested := token.(json.Delim); nested && depth == 0 {
		return nil, errDepth
	}
	switch token {
	case json.Delim('['):
		var list []any
		for d.More() {
			item, err := parse(d, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = d.Token() // the end
		return list, err
	case json.Delim('{'):
		values := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := parse(d, depth-1)
			if err != nil {
				return nil, err
			}
			name, _ := key.(string) // a key is one
			if before, again := values[name]; again {
				all, flat := before.(several)
				if !flat {
					all = several{before}
				}
				value = append(all, value)
			}
			values[name] = value
		}
		_, err = d.Token()
		return values, err
	}
	return token, nil
}

// leadsToQuantity searches the types that VastIn visits, each once.
func leadsToQuantity(t reflect.Type, been map[reflect.Type]bool) bool {
	if t == quantityType || been[t] {
		return t == quantityType
	}
	been[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return leadsToQuantity(t.Elem(), been)
	case reflect.Struct:
		for i := range t.NumField() {
			if leadsToQuantity(t.Field(i).Type, been) {
				return true
			}
		}
	}
	return false
}

// VastIn reports whether the JSON of a value of the type has a quantity beyond the limit.
func VastIn(doc any, t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if doc, again := doc.(several); again {
		return slices.ContainsFunc(doc, func(value any) bool { return VastIn(value, t) })
	}
	if t == quantityType {
		text := fmt.Sprint(doc)
		return len(text) > maxQuantityDigits || vastQuantity.MatchString(text)
	}
	switch doc := doc.(type) {
	case []any:
		if t.Kind() != reflect.Slice {
			return false
		}
		for _, item := range doc {
			if VastIn(item, t.Elem()) {
				return true
			}
		}
	case map[string]any:
		switch t.Kind() {
		case reflect.Map:
			for _, item := range doc {
				if VastIn(item, t.Elem()) {
					return true
				}
			}
		case reflect.Struct:
			return vastField(doc, t)
		}
	}
	return false
}

// vastField searches a struct's fields, including those of inlined structs.
func vastField(doc map[string]any, t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous:
			if VastIn(doc, f.Type) {
				return true
			}
		case name != "" && doc[name] != nil && VastIn(doc[name], f.Type):
			return true
		}
	}
	return false
}

// Crowded reports whether a document has more than MaxAppliedEntries in one list or map, or more
// than MaxAppliedTotal in total.
func Crowded(doc any) bool { return entries(doc) > MaxAppliedTotal }

// entries counts the entries of all lists and maps of a document; if one list has too many, the
// result exceeds MaxAppliedTotal.
func entries(doc any) int {
	n := 0
	switch doc := doc.(type) {
	case []any:
		n = len(doc)
		for _, item := range doc {
			n += entries(item)
		}
		if len(doc) > MaxAppliedEntries {
			n += MaxAppliedTotal
		}
	case map[string]any:
		n = len(doc)
		for _, item := range doc {
			n += entries(item)
		}
		if len(doc) > MaxAppliedEntries {
			n += MaxAppliedTotal
		}
	}
	return n
}
