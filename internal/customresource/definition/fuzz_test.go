package definition_test

import (
	"context"
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/customresource/definition"
)

// No schema makes its validation panic, and no object makes the code panic that uses a valid
// schema.
func FuzzSchema(f *testing.F) {
	const head = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"x"},`
	f.Add(`{"type":"object","properties":{"spec":{"type":"object","required":["cron"],"x-kubernetes-validations":[{"rule":"self.min <= self.max"}],
		"properties":{"cron":{"type":"string","pattern":"^a+$"},"min":{"type":"integer","default":1},"max":{"type":"integer"}}}}}`,
		head+`"spec":{"cron":"a","max":0}}`)
	f.Add(`{"type":"object","properties":{"a":{"type":"array","items":{"x-kubernetes-embedded-resource":true,"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}`,
		head+`"a":[{"metadata":3},null,{"metadata":{"labels":{"a":1}}}]}`)
	f.Add(`{"type":"object","properties":{"l":{"type":"array","x-kubernetes-list-type":"map",`+
		`"x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],`+
		`"properties":{"k":{"type":"string"}}}}}}`,
		head+`"l":[{"k":"a"},{"k":1},7]}`)
	f.Add(`{"type":"object","properties":{"p":{"x-kubernetes-int-or-string":true},"m":{"type":"object","additionalProperties":{"type":"object","nullable":true,"default":{}}}}}`,
		head+`"p":null,"m":{"a":null}}`)
	f.Fuzz(func(t *testing.T, schema, object string) {
		def := withSchema(t, "{}")
		props := &apiextensionsv1.JSONSchemaProps{}
		u := &unstructured.Unstructured{}
		if json.Unmarshal([]byte(schema), props) != nil || u.UnmarshalJSON([]byte(object)) != nil {
			return
		}
		def.Spec.Versions[0].Schema.OpenAPIV3Schema = props
		if len(definition.Validate(context.Background(), def)) > 0 {
			return
		}
		d, err := customresource.Compile(def)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.TypeConverter(); err != nil {
			t.Errorf("a valid schema has no types: %v", err)
		}
		if _, err := d.Storage.Admit(u, true); err != nil {
			return
		}
		d.Storage.Validate(context.Background(), u)
		d.Storage.ValidateUpdate(context.Background(), u, u.DeepCopy())
		d.Storage.ValidateStatusUpdate(context.Background(), u, u.DeepCopy())
	})
}
