package api_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/emulator"
)

// A browser is redirected to the address of a page with a pass, with which
// the page loads its parts from its own Pod and from nowhere else.
func TestPages_LoadTheirParts(t *testing.T) {
	t.Parallel()
	c, inside := apitest.NewClusterWithPods(t, func(d *api.Deps) { d.LoopbackGuard = true })
	const host, at, elsewhere = "Host: localhost:8080", "/api/v1/namespaces/default/pods/p-n:80/proxy", "/api/v1/namespaces/default/pods/p-n/proxy"
	visit := []string{host, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-User: ?1"}
	part := []string{host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: style"}

	res := c.Do(t, "GET "+at+"/a%2Fb/?c=d", "", visit...)
	rest, found := strings.CutPrefix(res.Header.Get("Location"), at+"/~page-")
	pass, ending, _ := strings.Cut(rest, "/")
	if res.Code != 307 || !found || ending != "a%2Fb/?c=d" || len(pass) != 24 || res.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("a browser is led by %d to %s", res.Code, res.Header.Get("Location"))
	}
	mine := at + "/~page-" + pass
	inside.Answer = emulator.Answer{Status: 200, Header: []string{"Content-Type: text/html"}, Body: `<link href="/style.css"><script src="app.js">`}
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
		{"a foreign page goes there by itself", "GET " + at + "/", append(visit[:1:1], "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"), 403, ""},
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
		t.Errorf("where no origin is refused, a browser gets %d %s", res.Code, res.Header.Get("Location"))
	}
}
