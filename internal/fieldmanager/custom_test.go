package fieldmanager_test

import (
	"encoding/json"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

// aSchema has everything that affects ownership: maps, and lists of all sorts.
const aSchema = `{"type":"object","properties":{"spec":{"type":"object","nullable":true,"properties":{
"text":{"type":"string","nullable":true},"number":{"type":"integer"},
"granular":{"type":"object","additionalProperties":{"type":"string"}},
"atomic":{"type":"object","x-kubernetes-map-type":"atomic","additionalProperties":{"type":"string"}},
"set":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
"list":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}},
"keyed":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","port"],"items":{"type":"object","required":["name"],
"properties":{"name":{"type":"string"},"port":{"type":"integer","default":80},"values":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}}}},
"any":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
"embedded":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
"mixed":{"x-kubernetes-int-or-string":true}}},
"status":{"type":"object","properties":{"phase":{"type":"string"}}}}}`

// customType makes the type of custom resources with aSchema.
func customType(t testing.TB, status bool) *object.Type {
	t.Helper()
	d := &apiextensionsv1.CustomResourceDefinition{}
	d.Name, d.Spec.Group = "widgets.example.com", "example.com"
	d.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"}
	schema := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal([]byte(aSchema), schema); err != nil {
		t.Fatal(err)
	}
	validation := &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema}
	d.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v1", Served: true, Storage: true, Schema: validation}, {Name: "v2", Served: true, Schema: validation},
	}
	if status {
		for i := range d.Spec.Versions {
			d.Spec.Versions[i].Subresources = &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
		}
	}
	compiled, err := customresource.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	types, err := compiled.TypeConverter()
	if err != nil {
		t.Fatal(err)
	}
	return &object.Type{Group: "example.com", Version: "v1", Kind: "Widget", Plural: "widgets", New: object.NewCustom, Custom: &object.Custom{
		Converter: func() managedfields.TypeConverter { return types }, ReplicasPaths: compiled.ReplicasPaths,
		Status: status, StatusVersions: []string{"example.com/v1", "example.com/v2"}, Convertible: func(v string) bool { return strings.HasPrefix(v, "example.com/") },
	}}
}

// drawn draws a JSON value, in most cases one that aSchema allows under a name.
func drawn(t *rapid.T, name string) any {
	text := rapid.SampledFrom([]string{"a", "b", "ü<&>", "", `"`})
	number := rapid.Int64Range(0, 2)
	some := func(names ...string) map[string]any {
		out := map[string]any{}
		for _, name := range names {
			if rapid.Bool().Draw(t, name) {
				out[name] = drawn(t, name)
			}
		}
		return out
	}
	list := func(of string) []any {
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			out = append(out, drawn(t, of))
		}
		return out
	}
	if rapid.IntRange(0, 30).Draw(t, "null") == 0 {
		return nil
	}
	switch name {
	case "spec":
		return some("text", "number", "granular", "atomic", "set", "list", "keyed", "any", "embedded", "mixed")
	case "number", "port":
		return number.Draw(t, name)
	case "granular", "atomic", "labels", "annotations":
		return some("a", "b", "example.com/c")
	case "set", "values":
		return list("text")
	case "finalizers":
		return list("a")
	case "list":
		return list("named")
	case "named":
		return some("name")
	case "keyed":
		return list("entry")
	case "entry":
		return some("name", "port", "values")
	case "any":
		return some("text", "set", "keyed", "granular", "any")
	case "embedded":
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": some("name", "labels"), "spec": some("any")}
	case "mixed":
		if rapid.Bool().Draw(t, "number") {
			return number.Draw(t, name)
		}
	case "status":
		return some("phase")
	}
	return text.Draw(t, name)
}

