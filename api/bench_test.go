package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/internal/object"
)

// fullPod is a Pod of about 4 KiB, as a kubelet leaves it.
func fullPod(name string) *corev1.Pod {
	p := pod(name)
	p.Labels = map[string]string{"app": "web", "pod-template-hash": "5d78c9869d"}
	p.Status.Phase = corev1.PodRunning
	for i := range 8 {
		p.Spec.Containers[0].Env = append(p.Spec.Containers[0].Env, corev1.EnvVar{Name: fmt.Sprint("VAR_", i), Value: strings.Repeat("v", 300)})
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodConditionType(fmt.Sprint("Condition", i)), Status: "True", LastTransitionTime: metav1.NewTime(clusterTime)})
	}
	return p
}

// stocked is a handler over a store with n Pods.
func stocked(b *testing.B, n int) *cluster {
	b.Helper()
	c := newCluster(b)
	for i := range n {
		c.store(b, fullPod(fmt.Sprintf("web-%05d", i)))
	}
	frozen := frozenReader{c.fake, c.List("pods", "")}
	c.handler = newHandler(func(d *api.Deps) { d.Kube.Reader, d.Kube.Writer = frozen, c.fake })
	return c
}

// frozenReader lists without the fake's sorting, as the mirror does.
type frozenReader struct {
	*fake
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

func serve(b *testing.B, c *cluster, path string, headers ...string) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest(http.MethodGet, path, nil)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			req.Header.Set(name, value)
		}
		w := &discard{header: http.Header{}}
		c.handler.ServeHTTP(w, req)
		b.SetBytes(int64(w.bytes))
	}
}

func BenchmarkGet(b *testing.B) {
	serve(b, stocked(b, 1), "/api/v1/namespaces/default/pods/web-00000")
}

func BenchmarkList2000(b *testing.B) { serve(b, stocked(b, 2000), "/api/v1/pods") }

func BenchmarkListByLabel2000(b *testing.B) {
	serve(b, stocked(b, 2000), "/api/v1/pods?labelSelector=app%3Dweb")
}

func BenchmarkTable500(b *testing.B) {
	serve(b, stocked(b, 500), "/api/v1/pods?limit=500", asTable)
}

// BenchmarkWatch measures events from the mirror to the response.
func BenchmarkWatch(b *testing.B) {
	c := stocked(b, 1)
	v := c.Get(object.Key{Resource: "pods", Namespace: "default", Name: "web-00000"})
	events := &endless{event: kube.Event{New: v, Old: v}, left: b.N}
	h := newHandler(func(d *api.Deps) { d.Kube.Reader, d.Kube.Writer = watchReader{c.fake, events}, c.fake })
	w := &discard{header: http.Header{}}
	b.ReportAllocs()
	b.ResetTimer()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/pods?watch=true&resourceVersion=1", nil))
	b.SetBytes(int64(w.bytes / b.N))
}

type watchReader struct {
	*fake
	events *endless
}

func (r watchReader) Watch(string, string, object.Revision) (kube.Watch, error) { return r.events, nil }

// endless gives the same event until none is left.
type endless struct {
	event kube.Event
	left  int
}

func (e *endless) Next(context.Context) (kube.Event, error) {
	if e.left--; e.left < 0 {
		return kube.Event{}, kube.ErrUnavailable
	}
	return e.event, nil
}
func (e *endless) Pending() bool             { return e.left > 0 }
func (e *endless) Revision() object.Revision { return 1 }
func (e *endless) Close()                    {}
