package definition_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// gadgets defines cluster-scoped gadgets, which have a status with a default in v1, which is
// stored, and in v1beta1, which is deprecated.
func gadgets() *apiextensionsv1.CustomResourceDefinition {
	d := widgets("a.example", apiextensionsv1.Established)
	d.Spec.Scope = apiextensionsv1.ClusterScoped
	schema := &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
		Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"spec": {Type: "object", XPreserveUnknownFields: new(true)},
			"status": {Type: "object", Default: &apiextensionsv1.JSON{Raw: []byte(`{"phase":"Pending"}`)}, Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"phase": {Type: "string"},
			}},
		},
	}}
	sub := &apiextensionsv1.CustomResourceSubresources{
		Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
		Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.shards", StatusReplicasPath: ".status.shards"},
	}
	earlier := schema.DeepCopy()
	earlier.OpenAPIV3Schema.Properties["mode"] = apiextensionsv1.JSONSchemaProps{Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte(`"old"`)}}
	d.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v1", Served: true, Storage: true, Schema: schema, Subresources: sub},
		{Name: "v1beta1", Served: true, Deprecated: true, Schema: earlier, Subresources: sub},
	}
	return d
}

// gadget is one of a version, named g.
func gadget(t *testing.T, version, rest string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(`{"apiVersion":"a.example/` + version + `","kind":"Widget",` + rest + `}`)); err != nil {
		t.Fatal(err)
	}
	return u
}

// TestWrite_InEachVersion: every version of a definition prepares what clients send before it is
// validated: a status that they may not set is not an error, and is dropped. Its default is stored.
func TestWrite_InEachVersion(t *testing.T) {
	t.Parallel()
	kinds := definition.Of(builtin.Catalogue(), stored(t, gadgets(), 1, object.Created))
	for _, version := range []string{"v1", "v1beta1"} {
		k := kinds.ByGVR("a.example", version, "widgets")
		in := registry.Input{UID: "1", Now: time.Unix(1_700_000_000, 0)}
		made, err := registry.Create(k, gadget(t, version, `"metadata":{"name":"g"},"spec":{"a":1},"status":{"phase":5}`), in)
		if err != nil {
			t.Errorf("create in %s: %v", version, err)
			continue
		}
		got := made.Object.(*unstructured.Unstructured)
		if diff := cmp.Diff(map[string]any{"phase": "Pending"}, got.Object["status"]); diff != "" || got.GetAPIVersion() != "a.example/v1" {
			t.Errorf("created in %s: %s%s", version, got.GetAPIVersion(), diff)
		}
		got.SetResourceVersion("7")
		changed, err := registry.Update(k, gadget(t, version, `"metadata":{"name":"g","resourceVersion":"7"},"spec":{"a":2},"status":{"phase":6}`), got, in)
		if err != nil {
			t.Errorf("update in %s: %v", version, err)
			continue
		}
		if now := changed.Object.(*unstructured.Unstructured); now.GetGeneration() != 2 || !cmp.Equal(now.Object["status"], got.Object["status"]) {
			t.Errorf("updated in %s: generation %d, status %v", version, now.GetGeneration(), now.Object["status"])
		}
	}
	k := kinds.ByGVR("a.example", "v1", "widgets")
	old := gadget(t, "v1", `"metadata":{"name":"g","resourceVersion":"7","generation":4},"spec":{"shards":1}`)
	in := registry.Input{Now: time.Unix(1_700_000_000, 0)}
	same := gadget(t, "v1beta1", `"metadata":{"name":"g","resourceVersion":"7"},"spec":{"shards":1}`)
	changed, err := registry.Update(kinds.ByGVR("a.example", "v1beta1", "widgets"), same, old, in)
	if err != nil || changed.Object.GetGeneration() != 5 {
		t.Errorf("an update that a default of its version changes: %v, %v", changed.Object, err)
	}
	next, err := registry.Scale(k, &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "g"}, Spec: autoscalingv1.ScaleSpec{Replicas: -1}}, old)
	if err != nil {
		t.Fatal(err)
	}
	_, err = registry.Update(k, next, old, in)
	var invalid *registry.Invalid
	if !errors.As(err, &invalid) || invalid.Kind.Kind != "Widget" || invalid.Errors.ToAggregate().Error() != ".spec.shards: Invalid value: -1: should be a non-negative integer" {
		t.Errorf("a negative scale: %v", err)
	}
	for version, want := range map[string]string{"v1": "", "v1beta1": "a.example/v1beta1 Widget is deprecated; use a.example/v1 Widget"} {
		if got := kinds.ByGVR("a.example", version, "widgets").Deprecated; got != want {
			t.Errorf("%s warns %q", version, got)
		}
	}
}

// TestWrite_WarnsOfRulesThatWereBroken: a rule that is already broken, in a part that a write does
// not change, causes a warning but allows the write.
func TestWrite_WarnsOfRulesThatWereBroken(t *testing.T) {
	t.Parallel()
	d := gadgets()
	for i := range d.Spec.Versions {
		props := d.Spec.Versions[i].Schema.OpenAPIV3Schema.DeepCopy()
		spec := props.Properties["spec"]
		spec.XPreserveUnknownFields, spec.Properties = nil, map[string]apiextensionsv1.JSONSchemaProps{"a": {Type: "integer"}, "b": {Type: "integer"}}
		spec.XValidations = apiextensionsv1.ValidationRules{{Rule: "has(self.b)", Message: "b is missing"}}
		props.Properties["spec"] = spec
		d.Spec.Versions[i].Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: props}
	}
	kinds := definition.Of(builtin.Catalogue(), stored(t, d, 1, object.Created))
	old := gadget(t, "v1", `"metadata":{"name":"g","resourceVersion":"7","generation":1},"spec":{"a":1}`)
	for _, version := range []string{"v1", "v1beta1"} {
		k := kinds.ByGVR("a.example", version, "widgets")
		for _, sub := range []*kind.Subresource{nil, k.Status} {
			in := registry.Input{Now: time.Unix(1_700_000_000, 0), Subresource: sub}
			next := `"metadata":{"name":"g","resourceVersion":"7","labels":{"l":"v"}},"spec":{"a":1},"status":{"phase":"x"}`
			done, err := registry.Update(k, gadget(t, version, next), old, in)
			if diff := cmp.Diff([]string{`spec: Invalid value: b is missing`}, done.Warnings); diff != "" || err != nil {
				t.Errorf("%s, status %t: %v, warnings (-want +got):\n%s", version, sub != nil, err, diff)
			}
		}
		in := registry.Input{Now: time.Unix(1_700_000_000, 0)}
		_, err := registry.Update(k, gadget(t, version, `"metadata":{"name":"g","resourceVersion":"7"},"spec":{"a":2}`), old, in)
		var invalid *registry.Invalid
		if !errors.As(err, &invalid) {
			t.Errorf("%s: a write of that part is %v", version, err)
		}
	}
}
