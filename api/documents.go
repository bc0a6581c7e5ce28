package api

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// registerDocuments mounts Kubernetes' OpenAPI documents, which kubectl uses for explain and
// validation.
func registerDocuments(api huma.API, router chi.Router, d kube.Deps, server *kube.Server) {
	docs := d.OpenAPI
	if docs == nil {
		docs = openapi.NewCustom(discovery.Served(d.Catalogue.Builtin()), documentsOf(d.Catalogue.Builtin()), server.Defined)
	}
	mount := func(path, pattern, id, summary string, params ...*huma.Param) {
		api.OpenAPI().AddOperation(&huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: id, Summary: summary, Tags: []string{"openapi"}, Parameters: params,
			Responses: map[string]*huma.Response{
				"200":     {Description: "OK", Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: "object"}}}},
				"default": {Ref: "#/components/responses/Status"},
			},
		})
		router.Get(pattern, docs.ServeHTTP)
	}
	exact := []*huma.Param{{Ref: "#/components/parameters/resourceVersion"}, {Ref: "#/components/parameters/resourceVersionMatch"}}
	mount("/openapi/v2", "/openapi/v2", "getOpenAPIV2", "get the OpenAPI v2 document of the Kubernetes API", exact...)
	mount("/openapi/v3", "/openapi/v3", "getOpenAPIV3Index", "list the OpenAPI v3 documents of the Kubernetes API", exact...)
	mount("/openapi/v3/{path}", "/openapi/v3/*", "getOpenAPIV3", "get the OpenAPI v3 document of one path, such as apis/apps/v1",
		append(exact, &huma.Param{
			Name: "path", In: "path", Required: true, Description: "A path of the index, slashes included.",
			Schema: &huma.Schema{Type: "string"},
		})...)
}

// documentsOf returns the documents of a catalogue. The built-in catalogue's are built once per
// process and shared by its clusters, including forks.
func documentsOf(c *kind.Catalogue) http.Handler {
	if c == builtin.Catalogue() {
		return builtinDocuments()
	}
	return openapi.Handler(discovery.Served(c))
}

var builtinDocuments = sync.OnceValue(func() http.Handler {
	return openapi.HandlerOf(discovery.Served(builtin.Catalogue()), func() (etags map[string]string, err error) {
		err = json.Unmarshal(builtinETags, &etags)
		return etags, err
	})
})

// builtinETags are the ETags of the built-in catalogue's documents. Computing them, which renders
// all documents, takes some 150 ms of processor time.
//
//go:generate go run ./kube/openapi/etags etags.json
//go:embed etags.json
var builtinETags []byte
