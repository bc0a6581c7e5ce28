package kube_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
)

// stocked returns a handler over a store with n Pods.
func stocked(b *testing.B, n int) *apitest.Cluster {
	b.Helper()
	c := apitest.NewCluster(b)
	for i := range n {
		c.Store(b, apitest.FullPod(fmt.Sprintf("web-%05d", i)))
	}
	frozen := frozenReader{c.Fake, c.List("pods", "")}
	c.Handler = apitest.NewHandler(func(d *api.Deps) { d.Kube.Reader, d.Kube.Writer = frozen, c.Fake })
	return c
}

// frozenReader lists without the fake's sorting, as the mirror does.
type frozenReader struct {
	*apitest.Fake
	snap kube.Snapshot
}

func (f frozenReader) List(string, string) kube.Snapshot { return f.snap }

// discard is a response that goes nowhere.
type discard struct {
	header http.Header
	bytes  int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Flush()                      {}
func (d *discard) Write(b []byte) (int, error) { d.bytes += len(b); return len(b), nil }

func serve(b *testing.B, c *apitest.Cluster, path string, headers ...string) {
	b.Helper()
	b.ReportAllocs()
	get := func() {
		req := httptest.NewRequest(http.MethodGet, path, nil)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			req.Header.Set(name, value)
		}
		w := &discard{header: http.Header{}}
		c.Handler.ServeHTTP(w, req)
		b.SetBytes(int64(w.bytes))
	}
	get() // warm up: decode each object once
	for b.Loop() {
		get()
	}
}

// encodings maps names to Accept headers.
var encodings = map[string]string{"json": "Accept: application/json", "protobuf": "Accept: " + apitest.Protobuf, "yaml": "Accept: application/yaml"}

func BenchmarkGet(b *testing.B) {
	for name, accept := range encodings {
		b.Run(name, func(b *testing.B) { serve(b, stocked(b, 1), "/api/v1/namespaces/default/pods/web-00000", accept) })
	}
}

func BenchmarkList2000(b *testing.B) {
	for _, name := range []string{"json", "protobuf"} {
		b.Run(name, func(b *testing.B) { serve(b, stocked(b, 2000), "/api/v1/pods", encodings[name]) })
		b.Run(name+" compressed", func(b *testing.B) {
			serve(b, stocked(b, 2000), "/api/v1/pods", encodings[name], "Accept-Encoding: gzip", "X-Forwarded-For: 192.0.2.1")
		})
	}
}

