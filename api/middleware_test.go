package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

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
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: 500,
		Reason:  metav1.StatusReasonInternalError,
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
		t.Error("half an answer looks complete")
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
			t.Errorf("the request with the ID %q is answered with %q", given, got)
		}
	}
}

// The log names who made a request.
func TestLogin_IsLogged(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var out bytes.Buffer
	c := apitest.NewCluster(t, apitest.WithLogin(t), func(d *api.Deps) {
		d.Log = slog.New(slog.NewTextHandler(&locked{&mu, &out}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	c.Do(t, "GET /api/v1/pods", "", "Authorization: Bearer viewer")
	c.Do(t, "GET /api/v1/pods", "", "Authorization: Bearer master", "Impersonate-User: ann")
	c.Do(t, "GET /api/v1/pods", "", "Authorization: Bearer nobodys")
	first := c.Do(t, "GET /api/v1/nodes", "", "Authorization: Bearer viewer").Header.Get("Audit-Id")
	again := c.Do(t, "GET /api/v1/services", "", "Authorization: Bearer viewer", "Audit-Id: "+first).Header.Get("Audit-Id")
	mu.Lock()
	defer mu.Unlock()
	if again != first || first == "" {
		t.Errorf("the request with the ID %q is answered with %q", first, again)
	}
	if text := out.String(); strings.Count(text, " id="+first) != 1 || strings.Count(text, "clientID="+first) != 1 {
		t.Errorf("a client can pass its request off as %s:\n%s", first, text)
	}
	for _, want := range []string{"user=vera method=GET", "user=ann method=GET", "user=system:anonymous method=GET"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "nobodys") {
		t.Error("a token is in the log")
	}
}

// At info level, the log has slow requests only, and no long-running ones.
func TestLogged_SlowRequests(t *testing.T) {
	t.Parallel()
	for slow, want := range map[time.Duration]int{time.Nanosecond: 1, time.Hour: 0} {
		var mu sync.Mutex
		var out bytes.Buffer
		c := apitest.NewCluster(t, func(d *api.Deps) {
			d.Log, d.Limits.Slow = slog.New(slog.NewTextHandler(&locked{&mu, &out}, nil)), slow
		})
		id := c.Do(t, "GET /api/v1/pods", "").Header.Get("Audit-Id")
		c.Do(t, "GET /api/v1/pods?watch=true&timeoutSeconds=1", "")
		mu.Lock()
		text := out.String()
		mu.Unlock()
		if got := strings.Count(text, `msg="slow request" id=`+id+" user="); got != want || strings.Count(text, "slow request") != want {
			t.Errorf("with slow=%v, the log has %d slow requests:\n%s", slow, got, text)
		}
	}
}

// locked is a writer that is safe for concurrent use.
type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
