package api

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/api/auth"
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

// What a request is judged by is what it is served as: the verb, the resource, its namespace and
// its name are read from the path in one way by the rules and in another by the routes.
func TestRoutesAreJudgedAsTheyAreServed(t *testing.T) {
	t.Parallel()
	doc := build(described(nil)).api.OpenAPI()
	verbs := map[string]string{
		"list": "list", "read": "get", "replace": "update", "patch": "patch", "delete": "delete", "deleteCollection": "deletecollection",
		"create": "create", "watch": "watch",
	}
	fill := strings.NewReplacer("{namespace}", "ns", "{name}", "one", "{path}", "p", "{group}", "g", "{version}", "v")
	judged := 0
	for path, item := range doc.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "PUT": item.Put, "POST": item.Post, "PATCH": item.Patch, "DELETE": item.Delete} {
			prefix := regexp.MustCompile(`^(deleteCollection|[a-z]+)`).FindString(operationID(op))
			if op == nil || verbs[prefix] == "" || !strings.Contains(path, "/v1/") || strings.HasPrefix(path, "/rowlock/") || strings.HasPrefix(path, "/openapi/") {
				continue
			}
			got := auth.Describe(httptest.NewRequest(method, fill.Replace(path), nil))
			rest := strings.Replace(strings.TrimPrefix(path[strings.Index(path, "/v1/")+4:], "watch/"), "namespaces/{namespace}/", "", 1)
			parts := append(strings.Split(rest, "/"), "", "", "")
			want := auth.Attributes{Verb: verbs[prefix], Path: got.Path, Version: "v1", Resource: parts[0], Subresource: parts[2]}
			if strings.HasPrefix(path, "/apis/") {
				want.Group = strings.Split(path, "/")[2]
			}
			if parts[1] != "" {
				want.Name = "one"
			}
			switch {
			case strings.Contains(path, "{namespace}"):
				want.Namespace = "ns"
			case want.Resource == "namespaces" && want.Name != "":
				want.Namespace = "one"
			}
			if judged++; got != want {
				t.Errorf("%s %s is judged as %+v; want %+v", method, path, got, want)
			}
		}
	}
	if judged < 200 {
		t.Errorf("only %d routes were judged", judged)
	}
}

// operationID is what an operation is called; "" for none.
func operationID(op *huma.Operation) string {
	if op == nil {
		return ""
	}
	return op.OperationID
}
