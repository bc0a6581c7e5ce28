package kube

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// operation is the route as the OpenAPI document describes it. Parameters, schemas and responses
// are references into the document's components (components.go).
func (r route) operation() *huma.Operation {
	op := &huma.Operation{
		Method: r.method, Path: r.path,
		OperationID: r.verb + r.name,
		Summary:     r.summary,
		Tags:        []string{tag(r.path)},
		Responses:   map[string]*huma.Response{"default": {Ref: "#/components/responses/Status"}},
	}
	for _, name := range []string{"namespace", "resource", "name", "metric", "path"} {
		if strings.Contains(r.path, "{"+name+"}") {
			op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
		}
	}
	for _, name := range r.query {
		op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
	}
	switch {
	case r.patch:
		op.RequestBody = &huma.RequestBody{Required: true, Content: patchContent}
	case r.body != "":
		op.RequestBody = &huma.RequestBody{Required: r.method != http.MethodDelete, Content: bodies(r.body)}
	}
	code := http.StatusOK
	if r.method == http.MethodPost {
		code = http.StatusCreated
	}
	if r.any {
		code = http.StatusOK
		op.Responses[strconv.Itoa(code)] = &huma.Response{Description: http.StatusText(code), Content: map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: "string"}}}}
	}
	if r.text {
		text := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
		op.Responses[strconv.Itoa(code)] = &huma.Response{Description: http.StatusText(code), Content: map[string]*huma.MediaType{"text/plain": text}}
	}
	if r.answer != "" {
		op.Responses[strconv.Itoa(code)] = &huma.Response{Description: http.StatusText(code), Content: bodies(r.answer)}
		if r.onlyJSON {
			op.Responses[strconv.Itoa(code)].Content = map[string]*huma.MediaType{wire.MediaJSON: bodies(r.answer)[wire.MediaJSON]}
		}
	}
	return op
}

// bodies is a schema in the media types that are served.
func bodies(schema string) map[string]*huma.MediaType {
	m := &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + schema}}
	return map[string]*huma.MediaType{wire.MediaJSON: m, wire.MediaYAML: m, wire.MediaProtobuf: m}
}

const schemaPrefix = "#/components/schemas/"

// patchContent is the body of every PATCH.
var patchContent = func() map[string]*huma.MediaType {
	out := make(map[string]*huma.MediaType, len(patchTypes))
	for _, media := range patchTypes {
		out[media] = &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + patchSchema}}
	}
	return out
}()

const patchSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch"

// tag groups operations by the API's group and version, as upstream's documents do.
func tag(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 1:
		return "core_" + parts[1]
	case parts[0] == "apis" && len(parts) > 2:
		return shortGroup(parts[1]) + "_" + parts[2]
	case parts[0] == "apis" && len(parts) > 1:
		return shortGroup(parts[1])
	}
	return parts[0]
}

// shortGroup is a group's name up to its first dot.
func shortGroup(group string) string {
	short, _, _ := strings.Cut(group, ".")
	return short
}

// operationName is what an operation id says after its verb: "AppsV1NamespacedDeployment".
func operationName(k *kind.Kind, scope string) string {
	return versionName(k.Group, k.Version) + scope + k.Kind
}

// versionName is a group and version in operation ids: "CoreV1".
func versionName(group, version string) string {
	if group == "" {
		group = "core"
	}
	return title(shortGroup(group)) + title(version)
}

// title raises the first letter.
func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// modelName is the name of an object's schema, as the type itself says or, failing that, as its
// package does.
func modelName(o any) string {
	if named, ok := o.(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	return goType(o)
}

// listSchema names the schema of a kind's list.
func listSchema(k *kind.Kind) string { return modelName(k.NewList()) }

// bindingType names the objects that are posted to bindings and never stored.
var bindingType = object.Type{Version: "v1", Kind: "Binding", Plural: "bindings", Namespaced: true}
