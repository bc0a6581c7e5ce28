package route

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Operation returns the route's description in the OpenAPI document. Parameters, schemas and
// responses are references to the document's components (components.go).
func (r Route) Operation() *huma.Operation {
	op := &huma.Operation{
		Method: r.Method, Path: r.Path,
		OperationID: r.Verb + r.Name,
		Summary:     r.Summary,
		Tags:        []string{Tag(r.Path)},
		Responses:   map[string]*huma.Response{"default": {Ref: "#/components/responses/Status"}},
	}
	for _, name := range []string{"namespace", "resource", "name", "metric", "path"} {
		if strings.Contains(r.Path, "{"+name+"}") {
			op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
		}
	}
	for _, name := range r.Query {
		op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
	}
	switch {
	case r.Patch:
		op.RequestBody = &huma.RequestBody{Required: true, Content: patchContent}
	case r.Body != "":
		op.RequestBody = &huma.RequestBody{Required: r.Method != http.MethodDelete, Content: bodies(r.Body)}
	}
	code := http.StatusOK
	if r.Method == http.MethodPost {
		code = http.StatusCreated
	}
	if r.Any {
		code = http.StatusOK
		op.Responses[strconv.Itoa(code)] = &huma.Response{
			Description: http.StatusText(code),
			Content:     map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: "string"}}},
		}
	}
	if r.Text {
		text := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
		op.Responses[strconv.Itoa(code)] = &huma.Response{Description: http.StatusText(code), Content: map[string]*huma.MediaType{"text/plain": text}}
	}
	if r.Answer != "" {
		op.Responses[strconv.Itoa(code)] = &huma.Response{Description: http.StatusText(code), Content: bodies(r.Answer)}
		if r.OnlyJSON {
			op.Responses[strconv.Itoa(code)].Content = map[string]*huma.MediaType{wire.MediaJSON: bodies(r.Answer)[wire.MediaJSON]}
		}
	}
	return op
}

// bodies returns a schema in all served media types.
func bodies(schema string) map[string]*huma.MediaType {
	m := &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + schema}}
	return map[string]*huma.MediaType{wire.MediaJSON: m, wire.MediaYAML: m, wire.MediaProtobuf: m}
}

const schemaPrefix = "#/components/schemas/"

// patchContent is the body of every PATCH.
var patchContent = func() map[string]*huma.MediaType {
	out := make(map[string]*huma.MediaType, len(PatchTypes))
	for _, media := range PatchTypes {
		out[media] = &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + patchSchema}}
	}
	return out
}()

const patchSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch"

// Tag returns an operation's tag: the API's group and version, as in upstream's documents.
func Tag(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 1:
		return "core_" + parts[1]
	case parts[0] == "apis" && len(parts) > 2:
		return ShortGroup(parts[1]) + "_" + parts[2]
	case parts[0] == "apis" && len(parts) > 1:
		return ShortGroup(parts[1])
	}
	return parts[0]
}

// ShortGroup returns a group's name up to its first dot.
func ShortGroup(group string) string {
	short, _, _ := strings.Cut(group, ".")
	return short
}

// OperationName returns an operation ID without its verb: "AppsV1NamespacedDeployment".
func OperationName(k *kind.Kind, scope string) string {
	return VersionName(k.Group, k.Version) + scope + k.Kind
}

// VersionName returns a group version as in operation IDs: "CoreV1".
func VersionName(group, version string) string {
	if group == "" {
		group = "core"
	}
	return Title(ShortGroup(group)) + Title(version)
}

// Title converts the first letter to upper case.
func Title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// ModelName returns the name of an object's schema: the one that the type defines or, failing that,
// one derived from its package.
func ModelName(o any) string {
	if named, ok := o.(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	return goType(o)
}

// ListSchema returns the name of the schema of a kind's list.
func ListSchema(k *kind.Kind) string { return ModelName(k.NewList()) }

// BindingType is the type of bindings, which are posted and never stored.
var BindingType = object.Type{Version: "v1", Kind: "Binding", Plural: "bindings", Namespaced: true}

// goType returns the name of a Go type as errors print it, "*v1.Pod".
func goType(v any) string { return fmt.Sprintf("%T", v) }