// TestQuickly_CreatesCustomResourcesAsUpstream compares the owners of a new custom resource with
// the result of upstream's code.
func TestQuickly_CreatesCustomResourcesAsUpstream(t *testing.T) {
	t.Parallel()
	types := []*object.Type{customType(t, false), customType(t, true)}
	quick, fit := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		kind := rapid.SampledFrom(types).Draw(rt, "type")
		next := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}}
		meta := map[string]any{"name": "w", "uid": "1", "creationTimestamp": nil}
		for _, name := range []string{"labels", "annotations", "finalizers", "generateName"} {
			if rapid.Bool().Draw(rt, name) {
				meta[name] = drawn(rt, name)
			}
		}
		next.Object["metadata"] = meta
		for _, name := range []string{"spec", "status", "unknown"} {
			if rapid.Bool().Draw(rt, name) && (name != "unknown" || rapid.IntRange(0, 9).Draw(rt, "unknown") == 0) {
				next.Object[name] = drawn(rt, name)
			}
		}
		by := fieldmanager.Writer{Manager: rapid.SampledFrom([]string{"kubectl", ""}).Draw(rt, "manager"), At: noon}
		want := next.DeepCopy()
		err := fieldmanager.Slowly(kind, want, kind.New(), by)
		if err == nil {
			fit++
		}
		if !fieldmanager.Quickly(kind, next, kind.New(), by) {
			return
		}
		quick++
		if err != nil {
			rt.Fatalf("quickly found nothing wrong: %v", err)
		}
		if got, want := entries(next), entries(want); got != want {
			rt.Fatalf("quickly:\n%s\nupstream:\n%s", got, want)
		}
	})
	t.Logf("%d of %d creations went the quick way", quick, fit)
	if quick*2 < fit {
		t.Errorf("only %d of %d creations went the quick way", quick, fit)
	}
}

// TestUpdated_OfACustomResource: a write of the status takes nothing else from its owners, whatever
// their version, and keeps the object's own apiVersion and kind. A write that claims another kind
// loses the owners.
func TestUpdated_OfACustomResource(t *testing.T) {
	t.Parallel()
	kind := customType(t, true)
	spec := map[string]any{"text": "a", "number": int64(1)}
	old := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w", "uid": "1"}, "spec": spec,
	}}
	old.SetManagedFields([]metav1.ManagedFieldsEntry{{
		Manager: "kubectl", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "example.com/v2", Time: &metav1.Time{Time: noon},
		FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec":{".":{},"f:number":{},"f:text":{}}}`)},
	}})
	for _, c := range []struct{ apiVersion, kind, want string }{
		{"example.com/v1", "Widget", entries(old)},
		{"example.com/v2", "Widget", entries(old)},
		{"example.com/v1", "Gadget", "none"},
		{"other.example/v1", "Widget", "none"},
	} {
		next := old.DeepCopy()
		delete(next.Object["spec"].(map[string]any), "text")
		next.SetAPIVersion(c.apiVersion)
		next.SetKind(c.kind)
		if err := fieldmanager.Updated(kind, next, old, fieldmanager.Writer{Manager: "m", Subresource: "status", At: noon}); err != nil {
			t.Fatal(err)
		}
		if got := entries(next); got != c.want {
			t.Errorf("%s %s: the owners are\n%s\nwant\n%s", c.apiVersion, c.kind, got, c.want)
		}
		if next.GetAPIVersion() != c.apiVersion || next.GetKind() != c.kind {
			t.Errorf("%s %s has become %s %s", c.apiVersion, c.kind, next.GetAPIVersion(), next.GetKind())
		}
	}
}

// TestQuickly_LeavesWhatDoesNotFit: what does not match the schema is left to upstream's code, even
// inside values that are owned as a whole.
func TestQuickly_LeavesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	kind := customType(t, true)
	for name, spec := range map[string]string{
		"a map for a text in a list": `{"list":[{"name":"a"},{"name":{"b":"c"}}]}`,
		"a text for a list":          `{"list":"a"}`,
		"a number in an atomic map":  `{"atomic":{"a":1}}`,
		"an unknown field in a list": `{"list":[{"other":"a"}]}`,
	} {
		next := &unstructured.Unstructured{}
		if err := next.UnmarshalJSON([]byte(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":` + spec + `}`)); err != nil {
			t.Fatal(err)
		}
		by := fieldmanager.Writer{Manager: "m", At: noon}
		if err := fieldmanager.Slowly(kind, next.DeepCopy(), kind.New(), by); err == nil {
			t.Errorf("%s fits", name)
		}
		if fieldmanager.Quickly(kind, next, kind.New(), by) {
			t.Errorf("%s was found to fit: %s", name, entries(next))
		}
	}
}
