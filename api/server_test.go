package api_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// clusterTime is the cluster time of these tests.
var clusterTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// cluster is a server over a fake store with a namespace "default".
type cluster struct {
	*fake
	handler http.Handler
	url     string
}

// newCluster starts a server. Options change its dependencies.
func newCluster(t testing.TB, options ...func(*api.Deps)) *cluster {
	t.Helper()
	c := &cluster{fake: newFake(func() time.Time { return clusterTime })}
	c.handler = newHandler(append([]func(*api.Deps){func(d *api.Deps) {
		d.Kube.Reader, d.Kube.Writer, d.Kube.Read = c.fake, c.fake, func(f func(kind.Cluster)) { f(c.fake) }
	}}, options...)...)
	server := httptest.NewServer(c.handler)
	t.Cleanup(server.Close)
	c.url = server.URL
	c.store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "default"}})
	return c
}

// newHandler returns a handler with sequential UIDs and names.
func newHandler(options ...func(*api.Deps)) http.Handler {
	var uids, names atomic.Int64
	d := api.Deps{Log: slog.New(slog.DiscardHandler), Kube: kube.Deps{
		Catalogue: builtin.Catalogue(), Now: func() time.Time { return clusterTime },
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

// store writes an object to the store without the API.
func (c *cluster) store(t testing.TB, o object.Object) {
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

// client returns a typed client of the server.
func (c *cluster) client(t testing.TB) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (c *cluster) dynamic(t testing.TB) *dynamic.DynamicClient {
	t.Helper()
	client, err := dynamic.NewForConfig(c.config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (c *cluster) config() *rest.Config { return &rest.Config{Host: c.url, QPS: -1} }

// answer is the answer to a raw request.
type answer struct {
	code   int
	header http.Header
	body   string
}

// do sends a raw request: "POST /api/v1/…", a body, and headers as "Name: value".
func (c *cluster) do(t testing.TB, request, body string, headers ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
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
	return answer{res.StatusCode, res.Header, string(got)}
}

// tokenKey generates a key.
func tokenKey(context.Context) (*serviceaccount.Key, error) {
	der, err := serviceaccount.NewKey()
	if err != nil {
		return nil, err
	}
	return serviceaccount.ParseKey(der)
}
