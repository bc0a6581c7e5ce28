package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// fakeInside answers requests to Pods on port 80 and records the last one.
type fakeInside struct {
	mu     sync.Mutex
	asked  emulator.Query
	answer emulator.Answer
}

// Serve implements connect.Inside.
func (f *fakeInside) Serve(_ context.Context, _ *object.Version, q emulator.Query) (emulator.Answer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case q.Kind == emulator.QueryTCP && (q.Port == 80 || q.Port == 6379):
		return emulator.Answer{}, nil
	}
	f.asked = q
	switch q.Port {
	case 80:
		return f.answer, nil
	case 6379:
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}, nil
	}
	return emulator.Answer{Outcome: emulator.OutcomeRefused}, nil
}

// proxied returns a cluster with two nodes, one of them unreachable, a Pod on each, and Services.
func proxied(t *testing.T, options ...func(*api.Deps)) (*cluster, *fakeInside) {
	t.Helper()
	inside := &fakeInside{answer: emulator.Answer{Status: 200, Header: []string{"Content-Type: text/plain"}, Body: "hello"}}
	c := newCluster(t, append(options, func(d *api.Deps) { d.Kube.Inside = inside })...)
	c.store(t, node("n", nil))
	c.store(t, node("lost", map[string]string{outage.Record: "unreachable 2026-01-02T03:00:00Z"}))
	for i, on := range []string{"n", "lost"} {
		p := logged("p-"+on, runningStatus("c", "run-1"))
		p.UID, p.Spec.NodeName, p.Status.PodIP = p.UID+"-1", on, fmt.Sprintf("10.0.0.%d", i+1)
		p.Status.PodIPs = []corev1.PodIP{{IP: p.Status.PodIP}}
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}}
		c.store(t, p)
	}
	c.store(t, logged("starting", waiting("c", "ContainerCreating")))
	for name, subsets := range map[string][]corev1.EndpointSubset{
		"web": {{
			Addresses: []corev1.EndpointAddress{{IP: "10.0.0.9"}, {IP: "10.0.0.1", TargetRef: &corev1.ObjectReference{Namespace: "default", Name: "p-n"}}},
			Ports:     []corev1.EndpointPort{{Name: "http", Port: 80}, {Name: "other", Port: 81}},
		}},
		"none": nil,
	} {
		c.store(t, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: "s"}, Spec: corev1.ServiceSpec{
			Ports: []corev1.ServicePort{{Name: "http", Port: 8080}, {Name: "other", Port: 8081}},
		}})
		c.store(t, &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: "e"}, Subsets: subsets})
	}
	return c, inside
}

func node(name string, annotations map[string]string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "n", Annotations: annotations}}
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "192.168.0.1"}}
	n.Status.DaemonEndpoints.KubeletEndpoint.Port = 10250
	return n
}

// Pods, Services and nodes are reachable by name, port and scheme; otherwise the errors are
// upstream's.
func TestProxy(t *testing.T) {
	t.Parallel()
	c, _ := proxied(t)
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
		res := c.do(t, "GET /api/v1/"+tt.path, "")
		if res.code != tt.code || !strings.Contains(res.body, tt.want) {
			t.Errorf("%s: %d %s; want %d %s", tt.path, res.code, res.body, tt.code, tt.want)
		}
	}
}

// Methods, paths, bodies and headers are forwarded, except headers for this server alone.
func TestProxy_Request(t *testing.T) {
	t.Parallel()
	c, inside := proxied(t)
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
		res := c.do(t, tt.request, "body", "Authorization: Bearer secret", "X-Own: 1", "User-Agent: me")
		method, _, _ := strings.Cut(tt.request, " ")
		if res.code != 200 || string(inside.asked.Path) != tt.path || string(inside.asked.Method) != method || inside.asked.Body != "body" {
			t.Errorf("%s: %d, passed on %s %s %q; want %s", tt.request, res.code, inside.asked.Method, inside.asked.Path, inside.asked.Body, tt.path)
		}
		host := strings.TrimPrefix(c.url, "http://")
		want := []string{"Accept-Encoding: gzip", "User-Agent: me", "X-Forwarded-For: 127.0.0.1", "X-Own: 1"}
		var got []string
		for _, h := range inside.asked.Header {
			if !strings.HasPrefix(h, "X-Forwarded-Uri") && !strings.HasPrefix(h, "Content-Length") && !strings.HasPrefix(h, "Accept-Encoding") {
				got = append(got, h)
			}
		}
		if diff := cmp.Diff(want[1:], got); diff != "" || string(inside.asked.Host) != host {
			t.Errorf("%s: host %s, headers (-want +got):\n%s", tt.request, inside.asked.Host, diff)
		}
	}
}

