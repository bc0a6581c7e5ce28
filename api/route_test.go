package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// The OpenAPI document has every path and method that the router serves, and no other.
func TestOpenAPIYAMLHasEveryRoute(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(servedRoutes(t), documentedRoutes(t)); diff != "" {
		t.Errorf("the document differs from what is served (-served +documented):\n%s", diff)
	}
}

// servedRoutes walks the router: "GET /api/v1/nodes", sorted.
func servedRoutes(t *testing.T) []string {
	t.Helper()
	var routes []string
	err := chi.Walk(build(described(nil)).router, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if rest, ok := strings.CutSuffix(path, "/*"); ok { // as OpenAPI cannot say "the rest of the path"
			path = rest + "/{path}"
		}
		routes = append(routes, method+" "+path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(routes)
	return routes
}

// documentedRoutes reads the document as a client would.
func documentedRoutes(t *testing.T) []string {
	t.Helper()
	doc, err := OpenAPIYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	var root struct{ Paths map[string]map[string]any }
	if err := yaml.Unmarshal(doc, &root); err != nil {
		t.Fatal(err)
	}
	var routes []string
	for path, item := range root.Paths {
		for method := range item {
			routes = append(routes, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(routes)
	return routes
}
