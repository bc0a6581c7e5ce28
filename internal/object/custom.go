package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"weak"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// NewCustom makes an empty custom resource.
func NewCustom() Object { return &unstructured.Unstructured{Object: map[string]any{}} }

// customName identifies a type for TypeOf.
type customName struct {
	resource, apiVersion, kind string
	namespaced                 bool
}

// customTypes holds the types that TypeOf has made and that are in use.
var customTypes sync.Map // customName to weak.Pointer[Type]

// TypeOf returns the type of a custom resource according to a body, which begins with its Prefix:
// the definition may have had other versions when the body was written, or may be gone. There is
// one Type per name at a time. Errors: a body that does not begin with a Prefix.
func TypeOf(resource string, namespaced bool, body []byte) (*Type, error) {
	name := customName{resource: resource, namespaced: namespaced}
	rest, ok := bytes.CutPrefix(body, []byte(`{"kind":"`))
	if ok {
		name.kind, rest, ok = cut(rest, `","apiVersion":"`)
	}
	if ok {
		name.apiVersion, _, ok = cut(rest, `","metadata":{`)
	}
	if !ok {
		return nil, fmt.Errorf("object: the body of a %s does not begin with its kind", resource)
	}
	if known, ok := customTypes.Load(name); ok {
		if t := known.(weak.Pointer[Type]).Value(); t != nil {
			return t, nil
		}
	}
	return newCustomType(name), nil
}

func cut(s []byte, sep string) (before string, after []byte, found bool) {
	b, after, found := bytes.Cut(s, []byte(sep))
	return string(b), after, found
}

// newCustomType makes a type and publishes it.
func newCustomType(name customName) *Type {
	plural, group, _ := strings.Cut(name.resource, ".")
	t := &Type{
		Group: group, Version: strings.TrimPrefix(name.apiVersion, group+"/"), Kind: name.kind, Plural: plural,
		Namespaced: name.namespaced, New: NewCustom, Custom: &Custom{},
	}
	t.Prepare()
	mine := weak.Make(t)
	for {
		known, taken := customTypes.LoadOrStore(name, mine)
		if !taken {
			break
		}
		if other := known.(weak.Pointer[Type]).Value(); other != nil {
			return other
		}
		customTypes.CompareAndDelete(name, known)
	}
	runtime.AddCleanup(t, func(p weak.Pointer[Type]) { customTypes.CompareAndDelete(name, p) }, mine)
	return t
}

// encodeCustom renders a custom resource as a log body: kind, apiVersion and metadata, and then its
// other fields by name.
func encodeCustom(t *Type, u *unstructured.Unstructured) ([]byte, error) {
	meta, err := json.Marshal(u.Object["metadata"])
	if err != nil {
		return nil, err
	}
	others := make(map[string]any, len(u.Object))
	for name, value := range u.Object {
		if name != "kind" && name != "apiVersion" && name != "metadata" {
			others[name] = value
		}
	}
	rest, err := json.Marshal(others)
	if err != nil {
		return nil, err
	}
	body := []byte(strings.TrimSuffix(Prefix(t), "{"))
	body = append(body, meta...)
	if len(others) > 0 {
		body = append(append(body, ','), rest[1:]...)
		return body, nil
	}
	return append(body, '}'), nil
}