// Redirects and links in answers are rewritten; the rest is forwarded.
func TestProxy_Answer(t *testing.T) {
	t.Parallel()
	c, inside := proxied(t)
	const at = "/api/v1/namespaces/default/pods/p-n/proxy"
	if res := c.do(t, "GET "+at+"?a=b", ""); res.code != 301 || res.header.Get("Location") != at+"/?a=b" {
		t.Errorf("without a slash %d %s", res.code, res.header.Get("Location"))
	}
	inside.answer = emulator.Answer{Status: 302, Header: []string{"Location: /there", "X-One: 1", "X-One: 2", "Connection: close"}}
	res := c.do(t, "GET "+at+"/here", "")
	if res.code != 302 || res.header.Get("Location") != at+"/there" || len(res.header["X-One"]) != 2 || res.header.Get("Connection") != "" {
		t.Errorf("a redirect: %d %v", res.code, res.header)
	}
	const styled = `<style>
html { color-scheme: light dark; }
body > p { width: 35em; font-family: "Tahoma"; }
</style><p style="margin: 0">`
	inside.answer = emulator.Answer{Status: 200, Header: []string{"Content-Type: text/html; charset=utf-8"}, Body: styled + `<a href="/x">a</a><img src="y.png">`}
	res = c.do(t, "GET "+at+"/here", "")
	if want := styled + `<a href="` + at + `/x">a</a><img src="y.png">`; res.body != want {
		t.Errorf("a page: %s; want %s", res.body, want)
	}
	if policy := res.header["Content-Security-Policy"]; len(policy) != 1 || !strings.HasPrefix(policy[0], "sandbox ") || strings.Contains(policy[0], "same-origin") {
		t.Errorf("the page's policy is %q", policy)
	} else if strings.Contains(policy[0], "-src") {
		t.Errorf("the page's policy %q keeps it from its own styles", policy)
	}
	inside.answer.Header = append(inside.answer.Header, "Set-Cookie: a=b", "Clear-Site-Data: *")
	if res := c.do(t, "GET "+at+"/here", ""); res.header.Get("Set-Cookie") != "a=b" || res.header.Get("Clear-Site-Data") != "*" {
		t.Errorf("a client gets %v", res.header)
	}
	if res := c.do(t, "GET "+at+"/here", "", "Sec-Fetch-Mode: navigate"); res.header.Get("Set-Cookie") != "" || res.header.Get("Clear-Site-Data") != "" {
		t.Errorf("a browser gets %v", res.header)
	}
	if res := c.do(t, "HEAD "+at+"/here", ""); res.code != 200 || res.body != "" {
		t.Errorf("HEAD: %d %q", res.code, res.body)
	}
	upgrade := []string{"Connection: Upgrade", "Upgrade: websocket"}
	if res := c.do(t, "GET "+at+"/here", "", upgrade...); res.code != 500 || !strings.Contains(res.body, `"message":"invalid upgrade response: status code 200"`) {
		t.Errorf("an upgrade: %d %s", res.code, res.body)
	}
	inside.answer = emulator.Answer{Status: 426, Body: "no"}
	if res := c.do(t, "GET "+at+"/here", "", upgrade...); res.code != 426 || res.body != "no" {
		t.Errorf("a refused upgrade: %d %s", res.code, res.body)
	}
}

// Requests that are too large for a Pod are rejected.
func TestProxy_Bounds(t *testing.T) {
	t.Parallel()
	c, _ := proxied(t)
	const at = "POST /api/v1/namespaces/default/pods/p-n/proxy/"
	if res := c.do(t, at, strings.Repeat("x", 1<<20)); res.code != 200 {
		t.Errorf("a large body: %d", res.code)
	}
	if res := c.do(t, at, strings.Repeat("x", 1<<20+1)); res.code != http.StatusRequestEntityTooLarge {
		t.Errorf("too large a body: %d", res.code)
	}
	if res := c.do(t, at, "", "X-Long: "+strings.Repeat("x", 64<<10)); res.code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("too large a header: %d", res.code)
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
	c, _ := proxied(t)
	for _, path := range []string{"/api/v1//nodes/n/proxy/healthz", "//api/v1/nodes/n/proxy/healthz", "/api/v1/nodes/../nodes/n/proxy/healthz", "/api/v1/nodes/n%2Fproxy/healthz", "/api/v1/nodes/n/./proxy/healthz"} {
		if res := c.do(t, "GET "+path, ""); res.code != 404 {
			t.Errorf("%s: %d %s", path, res.code, res.body)
		}
	}
}
