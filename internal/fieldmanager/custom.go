package fieldmanager

import (
	"cmp"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/rowlock/rowlock/internal/object"
)

// customRoot is the schema of a type of custom resources. It is cached among the type's managers.
type customRoot struct {
	schema *schema.Schema
	root   schema.TypeRef
}

func customRootOf(t *object.Type) (customRoot, bool) {
	if r, ok := t.Custom.Managers.Load(customRoot{}); ok {
		return r.(customRoot), true
	}
	typed, err := typesOf(t).ObjectToTyped(named(t, t.New()))
	if err != nil {
		return customRoot{}, false
	}
	r := customRoot{typed.Schema(), typed.TypeRef()}
	t.Custom.Managers.Store(customRoot{}, r)
	return r, true
}

// createdQuickly is Created for a custom resource without managedFields: its writer owns everything
// in it. In other cases, and for an object that does not match its schema, it changes nothing and
// returns false.
func createdQuickly(t *object.Type, next, old object.Object, by Writer) bool {
	o, ok := next.(*unstructured.Unstructured)
	if !ok || old.GetUID() != "" || old.GetManagedFields() != nil || by.Subresource != "" || o.GroupVersionKind() != t.GroupVersionKind() {
		return false
	}
	meta, ok := o.Object["metadata"].(map[string]any)
	if !ok || meta["managedFields"] != nil {
		return false
	}
	r, ok := customRootOf(t)
	if !ok {
		return false
	}
	owned, ok := r.owned(r.root, o.Object)
	if !ok {
		return false
	}
	strip(owned, resetPaths(t, ""))
	if len(owned) == 0 {
		return true
	}
	meta["managedFields"] = []any{map[string]any{
		"manager": cmp.Or(by.Manager, "unknown"), "operation": string(metav1.ManagedFieldsOperationUpdate), "apiVersion": t.GroupVersion().String(),
		"time": by.At.UTC().Truncate(time.Second).Format(time.RFC3339), "fieldsType": "FieldsV1", "fieldsV1": owned,
	}}
	return true
}

// strip removes from the fields of an object those that no manager owns, and those that the writer
// cannot change.
func strip(owned map[string]any, resets [][]string) {
	delete(owned, ".")
	delete(owned, "f:apiVersion")
	delete(owned, "f:kind")
	if meta, ok := owned["f:metadata"].(map[string]any); ok {
		delete(meta, ".")
		for _, name := range strippedMeta {
			delete(meta, "f:"+name)
		}
		if len(meta) == 0 {
			delete(owned, "f:metadata")
		}
	}
	for _, path := range resets {
		delete(owned, "f:"+path[0]) // those of a new custom resource have one element
	}
}

// owned returns what the writer of a new value owns of it, in the form of FieldsV1; empty for a
// value that is owned as a whole, whose parts must still match. It fails for a value that does not
// match the schema, and for a list with a duplicate key or set element.
//
// Source: sigs.k8s.io/structured-merge-diff/v6 typed/compare.go, compareWalker, where the older value is missing
func (r customRoot) owned(ref schema.TypeRef, v any) (out map[string]any, ok bool) {
	atom, ok := r.schema.Resolve(ref)
	if !ok || atom.Map == nil && atom.List == nil && atom.Scalar == nil { // the schema has no such field
		return nil, false
	}
	switch v := v.(type) {
	case nil:
		return map[string]any{}, true
	case map[string]any:
		return r.ownedFields(atom.Map, v)
	case []any:
		return r.ownedElements(atom.List, v)
	}
	return map[string]any{}, atom.Scalar != nil && fitsScalar(*atom.Scalar, v)
}

func fitsScalar(want schema.Scalar, v any) bool {
	switch v.(type) {
	case string:
		return want == schema.String || want == schema.Untyped
	case bool:
		return want == schema.Boolean || want == schema.Untyped
	case int64, float64:
		return want == schema.Numeric || want == schema.Untyped
	}
	return false
}

func (r customRoot) ownedFields(m *schema.Map, v map[string]any) (out map[string]any, ok bool) {
	if m == nil {
		return nil, false
	}
	out = make(map[string]any, len(v)+1)
	out["."] = map[string]any{}
	for name, field := range v {
		ref := m.ElementType
		if known, ok := m.FindField(name); ok {
			ref = known.Type
		}
		if out["f:"+name], ok = r.owned(ref, field); !ok {
			return nil, false
		}
	}
	if m.ElementRelationship == schema.Atomic || len(v) == 0 {
		clear(out)
	}
	return out, true
}

func (r customRoot) ownedElements(l *schema.List, v []any) (out map[string]any, ok bool) {
	if l == nil {
		return nil, false
	}
	out = make(map[string]any, len(v)+1)
	if l.ElementRelationship != schema.Associative || len(v) == 0 {
		for _, element := range v {
			if _, ok := r.owned(l.ElementType, element); !ok {
				return nil, false
			}
		}
		return out, true
	}
	out["."] = map[string]any{}
	for _, element := range v {
		path, ok := r.pathElement(l, element)
		if !ok {
			return nil, false
		}
		name, err := fieldpath.SerializePathElement(path)
		if err != nil || out[name] != nil {
			return nil, false
		}
		inner, ok := r.owned(l.ElementType, element)
		if !ok {
			return nil, false
		}
		out[name] = inner
	}
	return out, true
}

// pathElement returns how an element of a list is identified: by its keys, or by itself.
func (r customRoot) pathElement(l *schema.List, element any) (path fieldpath.PathElement, ok bool) {
	if len(l.Keys) == 0 {
		switch element.(type) {
		case string, bool, int64, float64:
			v := value.NewValueInterface(element)
			return fieldpath.PathElement{Value: &v}, true
		}
		return path, false
	}
	fields, ok := element.(map[string]any)
	atom, known := r.schema.Resolve(l.ElementType)
	if !ok || !known || atom.Map == nil {
		return path, false
	}
	var keys value.FieldList
	for _, key := range l.Keys {
		v, there := fields[key]
		if !there {
			field, _ := atom.Map.FindField(key)
			v = field.Default
		}
		if v == nil {
			return path, false
		}
		keys = append(keys, value.Field{Name: key, Value: value.NewValueInterface(v)})
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, true
}
