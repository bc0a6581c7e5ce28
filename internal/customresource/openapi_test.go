package customresource_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/customresource"
)

func asJSON(t testing.TB, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func fromYAML(t testing.TB, text string) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return asJSON(t, out)
}

func TestModel(t *testing.T) {
	t.Parallel()
	v := define(t, `
selectableFields: [{jsonPath: .spec.mode}]
schema:
  openAPIV3Schema:
    type: object
    description: A table of jobs.
    properties:
      spec:
        type: object
        properties:
          mode: {type: string, default: slow, nullable: true}
          port: {x-kubernetes-int-or-string: true}
          items: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}}}}
          free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
        anyOf: [{required: [mode]}]`)
	docs := metav1.TypeMeta{}.SwaggerDoc()
	const meta = `{description: "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata", `
	head := `
type: object
description: A table of jobs.
x-kubernetes-group-version-kind: [{group: stable.example.com, version: v1, kind: CronTab}]
x-kubernetes-selectable-fields: [{fieldPath: spec.mode}]
properties:
  apiVersion: {type: string, description: "` + docs["apiVersion"] + `"}
  kind: {type: string, description: "` + docs["kind"] + `"}
`
	list := `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}}}}`
	for f, want := range map[customresource.Format]string{
		customresource.OpenAPIV3: head + `
  metadata: ` + meta + `allOf: [{$ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]}
  spec:
    type: object
    anyOf: [{required: [mode]}]
    properties:
      mode: {type: string, default: slow, nullable: true}
      port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
      items: ` + list + `
      free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
`,
		customresource.OpenAPIV2: head + `
  metadata: ` + meta + `$ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
  spec:
    type: object
    properties:
      mode: {}
      port: {x-kubernetes-int-or-string: true}
      items: ` + list + `
      free: {x-kubernetes-preserve-unknown-fields: true}
`,
	} {
		model, err := v.Model(f)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fromYAML(t, want), asJSON(t, model)); diff != "" {
			t.Errorf("format %d (-want +got):\n%s", f, diff)
		}
	}
	if name := customresource.ModelName(v.ListGVK); name != "com.example.stable.v1.CronTabList" {
		t.Errorf("name %s", name)
	}
	items := v.ListModel(customresource.OpenAPIV3).Properties["items"]
	if ref := items.Items.Schema.Ref.String(); ref != "#/components/schemas/com.example.stable.v1.CronTab" {
		t.Errorf("items are %s", ref)
	}
}

// Lists with keys are merged and owned item by item; other lists are atomic.
func TestTypeConverter(t *testing.T) {
	t.Parallel()
	whole := compileWhole(t)
	converter, err := whole.TypeConverter()
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) *typed.TypedValue {
		value, err := converter.ObjectToTyped(cronTab(t, text), typed.AllowDuplicates)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	live := read(`{spec: {ports: [{port: 1, name: a}, {port: 2}], tags: [a]}}`)
	merged, err := live.Merge(read(`{spec: {ports: [{port: 1, name: b}, {port: 3}], tags: [b]}}`))
	if err != nil {
		t.Fatal(err)
	}
	out, err := converter.TypedToObject(merged)
	if err != nil {
		t.Fatal(err)
	}
	want := cronTab(t, `{spec: {ports: [{port: 1, name: b}, {port: 2}, {port: 3}], tags: [a, b]}}`)
	if diff := cmp.Diff(want.Object, out.(*unstructured.Unstructured).Object); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	set, err := live.ToFieldSet()
	if err != nil {
		t.Fatal(err)
	}
	if !set.Has(fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyByFields("port", 1), "name")) {
		t.Errorf("fields %s", set)
	}
	if path := whole.ReplicasPaths()["stable.example.com/v1"].String(); path != ".spec.replicas" {
		t.Errorf("replicas at %s", path)
	}
}
