package api_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/emulator"
)

// No web page can control a server without a login, neither by DNS rebinding nor across origins.
func TestLoopbackGuard(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		headers []string
		want    int
	}{
		{"kubectl", []string{"Host: 127.0.0.1:8080"}, 200},
		{"by name", []string{"Host: localhost:8080"}, 200},
		{"IPv6", []string{"Host: [::1]:8080"}, 200},
		{"without a port", []string{"Host: [::1]"}, 200},
		{"a foreign name", []string{"Host: evil.example:8080"}, 403},
		{"a foreign name that begins well", []string{"Host: localhost.evil.example"}, 403},
		{"another address", []string{"Host: 10.0.0.1:8080"}, 403},
		{"its own page", []string{"Host: localhost:8080", "Origin: http://localhost:8080", "Sec-Fetch-Site: same-origin"}, 200},
		{"typed into a browser", []string{"Host: localhost:8080", "Sec-Fetch-Site: none"}, 200},
		{"a foreign page", []string{"Host: localhost:8080", "Origin: http://evil.example"}, 403},
		{"a foreign page without an origin", []string{"Host: localhost:8080", "Sec-Fetch-Site: cross-site"}, 403},
		{"a page from another port", []string{"Host: localhost:8080", "Origin: http://localhost:3000"}, 403},
		{"a sandboxed page", []string{"Host: localhost:8080", "Origin: null"}, 403},
	}
	guarded := apitest.NewCluster(t, func(d *api.Deps) { d.LoopbackGuard = true })
	open := apitest.NewCluster(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := guarded.Do(t, "GET /api/v1/namespaces", "", tt.headers...)
			if res.Code != tt.want || tt.want == 403 && !strings.Contains(res.Body, `"reason":"Forbidden"`) {
				t.Errorf("answered %d %s; want %d", res.Code, res.Body, tt.want)
			}
			if res := open.Do(t, "GET /api/v1/namespaces", "", tt.headers...); res.Code != 200 {
				t.Errorf("without the guard answered %d", res.Code)
			}
		})
	}
}

// A person may open a page that a Pod serves from any link, but no page can do so by itself.
func TestLoopbackGuard_ServedPages(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, func(d *api.Deps) { d.LoopbackGuard = true })
	const served = "/api/v1/namespaces/default/pods/none:80/proxy/page"
	link := []string{"Host: localhost:8080", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}
	person := append(link, "Sec-Fetch-User: ?1")
	tests := []struct {
		name, request string
		headers       []string
		want          int
	}{
		{"a person follows a link", "GET " + served, person, 307},
		{"of a node", "GET /api/v1/nodes/none/proxy/pods", person, 307},
		{"a page goes there by itself", "GET " + served, link, 403},
		{"in a frame", "GET " + served, append(person[:3:3], "Sec-Fetch-Dest: iframe", "Sec-Fetch-User: ?1"), 403},
		{"a form", "POST " + served, append(person, "Origin: null"), 403},
		{"a script", "GET " + served, []string{"Host: localhost:8080", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"}, 403},
		{"to the API", "GET /api/v1/namespaces/default/pods/none", person, 403},
		{"to a path that only begins so", "GET /api/v1/namespaces/default/pods/none/log", person, 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if res := c.Do(t, tt.request, "", tt.headers...); res.Code != tt.want {
				t.Errorf("answered %d %s; want %d", res.Code, res.Body, tt.want)
			}
		})
	}
}

// With a login, requests to any host name are served, because foreign pages have no token. Requests
// from pages of other origins are not, because browsers send certificates by themselves. A request
// with a token does not come from such a page, whatever its other headers say.
func TestLogin_WebPages(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, apitest.WithLogin(t))
	const token = "Authorization: Bearer master"
	for _, test := range []struct {
		headers []string
		want    int
	}{
		{[]string{token}, 200},
		{[]string{token, "Origin: https://rowlock.example"}, 200},
		{[]string{token, "Origin: http://localhost"}, 200},
		{[]string{"Authorization: bearer nobody's", "Origin: https://evil.example"}, 401},
		{[]string{"Authorization: Basic master", "Origin: https://evil.example"}, 403},
		{[]string{"Origin: https://evil.example"}, 403},
		{[]string{"Sec-Fetch-Site: cross-site"}, 403},
	} {
		if res := c.Do(t, "GET /api/v1/pods", "", append(test.headers, "Host: rowlock.example")...); res.Code != test.want {
			t.Errorf("%q: %d, want %d", test.headers, res.Code, test.want)
		}
	}
}

