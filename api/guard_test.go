package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
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

// A panic causes a 500 with a Status; a panic after the answer has started ends the connection.
func TestPanics(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, func(d *api.Deps) {
		d.Control = func(a huma.API) {
			a.Adapter().Handle(&huma.Operation{Method: http.MethodGet, Path: "/panic"}, func(huma.Context) { panic("oops") })
			a.Adapter().Handle(&huma.Operation{Method: http.MethodGet, Path: "/late"}, func(ctx huma.Context) {
				_, w := humachi.Unwrap(ctx)
				_, _ = io.WriteString(w, "half an ")
				panic("oops")
			})
		}
	})
	res := c.Do(t, "GET /panic", "")
	var got metav1.Status
	if err := json.Unmarshal([]byte(res.Body), &got); err != nil {
		t.Fatal(err)
	}
	want := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: 500, Reason: metav1.StatusReasonInternalError,
		Message: "Internal error occurred: this request caused the server to panic",
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: "this request caused the server to panic"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" || res.Code != 500 {
		t.Errorf("answered %d (-want +got):\n%s", res.Code, diff)
	}
	late, err := http.Get(c.URL + "/late")
	if err == nil {
		defer late.Body.Close() //nolint:errcheck // read only
		_, err = io.ReadAll(late.Body)
	}
	if err == nil {
		t.Error("the half answer looks whole")
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	var broken error
	c := apitest.NewCluster(t, func(d *api.Deps) {
		d.Ready = func() error { return broken }
		d.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
	})
	for path, want := range map[string]string{
		"/livez": "ok", "/readyz": "ok", "/healthz": "ok", "/metrics": "up 1\n",
		"/readyz?verbose": "[+]ping ok\n[+]database ok\n[+]controllers ok\nreadyz check passed\n", "/livez?verbose": "[+]ping ok\nlivez check passed\n",
		"/readyz/ping": "ok", "/healthz/database?verbose": "ok", "/livez/ping": "ok", "/readyz?exclude=database": "ok",
		"/readyz?verbose&exclude=database&exclude=x&exclude=y": "[+]ping ok\n[+]database excluded: ok\n[+]controllers ok\n" +
			"warn: some health checks cannot be excluded: no matches for \"x\",\"y\"\nreadyz check passed\n",
	} {
		if res := c.Do(t, "GET "+path, ""); res.Code != 200 || res.Body != want {
			t.Errorf("%s: %d %q, want %q", path, res.Code, res.Body, want)
		}
	}
	broken = io.ErrUnexpectedEOF
	if res := c.Do(t, "GET /readyz", ""); res.Code != 503 || !strings.Contains(res.Body, "readyz check failed: database: unexpected EOF") {
		t.Errorf("/readyz without a database: %d %s", res.Code, res.Body)
	}
	if res := c.Do(t, "GET /livez", ""); res.Code != 200 {
		t.Errorf("/livez without a database: %d", res.Code)
	}
}

// Every answer has the request ID that the client sent, or a new one.
func TestRequestID(t *testing.T) {
	t.Parallel()
	h := apitest.NewHandler()
	for given, kept := range map[string]bool{"": false, "mine": true, strings.Repeat("x", 65): false} {
		req := httptest.NewRequest(http.MethodGet, "/livez", nil)
		req.Header.Set("Audit-ID", given)
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, req)
		if got := rec.Header().Get("Audit-ID"); got == "" || (got == given) != kept {
			t.Errorf("asked as %q, answered as %q", given, got)
		}
	}
}

// A stalled controller is reported and does not make the server unready.
func TestHealth_ReportsStalledController(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, func(d *api.Deps) {
		d.Working = func() error { return errors.New("kubelet without progress for 1m15s") }
	})
	const line = "[-]controllers failed: kubelet without progress for 1m15s (not decisive)\n"
	if res := c.Do(t, "GET /readyz?verbose", ""); res.Code != 200 || res.Body != "[+]ping ok\n[+]database ok\n"+line+"readyz check passed\n" {
		t.Errorf("answers %d: %s", res.Code, res.Body)
	}
	if res := c.Do(t, "GET /readyz", ""); res.Code != 200 || res.Body != "ok" {
		t.Errorf("answers %d: %s", res.Code, res.Body)
	}
	if res := c.Do(t, "GET /readyz/controllers", ""); res.Code != 503 {
		t.Errorf("answers %d: %s", res.Code, res.Body)
	}
}
