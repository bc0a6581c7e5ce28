package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// withDashboard serves a dashboard that answers with the request's path and query.
func withDashboard(d *api.Deps) {
	d.Dashboard = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = w.Write([]byte(req.Method + " <" + req.URL.Path + "> " + req.URL.RawQuery))
	})
	d.Forks = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { _, _ = w.Write([]byte("fork " + req.URL.Path)) })
}

// browser is the Accept header of a browser that opens a page.
const browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

func TestDashboard(t *testing.T) {
	t.Parallel()
	open, guarded := apitest.NewCluster(t, withDashboard), apitest.NewCluster(t, withDashboard, func(d *api.Deps) { d.LoopbackGuard = true })
	login, none := apitest.NewCluster(t, withDashboard, apitest.WithLogin(t)), apitest.NewCluster(t)
	for _, tt := range []struct {
		name    string
		cluster *apitest.Cluster
		request string
		headers []string
		code    int
		want    string // the body, or the redirect's target
	}{
		{"the page", open, "GET /ui/", nil, 200, "GET <> "},
		{"a page within", open, "GET /ui/pods/default/a?at=5", nil, 200, "GET <pods/default/a> at=5"},
		{"a page with a slash behind it", open, "GET /ui/pods/", nil, 200, "GET <pods/> "},
		{"a name with escapes", open, "GET /ui/pods/a%20b", nil, 200, "GET <pods/a b> "},
		{"another method", open, "POST /ui/pods", nil, 200, "POST <pods> "},
		{"of a fork", open, "GET /forks/x/ui/pods", nil, 200, "GET <pods> "},
		{"not of a fork without a name", open, "GET /forks//ui/", nil, 404, ""},
		{"without the slash", open, "GET /ui?at=5", nil, 302, "/ui/?at=5"},
		{"of a fork without the slash", open, "GET /forks/x/ui", nil, 302, "/forks/x/ui/"},
		{"the front door", open, "GET /", []string{browser}, 302, "/ui/"},
		{"a fork's front door", open, "GET /forks/x/", []string{browser}, 302, "/forks/x/ui/"},
		{"a fork's front door without the slash", open, "GET /forks/x", []string{browser}, 302, "/forks/x/ui/"},
		{"a fork with an odd name", open, "GET /forks/%5Cevil.example", []string{browser}, 302, "/forks/%5Cevil.example/ui/"},
		{"a fork's API", open, "GET /forks/x/api", []string{browser}, 200, "fork /forks/x/api"},
		{"a fork's list of paths", open, "GET /forks/x", nil, 200, "fork /forks/x"},
		{"something like it", open, "GET /uix", nil, 404, ""},
		{"a detour", open, "GET /ui/../api", nil, 404, ""},
		{"an escaped detour", open, "GET /ui/%2e%2e/api", nil, 404, ""},
		{"an escaped slash", open, "GET /ui/..%2fapi", nil, 404, ""},
		{"slashes", open, "GET //ui/", nil, 404, ""},
		{"posted to the front door", open, "POST /", []string{browser}, 405, ""},

		{"nobody", login, "GET /ui/pods", nil, 200, "GET <pods> "},
		{"nobody at the front door", login, "GET /", []string{browser}, 302, "/ui/"},
		{"nobody, of a fork", login, "GET /forks/x/ui/", nil, 200, "GET <> "},
		{"nobody, of the list of paths", login, "GET /", nil, 401, ""},
		{"nobody, of a fork's API", login, "GET /forks/x/api", nil, 401, ""},
		{"nobody, past the dashboard", login, "GET /ui/../api", nil, 404, ""},
		{"a bad token", login, "GET /ui/", []string{"Authorization: Bearer nobodys"}, 200, "GET <> "},

		{"a server without one", none, "GET /ui/", nil, 404, ""},
		{"a foreign name", guarded, "GET /ui/", []string{"Host: evil.example"}, 403, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := tt.cluster.Do(t, tt.request, "", tt.headers...)
			got := res.Body
			if res.Code == http.StatusFound {
				got = res.Header.Get("Location")
			}
			if res.Code != tt.code || tt.want != "" && got != tt.want {
				t.Errorf("answered %d %s; want %d %s", res.Code, got, tt.code, tt.want)
			}
		})
	}
}

// Links to the dashboard work from any origin. Everything else, and other requests for the
// dashboard, are refused across origins.
func TestLoopbackGuard_Links(t *testing.T) {
	t.Parallel()
	link := []string{"Host: localhost:8080", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", browser}
	instead := func(lines ...string) []string {
		changed := slices.Clone(link)
		for _, line := range lines {
			name, _, _ := strings.Cut(line, ":")
			changed = slices.DeleteFunc(changed, func(l string) bool { return strings.HasPrefix(l, name+":") })
			changed = append(changed, line)
		}
		return changed
	}
	c := apitest.NewCluster(t, withDashboard, func(d *api.Deps) { d.LoopbackGuard = true })
	for _, tt := range []struct {
		name, request string
		headers       []string
		want          int
	}{
		{"a link", "GET /ui/pods/default/a", link, 200},
		{"a link to a fork", "GET /forks/x/ui/", link, 200},
		{"a link to the front door", "GET /", link, 302},
		{"a link without the slash", "GET /ui", link, 302},
		{"a link from this machine", "GET /ui/", instead("Sec-Fetch-Site: same-site"), 200},
		{"a link to the API", "GET /api/v1/namespaces", link, 403},
		{"a link to a fork's API", "GET /forks/x/api", link, 403},
		{"a link past the dashboard", "GET /ui/../api/v1/namespaces", link, 404},
		{"a form", "POST /ui/", link, 403},
		{"a form with an origin", "GET /ui/", instead("Origin: http://evil.example"), 403},
		{"a frame", "GET /ui/", instead("Sec-Fetch-Dest: iframe"), 403},
		{"a script", "GET /ui/assets/a.js", instead("Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"), 403},
		{"a fetch", "GET /ui/", instead("Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"), 403},
		{"the list of paths", "GET /", instead("Accept: */*"), 403},
		{"a foreign name", "GET /ui/", instead("Host: evil.example"), 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if res := c.Do(t, tt.request, "", tt.headers...); res.Code != tt.want {
				t.Errorf("answered %d %s; want %d", res.Code, res.Body, tt.want)
			}
		})
	}
}

// A client other than a browser gets the list of paths at the root, as on any cluster.
func TestRootPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []*apitest.Cluster{apitest.NewCluster(t, withDashboard), apitest.NewCluster(t)} {
		res := c.Do(t, "GET /", "", "Accept: */*")
		var got metav1.RootPaths
		if err := json.Unmarshal([]byte(res.Body), &got); err != nil || res.Code != http.StatusOK || res.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("answered %d %s, %v", res.Code, res.Body, err)
		}
		for _, path := range []string{"/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz", "/livez/ping", "/openapi/v2", "/openapi/v3", "/version"} {
			if !slices.Contains(got.Paths, path) {
				t.Errorf("%s is missing in %v", path, got.Paths)
			}
		}
		for _, path := range got.Paths {
			if strings.Contains(path, "pods") || strings.Contains(path, "{") {
				t.Errorf("%s is in it", path)
			}
			if res := c.Do(t, "GET "+path, ""); res.Code != http.StatusOK {
				t.Errorf("%s answers %d", path, res.Code)
			}
		}
	}
}
