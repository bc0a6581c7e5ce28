package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/kube-openapi/pkg/builder"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemamutation"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/rowlock/rowlock/api/kube/openapi/upstream"
	"github.com/rowlock/rowlock/internal/customresource"
)

const unauthorized = "Unauthorized" // every operation's answer to a missing or invalid token

// buildV2 renders the one swagger 2.0 document.
//
// It leaves out defaults, because clients of this format read them beside references, where they
// have no meaning. Source: kubernetes v1.36
// staging/src/k8s.io/kube-aggregator/pkg/controllers/openapi/aggregator/aggregator.go,
// BuildAndRegisterAggregator
func buildV2(kinds []Served) ([]byte, error) {
	n, err := newNames()
	if err != nil {
		return nil, err
	}
	custom, err := customDefinitions(kinds, n, customresource.OpenAPIV2)
	if err != nil {
		return nil, err
	}
	documents, err := documentRoutes(kinds, n)
	if err != nil {
		return nil, err
	}
	var all []common.RouteContainer
	for _, path := range slices.Sorted(maps.Keys(documents)) {
		all = append(all, documents[path])
	}
	definitions, err := upstream.Definitions(func(name string) spec.Ref {
		published, _ := n.definition(name)
		return spec.MustCreateRef("#/definitions/" + common.EscapeJsonPointer(published))
	})
	if err != nil {
		return nil, err
	}
	maps.Copy(definitions, custom)
	swagger, err := builder.BuildOpenAPISpecFromRoutes(all, &common.Config{
		Info:            info(),
		CommonResponses: map[int]spec.Response{401: {ResponseProps: spec.ResponseProps{Description: unauthorized}}},
		SecurityDefinitions: &spec.SecurityDefinitions{bearer: {SecuritySchemeProps: spec.SecuritySchemeProps{
			Type: "apiKey", Name: "authorization", In: "header", Description: bearerTitle,
		}}},
		DefaultSecurity:                []map[string][]string{{bearer: {}}},
		GetDefinitions:                 func(common.ReferenceCallback) map[string]common.OpenAPIDefinition { return definitions },
		GetDefinitionName:              n.definition,
		GetOperationIDAndTagsFromRoute: idAndTags,
	})
	if err != nil {
		return nil, fmt.Errorf("build /openapi/v2: %w", err)
	}
	pruner := schemamutation.Walker{SchemaCallback: withoutDefault, RefCallback: schemamutation.RefCallbackNoop}
	for name, definition := range swagger.Definitions {
		swagger.Definitions[name] = *pruner.WalkSchema(&definition)
	}
	return swagger.MarshalJSON()
}

func withoutDefault(s *spec.Schema) *spec.Schema {
	if s.Default == nil {
		return s
	}
	pruned := *s
	pruned.Default = nil
	return &pruned
}

// builderV3 renders OpenAPI 3.0 documents.
type builderV3 struct {
	names       *names
	routes      map[string]routes // by the document's path below /openapi/v3/
	definitions map[string]common.OpenAPIDefinition
	custom      bool // true if all kinds are custom
}

func newBuilderV3(kinds []Served) (*builderV3, error) {
	n, err := newNames()
	if err != nil {
		return nil, err
	}
	custom, err := customDefinitions(kinds, n, customresource.OpenAPIV3)
	if err != nil {
		return nil, err
	}
	documents, err := documentRoutes(kinds, n)
	if err != nil {
		return nil, err
	}
	onlyCustom := !slices.ContainsFunc(kinds, func(s Served) bool { return s.Custom == nil })
	standard, err := definitionsV3()
	if !onlyCustom {
		standard, err = builtinDefinitionsV3()
	}
	if err != nil {
		return nil, err
	}
	definitions := own(standard)
	maps.Copy(definitions, custom)
	return &builderV3{names: n, routes: documents, definitions: definitions, custom: onlyCustom}, nil
}

// own copies the part of shared definitions that the library modifies: it stores notes about a
// model in its schema's extensions.
func own(shared map[string]common.OpenAPIDefinition) map[string]common.OpenAPIDefinition {
	all := make(map[string]common.OpenAPIDefinition, len(shared))
	for name, d := range shared {
		d.Schema.Extensions = maps.Clone(d.Schema.Extensions)
		all[name] = d
	}
	return all
}