// Every answer, errors included, tells browsers not to sniff its Content-Type, and logs cannot run
// scripts.
func TestNoSniffing(t *testing.T) {
	t.Parallel()
	c, _ := apitest.NewClusterWithLogs(t)
	c.Store(t, apitest.PodOnNode("p", apitest.Running("c", "run-1")))
	for _, request := range []string{
		"GET /api/v1/pods", "GET /nothing", "GET /api/v1/pods?limit=x", "GET /livez", "GET /", "GET " + apitest.PodsPath + "/p/log",
	} {
		h := c.Do(t, request, "").Header
		if got := h.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options is %q", request, got)
		}
		if got, log := h.Get("Content-Security-Policy"), strings.HasSuffix(request, "/log"); (got == "sandbox") != log {
			t.Errorf("%s: Content-Security-Policy is %q", request, got)
		}
	}
}

// A browser is redirected to an address of the page that has a pass in it. With the pass, the page
// loads its parts from its own Pod and from nowhere else.
func TestPages_LoadTheirParts(t *testing.T) {
	t.Parallel()
	c, inside := apitest.NewClusterWithPods(t, func(d *api.Deps) { d.LoopbackGuard = true })
	const (
		host      = "Host: localhost:8080"
		at        = "/api/v1/namespaces/default/pods/p-n:80/proxy"
		elsewhere = "/api/v1/namespaces/default/pods/p-n/proxy"
	)
	visit := []string{host, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-User: ?1"}
	part := []string{host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: style"}

	res := c.Do(t, "GET "+at+"/a%2Fb/?c=d", "", visit...)
	rest, found := strings.CutPrefix(res.Header.Get("Location"), at+"/~page-")
	pass, ending, _ := strings.Cut(rest, "/")
	if res.Code != 307 || !found || ending != "a%2Fb/?c=d" || len(pass) != 24 || res.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("a browser gets %d and is redirected to %s", res.Code, res.Header.Get("Location"))
	}
	mine := at + "/~page-" + pass
	inside.Answer = emulator.Answer{
		Status: 200, Header: []string{"Content-Type: text/html"}, Body: `<link href="/style.css"><script src="app.js">`,
	}
	res = c.Do(t, "GET "+mine+"/a%2Fb/?c=d", "", visit...)
	if want := `<link href="` + mine + `/style.css"><script src="app.js">`; res.Code != 200 || res.Body != want || inside.Asked.Path != "/a/b/?c=d" {
		t.Errorf("the page is %d %s; want %s; the Pod was asked for %s", res.Code, res.Body, want, inside.Asked.Path)
	}
	for _, tt := range []struct {
		name, request string
		headers       []string
		code          int
		want          string // the path that the Pod received, or the redirect's target
	}{
		{"its style sheet", "GET " + mine + "/style.css", part, 200, "/style.css"},
		{"a form", "POST " + mine + "/form", append(part[:2:2], "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Origin: null"), 200, "/form"},
		{"the page itself, without a slash", "GET " + mine, visit, 301, mine + "/"},
		{"without a pass", "GET " + at + "/style.css", part, 403, ""},
		{"with a wrong pass", "GET " + at + "/~page-x/style.css", part, 403, ""},
		{"with that of another", "GET " + elsewhere + "/~page-" + pass + "/style.css", part, 403, ""},
		{"the page, with an old pass", "GET " + at + "/~page-x/", visit, 307, mine + "/"},
		{
			"a foreign page goes there by itself", "GET " + at + "/",
			append(visit[:1:1], "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"),
			403, "",
		},
		{"the API behind a pass", "GET /api/v1/namespaces/~page-" + pass, part, 403, ""},
		{"a client that is no browser", "GET " + at + "/x", []string{host}, 200, "/x"},
		{"for which a pass is a path", "GET " + at + "/~page-x/x", []string{host}, 200, "/~page-x/x"},
	} {
		inside.Asked = emulator.Query{}
		res := c.Do(t, tt.request, "", tt.headers...)
		if got := string(inside.Asked.Path) + res.Header.Get("Location"); res.Code != tt.code || got != tt.want {
			t.Errorf("%s: %d %q; want %d %q", tt.name, res.Code, got, tt.code, tt.want)
		}
	}
	open, _ := apitest.NewClusterWithPods(t)
	if res := open.Do(t, "GET "+at+"/", "", visit...); res.Code != 200 {
		t.Errorf("without the guard, a browser gets %d and is redirected to %q", res.Code, res.Header.Get("Location"))
	}
}
