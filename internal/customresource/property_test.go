package customresource_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"pgregory.net/rapid"
)

// schemas draws structural schemas.
func schemas(depth int) *rapid.Generator[apiextensionsv1.JSONSchemaProps] {
	return rapid.Custom(func(t *rapid.T) apiextensionsv1.JSONSchemaProps {
		yes := true
		kinds := []string{"string", "integer", "boolean", "any"}
		if depth > 0 {
			kinds = append(kinds, "object", "map", "list", "embedded", "object")
		}
		below := func() *apiextensionsv1.JSONSchemaProps {
			s := schemas(depth-1).Draw(t, "below")
			return &s
		}
		fields := func() map[string]apiextensionsv1.JSONSchemaProps {
			return rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), schemas(depth-1), 0, 3).Draw(t, "fields")
		}
		nullable := rapid.Bool().Draw(t, "nullable")
		switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
		case "any":
			return apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: &yes}
		case "map":
			return apiextensionsv1.JSONSchemaProps{Type: "object", Nullable: nullable, AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: below()}}
		case "list":
			return apiextensionsv1.JSONSchemaProps{Type: "array", Nullable: nullable, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: below()}}
		case "embedded":
			return apiextensionsv1.JSONSchemaProps{Type: "object", XEmbeddedResource: true, XPreserveUnknownFields: &yes, Properties: fields()}
		case "object":
			s := apiextensionsv1.JSONSchemaProps{Type: "object", Nullable: nullable, Properties: fields()}
			if rapid.Bool().Draw(t, "default") {
				s.Default = &apiextensionsv1.JSON{Raw: []byte(`{}`)}
			}
			return s
		default:
			s := apiextensionsv1.JSONSchemaProps{Type: kind, Nullable: nullable}
			if rapid.Bool().Draw(t, "default") {
				s.Default = &apiextensionsv1.JSON{Raw: []byte(map[string]string{"string": `"x"`, "integer": `7`, "boolean": `true`}[kind])}
			}
			return s
		}
	})
}

// values draws JSON values that share field names with the schemas.
func values(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch n := rapid.IntRange(0, 6).Draw(t, "value"); {
		case n == 0:
			return nil
		case n == 1:
			return rapid.Bool().Draw(t, "bool")
		case n == 2:
			return int64(rapid.IntRange(-3, 3).Draw(t, "int"))
		case n == 3 || depth == 0:
			return rapid.SampledFrom([]string{"", "x", "v1"}).Draw(t, "text")
		case n == 4:
			return rapid.SliceOfN(values(depth-1), 0, 3).Draw(t, "list")
		default:
			names := rapid.SampledFrom([]string{"a", "b", "c", "d", "apiVersion", "kind"})
			return rapid.MapOfN(names, values(depth-1), 0, 4).Draw(t, "object")
		}
	})
}

// Admitting, restoring, or converting an admitted object changes nothing more, and validation never
// changes it.
func TestAdmitIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		schema := schemas(3).Draw(rt, "schema")
		root := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": schema}}
		d := compile(t, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
		}, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: "v2", Served: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root.DeepCopy()},
		})
		v := d.Storage
		u := cronTab(t, `{}`)
		u.Object["spec"] = values(4).Draw(rt, "spec")
		if _, err := v.Admit(u, false); err != nil {
			return // the metadata of an embedded resource cannot be decoded
		}
		admitted := u.DeepCopy()
		same := func(what string) {
			if diff := cmp.Diff(admitted.Object, u.Object); diff != "" {
				rt.Fatalf("%s (-before +after):\n%s", what, diff)
			}
		}
		v.Validate(context.Background(), u)
		same("validated")
		unknown, err := v.Admit(u, true)
		if err != nil || len(unknown) > 0 {
			rt.Fatalf("admitted again: %q, %v", unknown, err)
		}
		same("admitted again")
		for _, to := range []string{"v2", "v1"} {
			if err := d.Convert(u, d.Version(to)); err != nil {
				rt.Fatal(err)
			}
		}
		same("converted there and back")
		if err := v.Restore(u); err != nil {
			rt.Fatal(err)
		}
		admitted.SetGeneration(1)
		same("restored")
	})
}
