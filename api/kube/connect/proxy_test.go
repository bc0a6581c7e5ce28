package connect_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/emulator"
)

// Pods, Services and nodes are reachable by name, port and scheme; otherwise the errors are
// upstream's.
func TestProxy(t *testing.T) {
	t.Parallel()
	c, _ := apitest.NewClusterWithPods(t)
	const noTrust = "error trying to reach service: "
	tests := []struct {
		path string
		code int
		want string // in the body
	}{
		{"namespaces/default/pods/p-n/proxy/", 200, "hello"},
		{"namespaces/default/pods/p-n:80/proxy/a/b?c=d", 200, "hello"},
		{"namespaces/default/pods/http:p-n:80/proxy/", 200, "hello"},
		{"namespaces/default/pods/http:p-n:/proxy/", 200, "hello"},
		{"namespaces/default/pods/p-n:81/proxy/", 503, noTrust + "dial tcp 10.0.0.1:81: connect: connection refused"},
		{"namespaces/default/pods/p-n:web/proxy/", 503, noTrust + "dial tcp: lookup tcp/web: unknown port"},
		{"namespaces/default/pods/p-n:70000/proxy/", 503, noTrust + "dial tcp: address 70000: invalid port"},
		{"namespaces/default/pods/p-n:6379/proxy/", 503, "its protocol is not emulated"},
		{"namespaces/default/pods/p-lost/proxy/", 503, noTrust + "dial tcp 10.0.0.2:80: i/o timeout"},
		{"namespaces/default/pods/starting/proxy/", 400, "address not allowed"},
		{"namespaces/default/pods/nobody/proxy/", 404, `pods \"nobody\" not found`},
		{"namespaces/default/pods/a:b:c:d/proxy/", 400, `invalid pod request \"a:b:c:d\"`},
		{"namespaces/default/services/web:8080/proxy/", 200, "hello"},
		{"namespaces/default/services/web:http/proxy/", 200, "hello"},
		{"namespaces/default/services/http:web:http/proxy/", 200, "hello"},
		{"namespaces/default/services/web:8081/proxy/", 503, "connection refused"},
		{"namespaces/default/services/web:1/proxy/", 503, `no service port 1 found for service \"web\"`},
		{"namespaces/default/services/web/proxy/", 503, `no endpoints available for service \"web\"`},
		{"namespaces/default/services/none:http/proxy/", 503, `no endpoints available for service \"none\"`},
		{"namespaces/default/services/nothing/proxy/", 404, `endpoints \"nothing\" not found`},
		{"namespaces/default/services/nothing:80/proxy/", 404, `services \"nothing\" not found`},
		{"namespaces/default/services/ftp:web:http/proxy/", 400, `invalid service request \"ftp:web:http\"`},
		{"nodes/n/proxy/healthz", 200, "ok"},
		{"nodes/https:n:10250/proxy/healthz", 200, "ok"},
		{"nodes/n/proxy/logs/", 200, "<pre>"},
		{"nodes/n/proxy/pods", 200, `"name":"p-n"`},
		{"nodes/n/proxy/metrics", 200, "kubelet_running_pods 1\n"},
		{"nodes/n/proxy/stats/summary", 200, `"nodeName": "n"`},
		{"nodes/n/proxy/configz", 404, "rowlock emulates /healthz"},
		{"nodes/n:80/proxy/", 503, noTrust + "dial tcp 192.168.0.1:80: connect: connection refused"},
		{"nodes/lost/proxy/healthz", 503, noTrust + "dial tcp 192.168.0.1:10250: i/o timeout"},
		{"nodes/nobody/proxy/healthz", 404, `nodes \"nobody\" not found`},
	}
	for _, tt := range tests {
		res := c.Do(t, "GET /api/v1/"+tt.path, "")
		if res.Code != tt.code || !strings.Contains(res.Body, tt.want) {
			t.Errorf("%s: %d %s; want %d %s", tt.path, res.Code, res.Body, tt.code, tt.want)
		}
	}
}

