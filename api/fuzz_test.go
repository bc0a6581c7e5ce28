package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
)

// FuzzRequest: every request to the API is answered without an internal error, and every error is a
// Status.
func FuzzRequest(f *testing.F) {
	const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"}}`
	for _, r := range [][5]string{
		{"GET", apitest.PodsPath + "?labelSelector=a%3Db&limit=1", "application/json;as=Table;v=v1;g=meta.k8s.io", "", ""},
		{"POST", apitest.ConfigMapsPath + "?dryRun=All", "", "application/json", object},
		{"POST", "/apis/apps/v1/namespaces/default/deployments", "", "application/yaml", "kind: Deployment\nspec: {replicas: -1}\n"},
		{"PUT", apitest.ConfigMapsPath + "/a", "application/yaml", "application/json", object},
		{"PATCH", apitest.ConfigMapsPath + "/a?fieldValidation=Strict", "", "application/merge-patch+json", `{"data":null}`},
		{"PATCH", apitest.ConfigMapsPath + "/a", "", "application/json-patch+json", `[{"op":"copy","from":"","path":"/data/x"}]`},
		{"DELETE", apitest.ConfigMapsPath + "/a?propagationPolicy=Orphan", "", "", `{"kind":"DeleteOptions","apiVersion":"v1"}`},
		{"DELETE", apitest.ConfigMapsPath + "?fieldSelector=metadata.name%3Dx", "", "", ""},
		{"GET", "/api/v1/watch/namespaces/default/pods?resourceVersion=1", "", "", ""},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "", "application/json", `{"spec":{"nonResourceAttributes":{"path":"/"}}}`},
		{"GET", "/openapi/v3/api/v1?hash=x", "application/json", "", ""}, {"GET", "/api//v1/%2e%2e/%2F", "", "", ""}, {"OPTIONS", "*", "", "", ""},
		{"GET", "/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", "", ""},
	} {
		f.Add(r[0], r[1], r[2], r[3], r[4])
	}
	c := apitest.NewCluster(f)
	if res := c.Do(f, "POST "+apitest.ConfigMapsPath, object, "Content-Type: application/json"); res.Code != http.StatusCreated {
		f.Fatal(res.Body)
	}
	f.Fuzz(func(t *testing.T, method, target, accept, media, body string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || strings.HasSuffix(u.Path, "/log") || method == "" {
			return // this server has no logs
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // watches do not end
		defer cancel()
		req := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body)).WithContext(ctx)
		req.Method, req.URL, req.RequestURI = method, u, target
		req.Header["Accept"], req.Header["Content-Type"] = []string{accept}, []string{media}
		rec := httptest.NewRecorder()
		c.Handler.ServeHTTP(rec, req)
		switch {
		case rec.Code == http.StatusInternalServerError && ctx.Err() == nil:
			t.Errorf("%s %s: 500 %.300s", method, target, rec.Body)
		case rec.Code >= 400 && !strings.Contains(rec.Header().Get("Content-Type"), "yaml") && isAPI(u.Path) && !nothingThere(u.Path, rec):
			var status metav1.Status
			if err := json.Unmarshal(rec.Body.Bytes(), &status); err != nil || status.Kind != "Status" || int(status.Code) != rec.Code {
				t.Errorf("%s %s: %d %.300s", method, target, rec.Code, rec.Body)
			}
		}
	})
}

// nothingThere reports whether the answer is the plain text that upstream gives outside the groups
// that it serves.
func nothingThere(path string, rec *httptest.ResponseRecorder) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return rec.Code == http.StatusNotFound && rec.Body.String() == "404 page not found\n" && first != "api" && first != "rowlock" && first != "forks"
}

// isAPI reports whether errors of a path are Statuses: of all paths except the documents, which
// upstream serves separately too.
func isAPI(path string) bool { return !strings.HasPrefix(path, "/openapi/") }
