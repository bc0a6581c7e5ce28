package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/serviceaccount"
	"github.com/rowlock/rowlock/internal/store"
)

// Now is the cluster time of these tests.
var Now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Cluster is a server over a fake store with a namespace "default".
type Cluster struct {
	*Fake
	Handler http.Handler
	URL     string
}

// NewCluster starts a server. Options change its dependencies.
func NewCluster(t testing.TB, options ...func(*api.Deps)) *Cluster {
	t.Helper()
	c := &Cluster{Fake: newFake(func() time.Time { return Now })}
	c.Handler = NewHandler(append([]func(*api.Deps){func(d *api.Deps) {
		d.Kube.Reader, d.Kube.Writer, d.Kube.Read = c.Fake, c.Fake, func(f func(kind.Cluster)) { f(c.Fake) }
	}}, options...)...)
	server := httptest.NewServer(c.Handler)
	t.Cleanup(server.Close)
	c.URL = server.URL
	c.Store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "default"}})
	return c
}

// NewHandler returns a handler with sequential UIDs and names.
func NewHandler(options ...func(*api.Deps)) http.Handler {
	var uids, names atomic.Int64
	d := api.Deps{Log: slog.New(slog.DiscardHandler), Kube: kube.Deps{
		Catalogue: builtin.Catalogue(), Now: func() time.Time { return Now },
		NewUID:     func() types.UID { return types.UID(fmt.Sprintf("00000000-0000-0000-0000-%012d", uids.Add(1))) },
		NameSuffix: func() string { return fmt.Sprintf("%05d", names.Add(1)) },
		Jitter:     func() float64 { return 0 },
		Login:      &auth.Authenticator{Accounts: &auth.Accounts{Keys: serviceaccount.NewKeys(tokenKey)}},
	}}
	for _, o := range options {
		o(&d)
	}
	return api.New(d)
}

// Store writes an object to the store without the API.
func (c *Cluster) Store(t testing.TB, o object.Object) {
	t.Helper()
	k := kindOf(t, o)
	if _, err := c.Write(context.Background(), store.Change{Verb: object.Created, Type: &k.Type, New: o}); err != nil {
		t.Fatal(err)
	}
}

// kindOf returns the kind of a typed object.
func kindOf(t testing.TB, o object.Object) *kind.Kind {
	t.Helper()
	for _, k := range builtin.Catalogue().All() {
		if fmt.Sprintf("%T", k.New()) == fmt.Sprintf("%T", o) && k.Stored == nil {
			return k
		}
	}
	t.Fatalf("no kind for %T", o)
	return nil
}

// Client returns a typed client of the server.
func (c *Cluster) Client(t testing.TB) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Dynamic returns a dynamic client of the server.
func (c *Cluster) Dynamic(t testing.TB) *dynamic.DynamicClient {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Config returns the configuration of a client of the server.
func (c *Cluster) Config() *rest.Config { return &rest.Config{Host: c.URL, QPS: -1} }

// Answer is the answer to a raw request.
type Answer struct {
	Code   int
	Header http.Header
	Body   string
}

// Do sends a raw request: "POST /api/v1/…", a body, and headers as "Name: value".
func (c *Cluster) Do(t testing.TB, request, body string, headers ...string) Answer {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequest(method, c.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		}
		if name != "" {
			req.Header.Set(name, value)
		}
	}
	res, err := http.DefaultTransport.RoundTrip(req) // does not follow redirects
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	got, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{res.StatusCode, res.Header, string(got)}
}

// tokenKey generates a key.
func tokenKey(context.Context) (*serviceaccount.Key, error) {
	der, err := serviceaccount.NewKey()
	if err != nil {
		return nil, err
	}
	return serviceaccount.ParseKey(der)
}

// Patience limits how long these tests wait for an event.
const Patience = 60 * time.Second

// Refuses checks that a request is answered by this Status, in the form of FormatStatus, and
// changes nothing.
func (c *Cluster) Refuses(t *testing.T, request, body, want string) {
	t.Helper()
	before := c.Revision()
	res := c.Do(t, request, body)
	var got metav1.Status
	if err := json.Unmarshal([]byte(res.Body), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, FormatStatus(got)); diff != "" || c.Revision() != before {
		t.Errorf("revision %d, was %d (-want +got):\n%s", c.Revision(), before, diff)
	}
}

// FormatStatus formats a Status in a few lines: code, reason and message; details; causes.
func FormatStatus(s metav1.Status) string {
	lines := []string{fmt.Sprintf("%d %s %s", s.Code, s.Reason, s.Message)}
	if d := s.Details; d != nil {
		if d.Kind != "" || d.RetryAfterSeconds != 0 {
			kind := schema.GroupKind{Group: d.Group, Kind: d.Kind}
			lines = append(lines, fmt.Sprintf("about %s %q, retry after %ds", kind, d.Name, d.RetryAfterSeconds))
		}
		for _, c := range d.Causes {
			lines = append(lines, fmt.Sprintf("cause %s %s", c.Type, c.Field))
		}
	}
	return strings.Join(lines, "\n")
}