// Methods, paths, bodies and headers are forwarded, except headers for this server alone.
func TestProxy_Request(t *testing.T) {
	t.Parallel()
	c, inside := apitest.NewClusterWithPods(t)
	const at = "/api/v1/namespaces/default/pods/p-n/proxy"
	tests := []struct{ request, path string }{
		{"GET " + at + "/", "/"},
		{"GET " + at + "/a//b/./c", "/a/b/c"},
		{"GET " + at + "/a/../b/", "/b/"},
		{"GET " + at + "//a/", "/a/"},
		{"GET " + at + "/a%2Fb%20c?q=%2F&q", "/a/b%20c?q=%2F&q"},
		{"GET " + at + "/proxy/", "/proxy/"},
		{"POST " + at, "/"},
		{"DELETE " + at + "?x=1", "/?x=1"},
		{"PUT " + at + "/a", "/a"},
		{"PATCH " + at + "/a", "/a"},
		{"OPTIONS " + at + "/a", "/a"},
		{"HEAD " + at + "/a", "/a"},
	}
	for _, tt := range tests {
		res := c.Do(t, tt.request, "body", "Authorization: Bearer secret", "X-Own: 1", "User-Agent: me")
		method, _, _ := strings.Cut(tt.request, " ")
		if res.Code != 200 || string(inside.Asked.Path) != tt.path || string(inside.Asked.Method) != method || inside.Asked.Body != "body" {
			t.Errorf("%s: %d, passed on %s %s %q; want %s", tt.request, res.Code, inside.Asked.Method, inside.Asked.Path, inside.Asked.Body, tt.path)
		}
		host := strings.TrimPrefix(c.URL, "http://")
		want := []string{"Accept-Encoding: gzip", "User-Agent: me", "X-Forwarded-For: 127.0.0.1", "X-Own: 1"}
		var got []string
		for _, h := range inside.Asked.Header {
			if !strings.HasPrefix(h, "X-Forwarded-Uri") && !strings.HasPrefix(h, "Content-Length") && !strings.HasPrefix(h, "Accept-Encoding") {
				got = append(got, h)
			}
		}
		if diff := cmp.Diff(want[1:], got); diff != "" || string(inside.Asked.Host) != host {
			t.Errorf("%s: host %s, headers (-want +got):\n%s", tt.request, inside.Asked.Host, diff)
		}
	}
}

