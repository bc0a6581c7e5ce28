package wire_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube/wire"
)

// protobufConfig returns the configuration of a client that accepts only protobuf.
func protobufConfig(t testing.TB, c *apitest.Cluster) *rest.Config {
	t.Helper()
	config := c.Config()
	config.ContentType, config.AcceptContentTypes = apitest.Protobuf, apitest.Protobuf
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return spoken{t, next} })
	return config
}

// spoken checks that every answer is protobuf.
type spoken struct {
	t    testing.TB
	next http.RoundTripper
}

func (s spoken) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := s.next.RoundTrip(req)
	if err == nil && !strings.HasPrefix(res.Header.Get("Content-Type"), apitest.Protobuf) {
		s.t.Errorf("%s %s was answered as %s", req.Method, req.URL, res.Header.Get("Content-Type"))
	}
	return res, err
}

// A typed client gets the same results with protobuf as with JSON.
func TestProtobufClient(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), apitest.Patience)
	defer cancel()
	binary, err := kubernetes.NewForConfig(protobufConfig(t, c))
	if err != nil {
		t.Fatal(err)
	}
	plain := c.Client(t)
	same := func(what string, got, want any, err, plainErr error) {
		t.Helper()
		if err != nil || plainErr != nil {
			t.Fatalf("%s: %v, %v", what, err, plainErr)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-JSON +protobuf):\n%s", what, diff)
		}
	}
	pods := binary.CoreV1().Pods("default")
	made, err := pods.Create(ctx, apitest.FullPod("a"), metav1.CreateOptions{})
	want, plainErr := plain.CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
	same("create", made, want, err, plainErr)
	dry, err := pods.Create(ctx, apitest.FullPod("b"), metav1.CreateOptions{DryRun: []string{"All"}})
	if err != nil || dry.ResourceVersion != "" || dry.Name != "b" {
		t.Errorf("dry run: %v, %v", dry, err)
	}
	made.Labels["x"] = "y"
	changed, err := pods.Update(ctx, made, metav1.UpdateOptions{})
	want, plainErr = plain.CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
	same("update", changed, want, err, plainErr)
	changed.Status.Reason = "Because"
	changed, err = pods.UpdateStatus(ctx, changed, metav1.UpdateOptions{})
	want, plainErr = plain.CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
	same("status", changed, want, err, plainErr)
	changed, err = pods.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"x":"z"}}}`), metav1.PatchOptions{})
	want, plainErr = plain.CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
	same("patch", changed, want, err, plainErr)
	list, err := pods.List(ctx, metav1.ListOptions{})
	wantList, plainErr := plain.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	same("list", list, wantList, err, plainErr)

	c.Store(t, apitest.Deployment("web", 2))
	scale, err := binary.AppsV1().Deployments("default").GetScale(ctx, "web", metav1.GetOptions{})
	wantScale, plainErr := plain.AppsV1().Deployments("default").GetScale(ctx, "web", metav1.GetOptions{})
	same("scale", scale, wantScale, err, plainErr)
	scale.Spec.Replicas = 5
	scale, err = binary.AppsV1().Deployments("default").UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
	if err != nil || scale.Spec.Replicas != 5 {
		t.Errorf("scaled to %v, %v", scale, err)
	}

	_, err = pods.Get(ctx, "nothing", metav1.GetOptions{})
	_, plainErr = plain.CoreV1().Pods("default").Get(ctx, "nothing", metav1.GetOptions{})
	if diff := cmp.Diff(statusOf(t, plainErr), statusOf(t, err)); diff != "" {
		t.Errorf("errors (-JSON +protobuf):\n%s", diff)
	}
	other := types.UID("other")
	err = pods.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}})
	if !apierrors.IsConflict(err) {
		t.Errorf("deleted another: %v", err)
	}
	none := int64(0)
	if err := pods.Delete(ctx, "a", metav1.DeleteOptions{GracePeriodSeconds: &none}); err != nil {
		t.Error(err)
	}
}

func statusOf(t *testing.T, err error) metav1.Status {
	t.Helper()
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		t.Fatalf("no Status: %v", err)
	}
	s := status.Status()
	s.TypeMeta = metav1.TypeMeta{} // in protobuf, the envelope holds it
	return s
}

// Watches deliver the same events in both encodings, for objects and for metadata.
func TestProtobufWatch(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), apitest.Patience)
	defer cancel()
	binary, err := kubernetes.NewForConfig(protobufConfig(t, c))
	if err != nil {
		t.Fatal(err)
	}
	opts := metav1.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: new(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, LabelSelector: "odd!=none"}
	c.Store(t, apitest.ConfigMap("before", "1"))
	got, err := binary.CoreV1().ConfigMaps("default").Watch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Stop()
	want, err := c.Client(t).CoreV1().ConfigMaps("default").Watch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Stop()
	plain := c.Client(t).CoreV1().ConfigMaps("default")
	made, err := plain.Create(ctx, apitest.ConfigMap("a", "1"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	made.Labels = map[string]string{"odd": "none"} // leaves the watch
	if _, err := plain.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := plain.Delete(ctx, "before", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, wantType := range []watch.EventType{watch.Added, watch.Bookmark, watch.Added, watch.Deleted, watch.Deleted} {
		a, b := <-got.ResultChan(), <-want.ResultChan()
		if diff := cmp.Diff(b, a); diff != "" || a.Type != wantType {
			t.Errorf("%s (-JSON +protobuf):\n%s", wantType, diff)
		}
	}
}

// Protobuf informers of objects and of metadata fill up with all objects.
func TestProtobufInformers(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), apitest.Patience)
	defer cancel()
	for i := range 20 {
		c.Store(t, apitest.ConfigMap(fmt.Sprint("a", i), "1"))
	}
	typed, err := kubernetes.NewForConfig(protobufConfig(t, c))
	if err != nil {
		t.Fatal(err)
	}
	meta, err := metadata.NewForConfig(metadata.ConfigFor(protobufConfig(t, c)))
	if err != nil {
		t.Fatal(err)
	}
	metas := meta.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"})
	both := []cache.SharedIndexInformer{
		coreinformers.NewConfigMapInformer(typed, metav1.NamespaceAll, 0, nil),
		cache.NewSharedIndexInformer(cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
				return metas.List(ctx, o)
			},
			WatchFuncWithContext: metas.Watch,
		}, meta), &metav1.PartialObjectMetadata{}, 0, nil),
	}
	news := make(chan string, 100)
	var running sync.WaitGroup
	for _, s := range both {
		if _, err := s.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { news <- o.(metav1.Object).GetName() }}); err != nil {
			t.Fatal(err)
		}
		running.Go(func() { s.RunWithContext(ctx) })
	}
	if !cache.WaitForCacheSync(ctx.Done(), both[0].HasSynced, both[1].HasSynced) {
		t.Fatal("the informers do not sync")
	}
	c.Store(t, apitest.ConfigMap("late", "1"))
	for seen := 0; seen < len(both); {
		select {
		case name := <-news:
			if name == "late" {
				seen++
			}
		case <-ctx.Done():
			t.Fatal("the news did not come")
		}
	}
	for i, s := range both {
		if n := len(s.GetStore().ListKeys()); n != 21 {
			t.Errorf("informer %d has %d objects", i, n)
		}
	}
	cancel()
	running.Wait()
}

// The negotiated format of each path and Accept header, including the Content-Type.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.ConfigMap("a", "1"))
	const (
		none      = "406 application/json 406: Not Acceptable"
		unwanted  = "406 application/json only the following"
		unwantedY = "406 application/yaml only the following"
	)
	tests := []struct{ request, accept, want string }{
		{"GET " + apitest.ConfigMapsPath, "application/*", none},
		{"GET " + apitest.ConfigMapsPath, "application/json;q=0, application/yaml", "200 application/yaml"},
		{"GET " + apitest.ConfigMapsPath, "application/yaml;q=0.1, application/json;q=0.2", "200 application/json"},
		{"GET " + apitest.ConfigMapsPath, "application/json;as=Table;g=meta.k8s.io;v=v2,application/yaml", "200 application/yaml"},
		{"GET " + apitest.ConfigMapsPath, "application/json;sv=v1;export=1;profile=foo;bar=baz", "200 application/json"},
		{"GET " + apitest.ConfigMapsPath, "application/json;v=v1", unwanted},
		{"GET " + apitest.ConfigMapsPath, "text/*,*/*", "200 application/json"},
		{"GET " + apitest.ConfigMapsPath, "garbage", none},
		{"GET " + apitest.ConfigMapsPath, "application/cbor", none},
		{"GET " + apitest.ConfigMapsPath, apitest.Protobuf + ";as=Table;g=meta.k8s.io;v=v1,application/json", "200 application/json"},
		{"GET " + apitest.ConfigMapsPath, apitest.Protobuf + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1", "200 " + apitest.Protobuf},
		{
			"GET " + apitest.ConfigMapsPath, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
			"406 application/json you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
		},
		{
			"GET " + apitest.ConfigMapsPath + "/a",
			"application/yaml;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/yaml",
			"406 application/yaml you requested PartialObjectMetadataList, but the requested object is not a list " +
				"(*core.ConfigMap)",
		},
		{"GET " + apitest.ConfigMapsPath + "/a", "application/yaml;as=Table;g=meta.k8s.io;v=v1", "200 application/yaml"},
		{"GET " + apitest.ConfigMapsPath + "/a", apitest.Protobuf + ";q=0.5,text/html", "200 " + apitest.Protobuf},
		{"GET " + apitest.ConfigMapsPath + "?watch=1", "application/yaml", unwantedY},
		{"GET " + apitest.ConfigMapsPath + "?watch=1", "application/yaml;stream=watch", unwanted},
		{"GET " + apitest.ConfigMapsPath + "?watch=1&timeoutSeconds=1", apitest.Protobuf + ";stream=watch", "200 " + apitest.Protobuf + ";stream=watch"},
		{"GET " + apitest.ConfigMapsPath + "?watch=1&timeoutSeconds=1", apitest.Protobuf, "200 " + apitest.Protobuf + ";stream=watch"},
		{"GET /api", apitest.Protobuf, "200 " + apitest.Protobuf},
		{"GET /apis/apps/v1", "application/yaml", "200 application/yaml"},
		{"GET /apis", apitest.Protobuf + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", "200 " + apitest.Protobuf + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"},
		{"GET /apis", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", unwanted},
		{"GET /version", apitest.Protobuf, "406 " + apitest.Protobuf},
		{"GET /version", "application/yaml", "406 application/yaml 406: Not Acceptable\n\nAvailable representations: application/json"},
	}
	for _, tt := range tests {
		t.Run(tt.request+" "+tt.accept, func(t *testing.T) {
			t.Parallel()
			res := c.Do(t, tt.request, "", "Accept: "+tt.accept)
			got := fmt.Sprintf("%d %s", res.Code, res.Header.Get("Content-Type"))
			var status metav1.Status
			if res.Code != 200 && yaml.Unmarshal([]byte(res.Body), &status) == nil { // not if it is protobuf
				got += " " + status.Message
			}
			if res.Code == 200 && got != tt.want || !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s\n%s", got, res.Body)
			}
		})
	}
}

// Large answers are compressed for clients that accept gzip; small answers and watches never are.
func TestCompression(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	large := apitest.ConfigMap("large", "1")
	large.Data["large"] = strings.Repeat("0123456789", 20<<10)
	c.Store(t, large)
	c.Store(t, apitest.ConfigMap("small", "1"))
	for i := range 4 {
		l := large.DeepCopy()
		l.Name = fmt.Sprint("large-", i)
		c.Store(t, l)
	}
	for _, accept := range []string{"application/json", "application/yaml", apitest.Protobuf, "application/json;as=Table;g=meta.k8s.io;v=v1"} {
		for _, path := range []string{"/large", "/small", "", "?watch=1&timeoutSeconds=1"} {
			if strings.Contains(path, "watch") && accept == "application/yaml" {
				continue
			}
			want := c.Do(t, "GET "+apitest.ConfigMapsPath+path, "", "Accept: "+accept, "Accept-Encoding: gzip;q=1.0, identity")
			if strings.Contains(path, "watch") {
				want.Body = ""
			}
			got := c.Do(t, "GET "+apitest.ConfigMapsPath+path, "", "Accept: "+accept, "Accept-Encoding: br, gzip", "X-Forwarded-For: 192.0.2.1")
			table := strings.Contains(accept, "Table")
			zipped := (path == "/large" || path == "") && !table
			switch {
			case want.Header.Get("Content-Encoding") != "":
				t.Errorf("%s %s was compressed for a client that gives gzip a quality", accept, path)
			case zipped != (got.Header.Get("Content-Encoding") == "gzip"), zipped != (got.Header.Get("Vary") == "Accept-Encoding"):
				t.Errorf("%s %s: answered %v", accept, path, got.Header)
			case zipped && unzipped(t, got.Body) != want.Body, !zipped && want.Body != "" && got.Body != want.Body:
				t.Errorf("%s %s: another body", accept, path)
			}
		}
	}
}

// A client on the same machine gets no compressed answers, unless it is a proxy for another.
func TestCompression_OnTheSameMachine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, header string
		want         bool
	}{
		{"127.0.0.1:40000", "", false},
		{"[::1]:40000", "", false},
		{"[::ffff:127.0.0.1]:40000", "", false},
		{"192.0.2.1:40000", "", true},
		{"[2001:db8::1]:40000", "", true},
		{"@", "", true},
		{"127.0.0.1:40000", "X-Forwarded-For", true},
		{"127.0.0.1:40000", "Forwarded", true},
	} {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.RemoteAddr = test.from
		req.Header.Set("Accept-Encoding", "gzip")
		if test.header != "" {
			req.Header.Set(test.header, "192.0.2.1")
		}
		if got := wire.AcceptsGzip(req); got != test.want {
			t.Errorf("for %s with %q: %t", test.from, test.header, got)
		}
	}
}

func unzipped(t *testing.T, body string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := io.Copy(&out, r); err != nil { //nolint:gosec // the answer is trusted
		t.Fatal(err)
	}
	return out.String()
}
