package customresource

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	openapiv2 "k8s.io/apiextensions-apiserver/pkg/controller/openapi/v2"
	generated "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/builder3/util"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemamutation"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Format is a version of OpenAPI.
type Format int

// The formats differ in how a schema references another, and in which schemas they can express.
const (
	OpenAPIV2 Format = iota
	OpenAPIV3
)

// The models of Kubernetes that schemas of custom resources reference, directly or not. The caller
// who builds a document adds them.
const (
	objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
	listMeta   = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"
	typeMeta   = "io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta"
)

const (
	gvkExtension        = "x-kubernetes-group-version-kind"
	selectableExtension = "x-kubernetes-selectable-fields"
	embeddedExtension   = "x-kubernetes-embedded-resource"
	preserveExtension   = "x-kubernetes-preserve-unknown-fields"
)

// ModelName returns the name of a kind in OpenAPI documents, "com.example.stable.v1.CronTab".
func ModelName(gvk schema.GroupVersionKind) string {
	labels := strings.Split(gvk.Group, ".")
	slices.Reverse(labels)
	return strings.Join(append(labels, gvk.Version, gvk.Kind), ".")
}

// Model returns the schema of the version's objects in an OpenAPI document; ListModel returns that
// of their lists. ModelName gives their names. OpenAPIV2 leaves out defaults, as the rest of
// Rowlock's document in that format does. Models reference ObjectMeta and ListMeta of meta/v1 by
// the names that Kubernetes' documents use. The caller may modify the result. Errors: a schema that
// does not compile.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, buildKubeNative
func (v *Version) Model(f Format) (*spec.Schema, error) {
	model, err := v.model(f)
	if err != nil {
		return nil, err
	}
	if f == OpenAPIV2 {
		model = withoutDefaults.WalkSchema(model)
	}
	v.addExtensions(model, v.GVK)
	v.addSelectable(model)
	return finish(f, model), nil
}

// model returns the schema of the version's objects without extensions.
func (v *Version) model(f Format) (*spec.Schema, error) {
	internal, err := internalSchema(openAPISchema(v.spec))
	if err != nil {
		return nil, err
	}
	anything := new(spec.Schema).Typed("object", "")
	if internal == nil {
		return anything, nil
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", v.GVK, err)
	}
	structural = structural.Unfold()
	if f == OpenAPIV2 {
		if structural.XPreserveUnknownFields {
			return anything, nil // kubectl would reject fields that the model does not list
		}
		structural = openapiv2.ToStructuralOpenAPIV2(structural)
	}
	model := structural.ToKubeOpenAPI()
	describe(f, model, metav1beta1.PartialObjectMetadata{}.SwaggerDoc()["metadata"], objectMeta)
	describeEmbedded(f, model)
	return model, nil
}

// ListModel returns the schema of lists of the version's objects.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, buildListSchema
func (v *Version) ListModel(f Format) *spec.Schema {
	items := spec.ArrayProperty(reference(f, ModelName(v.GVK))).WithDescription("List of " + v.definition.Names.Plural +
		". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md")
	list := new(spec.Schema).Typed("object", "").
		WithDescription(v.ListGVK.Kind+" is a list of "+v.GVK.Kind).
		WithRequired("items").
		SetProperty("items", *items)
	describe(f, list, metav1beta1.PartialObjectMetadataList{}.SwaggerDoc()["metadata"], listMeta)
	v.addExtensions(list, v.ListGVK)
	v.addSelectable(list)
	return finish(f, list)
}

// finish wraps references that have a description, because OpenAPI v3 ignores siblings of a
// reference.
func finish(f Format, s *spec.Schema) *spec.Schema {
	if f == OpenAPIV3 {
		return util.WrapRefs(s)
	}
	return s
}

// withoutDefaults removes defaults.
var withoutDefaults = schemamutation.Walker{
	RefCallback: schemamutation.RefCallbackNoop,
	SchemaCallback: func(s *spec.Schema) *spec.Schema {
		if s.Default == nil {
			return s
		}
		pruned := *s
		pruned.Default = nil
		return &pruned
	},
}

func (v *Version) addExtensions(s *spec.Schema, gvk schema.GroupVersionKind) {
	s.AddExtension(gvkExtension, []any{map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}})
}

func (v *Version) addSelectable(s *spec.Schema) {
	if len(v.SelectableFields) == 0 {
		return
	}
	var all []any
	for _, name := range v.SelectableFields {
		all = append(all, map[string]any{"fieldPath": name})
	}
	s.AddExtension(selectableExtension, all)
}

// describe adds the properties that all objects have to the schema of an object.
func describe(f Format, s *spec.Schema, description, metadata string) {
	s.SetProperty("metadata", *reference(f, metadata).WithDescription(description))
	for name, property := range standard(typeMeta).Properties {
		s.SetProperty(name, property)
	}
}

// describeEmbedded does the same for embedded resources.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, addEmbeddedProperties
func describeEmbedded(f Format, s *spec.Schema) {
	for name, property := range s.Properties {
		describeEmbedded(f, &property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		describeEmbedded(f, s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		describeEmbedded(f, s.AdditionalProperties.Schema)
	}
	if preserve, _ := s.Extensions.GetBool(preserveExtension); preserve && f == OpenAPIV2 {
		return // kubectl would reject unknown fields
	}
	if embedded, _ := s.Extensions.GetBool(embeddedExtension); !embedded {
		return
	}
	describe(f, s, metav1beta1.PartialObjectMetadata{}.SwaggerDoc()["metadata"], objectMeta)
	docs := metav1.TypeMeta{}.SwaggerDoc()
	for _, name := range []string{"apiVersion", "kind"} {
		property := s.Properties[name]
		property.Description = embeddedDoc(name, docs[name])
		s.Properties[name] = property
	}
	for _, name := range []string{"kind", "apiVersion"} {
		if !slices.Contains(s.Required, name) {
			s.Required = append(s.Required, name)
		}
	}
}

// embeddedDoc returns the description of apiVersion or kind in an embedded resource, which differs
// from doc, the description in other objects.
func embeddedDoc(name, doc string) string {
	const conventions = "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#"
	switch name {
	case "apiVersion":
		return "apiVersion defines the versioned schema of this representation of an object. " + conventions + "resources"
	case "kind":
		return "kind is a string value representing the type of this object. In CamelCase. " + conventions + "types-kinds"
	}
	return doc
}

// reference returns a schema that references a model.
func reference(f Format, model string) *spec.Schema {
	prefix := "#/components/schemas/"
	if f == OpenAPIV2 {
		prefix = "#/definitions/"
	}
	return spec.RefSchema(prefix + model)
}

// standards returns Kubernetes' own models, which reference each other as in OpenAPI v3.
var standards = sync.OnceValue(func() map[string]common.OpenAPIDefinition {
	return generated.GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + common.EscapeJsonPointer(name))
	})
})

// standard returns one of the standards; the caller must not change it.
func standard(name string) spec.Schema { return standards()[name].Schema }
