package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// registerRoot mounts the list of paths at "/". Everything else must be mounted before.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/routes/index.go, IndexLister
func registerRoot(api huma.API) {
	list, err := json.MarshalIndent(metav1.RootPaths{Paths: rootPaths(api.OpenAPI())}, "", "  ")
	if err != nil {
		panic("api: a list of paths does not encode: " + err.Error())
	}
	text := &huma.Schema{Type: "array", Items: &huma.Schema{Type: "string"}}
	op := &huma.Operation{
		Method: http.MethodGet, Path: "/", OperationID: "getPaths",
		Summary: "list the paths that are served; browsers are sent to the dashboard", Tags: []string{"discovery"},
		Responses: map[string]*huma.Response{
			"200": {Description: "OK", Content: map[string]*huma.MediaType{
				"application/json": {Schema: &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{"paths": text}, Required: []string{"paths"}}},
			}},
			"default": {Ref: "#/components/responses/Status"},
		},
	}
	api.OpenAPI().AddOperation(op)
	api.Adapter().Handle(op, func(c huma.Context) {
		_, w := humachi.Unwrap(c)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(list) // best effort: the client may have disconnected
	})
}

// rootPaths returns the paths without parameters, down to the group versions, without resources.
func rootPaths(doc *huma.OpenAPI) (paths []string) {
	for path, item := range doc.Paths {
		parts := strings.Split(path, "/")
		resource := parts[1] == "api" && len(parts) > 3 || parts[1] == "apis" && len(parts) > 4
		if item.Get != nil && !resource && !strings.Contains(path, "{") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}
