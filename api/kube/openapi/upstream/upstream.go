// Package upstream holds the OpenAPI models of Kubernetes' own types: the schemas that openapi-gen
// generates from the k8s.io/api packages, with upstream's descriptions, defaults and extensions.
// They are embedded as compressed JSON, and decoded on the first request.
//
// To add an API group, add its package to the list in generate/main.go and run
// `go generate ./api/kube/openapi/upstream`.
package upstream

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemamutation"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

//go:generate go run ./generate models.json.gz

//go:embed models.json.gz
var compressed []byte

// Model is one type: its schema, in which a reference is RefPrefix followed by a model's name, and
// the names of the models that it references.
type Model struct {
	Schema       spec.Schema `json:"schema"`
	Dependencies []string    `json:"dependencies,omitempty"`
}

// RefPrefix is the prefix of references in the embedded schemas.
const RefPrefix = "#/definitions/"

// Definitions decodes the models, by name, with references made by ref. Each call returns new
// definitions, which the caller may modify.
func Definitions(ref common.ReferenceCallback) (map[string]common.OpenAPIDefinition, error) {
	models, err := decode()
	if err != nil {
		return nil, fmt.Errorf("decode the embedded OpenAPI models: %w", err)
	}
	rewrite := schemamutation.Walker{SchemaCallback: schemamutation.SchemaCallBackNoop, RefCallback: func(r *spec.Ref) *spec.Ref {
		name, there := strings.CutPrefix(r.String(), RefPrefix)
		if !there {
			return r // every schema has a reference, usually an empty one
		}
		next := ref(name)
		return &next
	}}
	all := make(map[string]common.OpenAPIDefinition, len(models))
	for name, m := range models {
		all[name] = common.OpenAPIDefinition{Schema: *rewrite.WalkSchema(&m.Schema), Dependencies: m.Dependencies}
	}
	return all, nil
}

func decode() (models map[string]Model, err error) {
	text, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	if err := json.NewDecoder(text).Decode(&models); err != nil {
		return nil, err
	}
	for _, m := range models {
		if err := restoreV2(m.Schema.Extensions); err != nil {
			return nil, err
		}
	}
	return models, nil
}

// restoreV2 decodes the schema that OpenAPI v2 has for a type instead of that of v3. The builder
// expects a schema there, but decoding has made it a map.
func restoreV2(extensions spec.Extensions) error {
	decoded, there := extensions[common.ExtensionV2Schema]
	if !there {
		return nil
	}
	text, err := json.Marshal(decoded)
	if err != nil {
		return err
	}
	var schema spec.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return err
	}
	extensions[common.ExtensionV2Schema] = schema
	return nil
}