func BenchmarkListMetadata2000(b *testing.B) {
	for name, media := range map[string]string{"json": "application/json", "protobuf": apitest.Protobuf} {
		b.Run(name, func(b *testing.B) {
			serve(b, stocked(b, 2000), "/api/v1/pods", "Accept: "+media+";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
		})
	}
}

// BenchmarkCreate measures decoding, validating and answering a dry run.
func BenchmarkCreate(b *testing.B) {
	c := stocked(b, 1)
	p := apitest.FullPod("other")
	p.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	plain, err := json.Marshal(p)
	if err != nil {
		b.Fatal(err)
	}
	var binary bytes.Buffer
	if err := protobuf.NewSerializer(nil, nil).Encode(p, &binary); err != nil {
		b.Fatal(err)
	}
	for name, body := range map[string][]byte{"json": plain, "protobuf": binary.Bytes()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := httptest.NewRequest(http.MethodPost, "/api/v1/namespaces/default/pods?dryRun=All", bytes.NewReader(body))
				_, media, _ := strings.Cut(encodings[name], ": ")
				req.Header.Set("Content-Type", media)
				req.Header.Set("Accept", media)
				w := httptest.NewRecorder()
				if c.Handler.ServeHTTP(w, req); w.Code != http.StatusCreated {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}

func BenchmarkListByLabel2000(b *testing.B) {
	serve(b, stocked(b, 2000), "/api/v1/pods?labelSelector=app%3Dweb")
}

func BenchmarkTable500(b *testing.B) {
	serve(b, stocked(b, 500), "/api/v1/pods?limit=500", apitest.AsTable)
}

// BenchmarkWatchTable measures the rows that a dashboard receives during a rollout.
func BenchmarkWatchTable(b *testing.B) {
	for _, watchers := range []int{1, 100} {
		b.Run(fmt.Sprintf("to %d", watchers), func(b *testing.B) { benchmarkWatch(b, apitest.AsTable, watchers) })
	}
}

// BenchmarkWatch measures the delivery of events from the mirror to a number of watchers.
func BenchmarkWatch(b *testing.B) {
	for name, accept := range encodings {
		if name == "yaml" {
			continue
		}
		for _, watchers := range []int{1, 100} {
			b.Run(fmt.Sprintf("%s to %d", name, watchers), func(b *testing.B) { benchmarkWatch(b, accept, watchers) })
		}
	}
}

func benchmarkWatch(b *testing.B, accept string, watchers int) {
	b.Helper()
	c := stocked(b, 1)
	const distinct = 1000 // events, so that none is already encoded
	v := c.Get(object.Key{Resource: "pods", Namespace: "default", Name: "web-00000"})
	all := make([]kube.Event, distinct)
	for i := range all {
		n := &object.Version{Type: v.Type, Namespace: v.Namespace, Name: v.Name, UID: v.UID, Revision: object.Revision(i + 1), Verb: object.Updated}
		n.SetBody(v.Body())
		n.Remember(v.Object().DeepCopyObject().(object.Object))
		all[i] = kube.Event{New: n, Old: v}
	}
	name, value, _ := strings.Cut(accept, ": ")
	h := apitest.NewHandler(func(d *api.Deps) {
		d.Kube.Reader, d.Kube.Writer = watchReader{c.Fake, all, b.N, &pace{watchers: watchers}}, c.Fake
	})
	b.ReportAllocs()
	b.ResetTimer()
	var done sync.WaitGroup
	for range watchers {
		done.Go(func() {
			req := httptest.NewRequest(http.MethodGet, "/api/v1/pods?watch=true&resourceVersion=1", nil)
			req.Header.Set(name, value)
			h.ServeHTTP(&discard{header: http.Header{}}, req)
		})
	}
	done.Wait()
}

type watchReader struct {
	*apitest.Fake
	events []kube.Event
	left   int
	pace   *pace
}

func (r watchReader) Watch(string, string, object.Revision) (kube.Watch, error) {
	return &endless{r.events, r.left, r.pace}, nil
}

// pace keeps watchers together, as in a real cluster: none is more than a few events ahead of
// another.
type pace struct {
	watchers int
	mu       sync.Mutex
	arrived  int
	open     chan struct{}
}

func (p *pace) wait() {
	p.mu.Lock()
	if p.open == nil {
		p.open = make(chan struct{})
	}
	open := p.open
	if p.arrived++; p.arrived == p.watchers {
		p.arrived, p.open = 0, nil
		close(open)
	}
	p.mu.Unlock()
	<-open
}

// endless repeats the same events until left is 0.
type endless struct {
	events []kube.Event
	left   int
	pace   *pace
}

func (e *endless) Next(context.Context) (kube.Event, error) {
	if e.left--; e.left < 0 {
		return kube.Event{}, kube.ErrUnavailable
	}
	if e.left%64 == 0 {
		e.pace.wait()
	}
	return e.events[e.left%len(e.events)], nil
}
func (e *endless) Pending() bool             { return e.left > 0 }
func (e *endless) Revision() object.Revision { return 1 }
func (e *endless) Close()                    {}

// BenchmarkUpdate measures decoding, validating and answering a dry run of a PUT and of a patch.
func BenchmarkUpdate(b *testing.B) {
	c := apitest.NewCluster(b)
	p := apitest.FullPod("web-00000")
	podkind.Kind.Default(p)
	c.Store(b, p.DeepCopy())
	p.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	p.Labels["app"] = "other"
	whole, err := json.Marshal(p)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct{ name, method, media, body string }{
		{"put", http.MethodPut, "application/json", string(whole)},
		{"patch", http.MethodPatch, "application/merge-patch+json", `{"metadata":{"labels":{"app":"other"}}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := httptest.NewRequest(bench.method, "/api/v1/namespaces/default/pods/web-00000?dryRun=All", strings.NewReader(bench.body))
				req.Header.Set("Content-Type", bench.media)
				w := httptest.NewRecorder()
				if c.Handler.ServeHTTP(w, req); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
