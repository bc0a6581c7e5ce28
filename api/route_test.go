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

// The OpenAPI document has exactly the paths and methods that the router serves.
func TestOpenAPIYAMLHasEveryRoute(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(servedRoutes(t), documentedRoutes(t)); diff != "" {
		t.Errorf("the document differs from what is served (-served +documented):\n%s", diff)
	}
}

// servedRoutes returns the router's routes, sorted: "GET /api/v1/nodes".
func servedRoutes(t *testing.T) []string {
	t.Helper()
	var routes []string
	err := chi.Walk(build(described(nil)).router, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if rest, ok := strings.CutSuffix(path, "/*"); ok { // OpenAPI cannot express "the rest of the path"
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

// documentedRoutes returns the routes in the document.
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

// A request is authorized for what the router serves: authorization and routing parse the verb,
// resource, namespace and name from the path in different ways, with the same result.
func TestRoutes_AuthorizedAsServed(t *testing.T) {
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
				t.Errorf("%s %s is authorized as %+v; want %+v", method, path, got, want)
			}
		}
	}
	if judged < 200 {
		t.Errorf("only %d routes were checked", judged)
	}
}

// operationID returns an operation's ID; "" if there is none.
func operationID(op *huma.Operation) string {
	if op == nil {
		return ""
	}
	return op.OperationID
}