// Redirects and links in answers are rewritten; the rest is forwarded.
func TestProxy_Answer(t *testing.T) {
	t.Parallel()
	c, inside := apitest.NewClusterWithPods(t)
	const at = "/api/v1/namespaces/default/pods/p-n/proxy"
	if res := c.Do(t, "GET "+at+"?a=b", ""); res.Code != 301 || res.Header.Get("Location") != at+"/?a=b" {
		t.Errorf("without a slash %d %s", res.Code, res.Header.Get("Location"))
	}
	inside.Answer = emulator.Answer{Status: 302, Header: []string{"Location: /there", "X-One: 1", "X-One: 2", "Connection: close"}}
	res := c.Do(t, "GET "+at+"/here", "")
	if res.Code != 302 || res.Header.Get("Location") != at+"/there" || len(res.Header["X-One"]) != 2 || res.Header.Get("Connection") != "" {
		t.Errorf("a redirect: %d %v", res.Code, res.Header)
	}
	const styled = `<style>
html { color-scheme: light dark; }
body > p { width: 35em; font-family: "Tahoma"; }
</style><p style="margin: 0">`
	inside.Answer = emulator.Answer{Status: 200, Header: []string{"Content-Type: text/html; charset=utf-8"}, Body: styled + `<a href="/x">a</a><img src="y.png">`}
	res = c.Do(t, "GET "+at+"/here", "")
	if want := styled + `<a href="` + at + `/x">a</a><img src="y.png">`; res.Body != want {
		t.Errorf("a page: %s; want %s", res.Body, want)
	}
	if policy := res.Header["Content-Security-Policy"]; len(policy) != 1 || !strings.HasPrefix(policy[0], "sandbox ") || strings.Contains(policy[0], "same-origin") {
		t.Errorf("the page's policy is %q", policy)
	} else if strings.Contains(policy[0], "-src") {
		t.Errorf("the page's policy %q keeps it from its own styles", policy)
	}
	inside.Answer.Header = append(inside.Answer.Header, "Set-Cookie: a=b", "Clear-Site-Data: *")
	if res := c.Do(t, "GET "+at+"/here", ""); res.Header.Get("Set-Cookie") != "a=b" || res.Header.Get("Clear-Site-Data") != "*" {
		t.Errorf("a client gets %v", res.Header)
	}
	if res := c.Do(t, "GET "+at+"/here", "", "Sec-Fetch-Mode: navigate"); res.Header.Get("Set-Cookie") != "" || res.Header.Get("Clear-Site-Data") != "" {
		t.Errorf("a browser gets %v", res.Header)
	}
	if res := c.Do(t, "HEAD "+at+"/here", ""); res.Code != 200 || res.Body != "" {
		t.Errorf("HEAD: %d %q", res.Code, res.Body)
	}
	upgrade := []string{"Connection: Upgrade", "Upgrade: websocket"}
	if res := c.Do(t, "GET "+at+"/here", "", upgrade...); res.Code != 500 || !strings.Contains(res.Body, `"message":"invalid upgrade response: status code 200"`) {
		t.Errorf("an upgrade: %d %s", res.Code, res.Body)
	}
	inside.Answer = emulator.Answer{Status: 426, Body: "no"}
	if res := c.Do(t, "GET "+at+"/here", "", upgrade...); res.Code != 426 || res.Body != "no" {
		t.Errorf("a refused upgrade: %d %s", res.Code, res.Body)
	}
}

// Requests that are too large for a Pod are rejected.
func TestProxy_Bounds(t *testing.T) {
	t.Parallel()
	c, _ := apitest.NewClusterWithPods(t)
	const at = "POST /api/v1/namespaces/default/pods/p-n/proxy/"
	if res := c.Do(t, at, strings.Repeat("x", 1<<20)); res.Code != 200 {
		t.Errorf("a large body: %d", res.Code)
	}
	if res := c.Do(t, at, strings.Repeat("x", 1<<20+1)); res.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too large a body: %d", res.Code)
	}
	if res := c.Do(t, at, "", "X-Long: "+strings.Repeat("x", 64<<10)); res.Code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("too large a header: %d", res.Code)
	}
}

// Authorization of a proxy depends on its target, whatever path is forwarded.
func TestProxy_Rights(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]auth.Attributes{
		"/api/v1/namespaces/ns/pods/p:80/proxy/a//b": {Version: "v1", Resource: "pods", Subresource: "proxy", Namespace: "ns", Name: "p:80"},
		"/api/v1/nodes/n/proxy/../../secrets":        {Version: "v1", Resource: "nodes", Subresource: "proxy", Name: "n"},
	} {
		req, err := http.NewRequest(http.MethodPost, "http://localhost"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		want.Verb, want.Path = "create", path
		if diff := cmp.Diff(want, auth.Describe(req)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	c, _ := apitest.NewClusterWithPods(t)
	for _, path := range []string{
		"/api/v1//nodes/n/proxy/healthz", "//api/v1/nodes/n/proxy/healthz", "/api/v1/nodes/../nodes/n/proxy/healthz",
		"/api/v1/nodes/n%2Fproxy/healthz", "/api/v1/nodes/n/./proxy/healthz",
	} {
		if res := c.Do(t, "GET "+path, ""); res.Code != 404 {
			t.Errorf("%s: %d %s", path, res.Code, res.Body)
		}
	}
}
