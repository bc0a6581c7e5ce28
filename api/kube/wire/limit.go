package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// Bounds on what small bodies can make of themselves. Each is far beyond what anybody writes.
const (
	// MaxPatchDepth is how deeply a patch may be nested: applying one takes time in the square of
	// its depth.
	MaxPatchDepth = 500
	// MaxBodyDepth is how deeply an object may be nested, so that nothing that walks it runs out of
	// stack.
	MaxBodyDepth = 1000
	// maxExpandedBytes bounds a YAML document in which every alias stands for as much as the
	// document holds.
	maxExpandedBytes = 64 << 20
	// MaxAppliedEntries is how many entries a list or a map may have in what is applied and in what
	// it is applied to: merging takes time in the square of their number. MaxAppliedTotal is how
	// many all lists and maps may have together.
	MaxAppliedEntries = 10000
	MaxAppliedTotal   = 50000
	// maxQuantityDigits bounds a quantity: computing with 1e2147483647 means writing that number
	// out.
	maxQuantityDigits = 1000
)

var (
	anchors = regexp.MustCompile(`(?:^|[\s,\[{])&[\w-]+`)
	aliases = regexp.MustCompile(`(?:^|[\s,\[{])\*[\w-]+`)
	// vast finds what might be a quantity with a vast exponent, in a body of any format. Most
	// bodies have none.
	vast = regexp.MustCompile(`[0-9.][eE][+-]?[0-9]{4}`)
	// vastQuantity is such a quantity, alone.
	vastQuantity = regexp.MustCompile(`^\s*[+-]?[0-9.]+[eE][+-]?[0-9]{4,}\s*$`)
	// vastMessage is one as protobuf encodes it: a string that is its message's first field. Names
	// that look so have shorter exponents.
	vastMessage = regexp.MustCompile(`(?s)\x0a.[+-]?[0-9.]+[eE][+-]?[0-9]{7,}`)
)

var errDepth = errors.New("exceeded max depth")

// CheckAliases refuses YAML whose aliases could stand for more than the server should hold. The
// parser counts nodes and not bytes, so that one long string with many aliases passes it.
func CheckAliases(body []byte) error {
	if !anchors.Match(body) {
		return nil
	}
	if n := len(aliases.FindAllIndex(body, -1)); n*len(body) > maxExpandedBytes {
		return errors.New("yaml: document contains excessive aliasing")
	}
	return nil
}

// CheckDepth refuses JSON that is nested more deeply than most. It need not be valid.
func CheckDepth(doc []byte, most int) error {
	if len(doc) <= most { // each level takes a byte at least
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

// CheckQuantities refuses a body for the type of object "into" that has a quantity past its bounds.
// Only bodies that look as if they had one are taken apart for it.
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
	var doc any
	if media == MediaYAML {
		var err error
		if body, err = yaml.YAMLToJSON(body); err != nil {
			return err
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if decoder.Decode(&doc) != nil {
		return nil //nolint:nilerr // whoever decodes the body into the object says what is wrong with it
	}
	if VastIn(doc, reflect.TypeOf(into)) {
		return quantity.ErrFormatWrong
	}
	return nil
}

// CheckJSON refuses a JSON body, for the type of object "into", that would be costly to decode or
// to compute with. Bodies of requests are checked already.
func CheckJSON(body []byte, into any) error { return CheckQuantities(body, "", into) }

// Suspicious says whether a body may have a quantity past its bounds.
func Suspicious(body []byte) bool { return longNumber(body) || vast.Match(body) }

// longNumber says whether a body has a number of more than maxQuantityDigits.
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

// measured says of each type that was decoded whether its values can have quantities.
var measured sync.Map // reflect.Type to bool

// measures says whether values of a type can have quantities. Definitions, ConfigMaps, Secrets and
// custom resources cannot, and may be large.
func measures(t reflect.Type) bool {
	if is, ok := measured.Load(t); ok {
		return is.(bool)
	}
	is := leadsToQuantity(t, map[reflect.Type]bool{})
	measured.Store(t, is)
	return is
}

// leadsToQuantity goes the ways of VastIn, each type once.
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

// VastIn looks for a quantity past its bounds in the JSON of a value of the type.
func VastIn(doc any, t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
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

// vastField looks in a struct's fields. Those of an embedded struct without a name of its own count
// as its own.
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

// Crowded says whether a document has more than MaxAppliedEntries in one list or map, or
// MaxAppliedTotal in all of them.
func Crowded(doc any) bool { return entries(doc) > MaxAppliedTotal }

// entries counts the entries of all lists and maps of a document; one that has too many counts for
// more than all may have.
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
