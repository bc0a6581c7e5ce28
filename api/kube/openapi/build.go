package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/builder"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemamutation"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const unauthorized = "Unauthorized" // what every operation answers to a missing or wrong token

// buildV2 renders the one swagger 2.0 document.
//
// Defaults are left out of it, as clients of this format meet them where they cannot have a meaning, beside a
// reference. Source: kubernetes v1.36 staging/src/k8s.io/kube-aggregator/pkg/controllers/openapi/aggregator/aggregator.go,
// BuildAndRegisterAggregator
func buildV2(kinds []Served) ([]byte, error) {
	n, err := newNames()
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
	swagger, err := builder.BuildOpenAPISpecFromRoutes(all, &common.Config{
		Info:                           info(),
		CommonResponses:                map[int]spec.Response{401: {ResponseProps: spec.ResponseProps{Description: unauthorized}}},
		GetDefinitions:                 GetOpenAPIDefinitions,
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

// buildV3 renders every OpenAPI 3.0 document, by its path below /openapi/v3/.
func buildV3(kinds []Served) (map[string][]byte, error) {
	n, err := newNames()
	if err != nil {
		return nil, err
	}
	documents, err := documentRoutes(kinds, n)
	if err != nil {
		return nil, err
	}
	definitions := GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + common.EscapeJsonPointer(name))
	})
	rendered := make(map[string][]byte, len(documents))
	for path, routes := range documents {
		document, err := builder3.BuildOpenAPISpecFromRoutes([]common.RouteContainer{routes}, &common.OpenAPIV3Config{
			Info: info(),
			CommonResponses: map[int]*spec3.Response{
				401: {ResponseProps: spec3.ResponseProps{Description: unauthorized}},
			},
			Definitions:                    definitions,
			GetDefinitionName:              n.definitionIn(path),
			GetOperationIDAndTagsFromRoute: idAndTags,
		})
		if err != nil {
			return nil, fmt.Errorf("build /openapi/v3/%s: %w", path, err)
		}
		if rendered[path], err = json.Marshal(document); err != nil {
			return nil, fmt.Errorf("encode /openapi/v3/%s: %w", path, err)
		}
	}
	return rendered, nil
}

func info() *spec.Info {
	return &spec.Info{InfoProps: spec.InfoProps{Title: "Kubernetes", Version: "v1.36"}}
}

func idAndTags(r common.Route) (string, []string, error) {
	return r.OperationName(), []string{r.(*route).tag}, nil
}
