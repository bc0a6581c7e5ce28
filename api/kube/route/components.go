package route

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/version"
	custommetricsv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	custommetricsv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetricsv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"

	"github.com/rowlock/rowlock/internal/kind"
)

// NewComponents returns the components that operations in the OpenAPI document reference. Describe
// adds the schemas later, because reflecting on all types would slow down the start of the server.
func NewComponents() *huma.Components {
	c := &huma.Components{Schemas: newRegistry(), Parameters: map[string]*huma.Param{}, Responses: map[string]*huma.Response{
		"Status": {Description: "Any failure", Content: bodies(StatusSchema)},
	}}
	for _, p := range parameters {
		c.Parameters[p.Name] = p
	}
	return c
}

// Describe adds the schemas of everything that the catalogue serves to the document's components.
// It must be called once.
func Describe(c *huma.Components, catalogue *kind.Catalogue) {
	types := []any{
		metav1.Status{}, metav1.DeleteOptions{}, metav1.WatchEvent{}, metav1.APIVersions{}, metav1.APIGroupList{}, metav1.APIGroup{},
		custommetricsv1beta1.MetricValueList{}, custommetricsv1beta2.MetricValueList{}, externalmetricsv1beta1.ExternalMetricValueList{},
		metav1.APIResourceList{}, apidiscovery.APIGroupDiscoveryList{}, autoscalingv1.Scale{}, corev1.Binding{},
		policyv1.Eviction{}, authenticationv1.TokenRequest{}, version.Info{},
	}
	for _, k := range catalogue.All() {
		types = append(types, k.New())
		if k.NewList != nil {
			types = append(types, k.NewList())
		}
	}
	for _, t := range types {
		c.Schemas.Schema(reflect.TypeOf(t), true, "")
	}
	schemas := c.Schemas.Map()
	schemas[patchSchema] = &huma.Schema{
		Type:        "object",
		Description: "A patch of the kind that the media type names. A JSON patch is an array of operations instead of an object.",
	}
	for name := range schemas {
		flatten(c.Schemas, name)
	}
}

// newRegistry returns a registry that names schemas as upstream does, and has the schemas of types
// with JSON encodings of their own.
func newRegistry() huma.Registry {
	r := huma.NewMapRegistry(schemaPrefix, func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return huma.DefaultSchemaNamer(t, hint)
		}
		if name := ModelName(reflect.New(t).Interface()); !strings.HasPrefix(name, "*") {
			return name
		}
		return canonicalName(t)
	})
	for _, alias := range []struct{ of, as any }{
		{metav1.Time{}, time.Time{}},
		{metav1.MicroTime{}, time.Time{}},
		{metav1.Duration{}, ""},
		{apiresource.Quantity{}, quantitySchema{}},
		{intstr.IntOrString{}, intOrStringSchema{}},
		{runtime.RawExtension{}, objectSchema{}},
		{metav1.FieldsV1{}, objectSchema{}},
		{json.RawMessage{}, objectSchema{}},
	} {
		r.RegisterTypeAlias(reflect.TypeOf(alias.of), reflect.TypeOf(alias.as))
	}
	return r
}

// ownTypes is the package of the types of Rowlock's own API.
const ownTypes = "github.com/rowlock/rowlock/api/v1"

// canonicalName returns the schema name of a type that does not define one,
// "io.k8s.api.core.v1.Pod".
func canonicalName(t reflect.Type) string {
	if t.PkgPath() == ownTypes {
		return "rowlock.v1." + t.Name()
	}
	host, path, _ := strings.Cut(t.PkgPath(), "/")
	parts := strings.Split(host, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

// flatten moves the fields of inlined structs, which encoding/json promotes and huma does not, into
// the schema of the outer struct.
func flatten(r huma.Registry, name string) {
	s, t := r.Map()[name], typeOf(r, name)
	if t == nil || s == nil || t.Kind() != reflect.Struct {
		return
	}
	for f := range fieldsOf(t) {
		inlined, found := s.Properties[f.Name]
		if !f.Anonymous || !found {
			continue
		}
		delete(s.Properties, f.Name)
		s.Required = without(s.Required, f.Name)
		part := strings.TrimPrefix(inlined.Ref, schemaPrefix)
		flatten(r, part)
		from := r.Map()[part]
		if from == nil {
			continue
		}
		for key, p := range from.Properties {
			s.Properties[key] = p
		}
		s.Required = append(s.Required, from.Required...)
	}
}

// typeOf returns the Go type of a schema, nil if the schema is written by hand.
func typeOf(r huma.Registry, name string) reflect.Type { return r.TypeFromRef(schemaPrefix + name) }

func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func without(names []string, name string) []string {
	var out []string
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}

// Schemas of types that encode themselves.
type (
	quantitySchema    struct{}
	intOrStringSchema struct{}
	objectSchema      struct{}
)

// Schema returns the schema of a Quantity, "500m" or 2.
func (quantitySchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: "string"}, {Type: "number"}}, Description: "A quantity, such as 500m, 2 or 1Gi."}
}

// Schema returns the schema of an IntOrString.
func (intOrStringSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		OneOf:      []*huma.Schema{{Type: "integer", Format: "int32"}, {Type: "string"}},
		Extensions: map[string]any{"x-kubernetes-int-or-string": true},
	}
}

// Schema returns the schema of any object.
func (objectSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: "object", AdditionalProperties: true}
}