// definitionsV3 returns the definitions of Kubernetes' own types with the references of OpenAPI v3.
// They are decoded once, on the first request, and shared: do not modify them.
var definitionsV3 = sync.OnceValues(func() (map[string]common.OpenAPIDefinition, error) {
	return upstream.Definitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + common.EscapeJsonPointer(name))
	})
})

// builtinDefinitionsV3 returns these definitions as in the documents of Kubernetes' own kinds.
var builtinDefinitionsV3 = sync.OnceValues(func() (map[string]common.OpenAPIDefinition, error) {
	standard, err := definitionsV3()
	all := make(map[string]common.OpenAPIDefinition, len(standard))
	for name, d := range standard {
		d.Schema = *itemDefaults.WalkSchema(&d.Schema)
		all[name] = d
	}
	return all, err
})

// render renders the document of a path. Its output is always the same.
func (b *builderV3) render(path string) ([]byte, error) {
	config := &common.OpenAPIV3Config{
		Info: info(),
		CommonResponses: map[int]*spec3.Response{
			401: {ResponseProps: spec3.ResponseProps{Description: unauthorized}},
		},
		SecuritySchemes: spec3.SecuritySchemes{bearer: {SecuritySchemeProps: spec3.SecuritySchemeProps{
			Type: "apiKey", Name: "authorization", In: "header", Description: bearerTitle,
		}}},
		Definitions:                    b.definitions,
		GetDefinitionName:              b.names.definitionIn(path),
		GetOperationIDAndTagsFromRoute: idAndTags,
	}
	if b.custom {
		config.Info, config.SecuritySchemes, config.GetDefinitionName = customInfo(), nil, b.names.definition
	}
	document, err := builder3.BuildOpenAPISpecFromRoutes([]common.RouteContainer{b.routes[path]}, config)
	if err != nil {
		return nil, fmt.Errorf("build /openapi/v3/%s: %w", path, err)
	}
	rendered, err := document.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encode /openapi/v3/%s: %w", path, err)
	}
	return rendered, nil
}

// itemDefaults sets the zero value as the default of list items and map values whose Go type is not
// a pointer, which the generator leaves out. Quantities and bytes have no default.
//
// Source: kubernetes v1.36 pkg/generated/openapi/zz_generated.openapi.go, written by an older generator
var itemDefaults = schemamutation.Walker{
	RefCallback: schemamutation.RefCallbackNoop,
	SchemaCallback: func(s *spec.Schema) *spec.Schema {
		if s.Items == nil && s.AdditionalProperties == nil {
			return s
		}
		changed := *s
		if s.Items != nil && s.Items.Schema != nil {
			changed.Items = &spec.SchemaOrArray{Schema: withZero(s.Items.Schema)}
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			changed.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows, Schema: withZero(s.AdditionalProperties.Schema)}
		}
		return &changed
	},
}

// withZero returns a schema with its type's zero value as the default.
func withZero(s *spec.Schema) *spec.Schema {
	if s.Default != nil {
		return s
	}
	out := *s
	switch ref := s.Ref.String(); {
	case strings.HasSuffix(ref, ".Quantity"):
	case ref != "":
		out.Default = map[string]any{}
	case s.Type.Contains("string") && s.Format == "":
		out.Default = ""
	case s.Type.Contains("integer"), s.Type.Contains("number"):
		out.Default = 0
	case s.Type.Contains("boolean"):
		out.Default = false
	}
	return &out
}

func info() *spec.Info {
	return &spec.Info{InfoProps: spec.InfoProps{Title: "Kubernetes", Version: "1.36"}}
}

// customInfo returns the info of documents of custom resources.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, getOpenAPIV3Config
func customInfo() *spec.Info {
	return &spec.Info{InfoProps: spec.InfoProps{Title: "Kubernetes CRD Swagger", Version: "v0.1.0"}}
}

// bearer names the security scheme of a server with a login.
const (
	bearer      = "BearerToken"
	bearerTitle = "Bearer Token authentication"
)

func idAndTags(r common.Route) (string, []string, error) {
	return r.OperationName(), []string{r.(*route).tag}, nil
}
