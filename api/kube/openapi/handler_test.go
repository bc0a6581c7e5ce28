package openapi_test

import (
	"compress/gzip"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/handler3"

	"github.com/rowlock/rowlock/api/kube/openapi"
)

const (
	jsonType = "application/json"
	v2Type   = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
	v3Type   = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"
)

// request sends a request with headers, given as pairs.
func request(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestHandlerAnswers(t *testing.T) {
	t.Parallel()
	type answer struct {
		Code              int
		Type, Allow, Vary string
		Reason            metav1.StatusReason
	}
	const vary = "Accept, Accept-Encoding"
	rows := []struct {
		name, method, path, accept string
		want                       answer
	}{
		{"v2 without preference", "GET", "/openapi/v2", "", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"v2 JSON", "GET", "/openapi/v2", jsonType, answer{Code: 200, Type: jsonType, Vary: vary}},
		{"v2 protobuf", "GET", "/openapi/v2", v2Type, answer{Code: 200, Type: v2Type, Vary: vary}},
		{"v2 protobuf by its old name", "GET", "/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", answer{Code: 200, Type: v2Type, Vary: vary}},
		{"v2 in the other version's protobuf", "GET", "/openapi/v2", v3Type, answer{Code: 406, Type: jsonType, Vary: vary, Reason: metav1.StatusReasonNotAcceptable}},
		{"v2 head", "HEAD", "/openapi/v2", "", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"v2 post", "POST", "/openapi/v2", "", answer{Code: 405, Type: jsonType, Allow: "GET, HEAD", Reason: metav1.StatusReasonMethodNotAllowed}},
		{"index", "GET", "/openapi/v3", "", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"index asked for as an object", "GET", "/openapi/v3", "application/vnd.kubernetes.protobuf", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"core", "GET", "/openapi/v3/api/v1", "*/*", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"group in protobuf", "GET", "/openapi/v3/apis/apps/v1", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", answer{Code: 200, Type: v3Type, Vary: vary}},
		{"group by preference", "GET", "/openapi/v3/apis/apps/v1", jsonType + ";q=0.5, " + v3Type, answer{Code: 200, Type: v3Type, Vary: vary}},
		{"group in HTML", "GET", "/openapi/v3/apis/apps/v1", "text/html", answer{Code: 406, Type: jsonType, Vary: vary, Reason: metav1.StatusReasonNotAcceptable}},
		{"discovery of a group", "GET", "/openapi/v3/apis/apps", "", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"discovery of the version", "GET", "/openapi/v3/version", "", answer{Code: 200, Type: jsonType, Vary: vary}},
		{"unknown group", "GET", "/openapi/v3/apis/example.com/v1", "", answer{Code: 404, Type: jsonType, Reason: metav1.StatusReasonNotFound}},
		{"unknown version", "GET", "/openapi/v3/apis/apps/v1beta1", "", answer{Code: 404, Type: jsonType, Reason: metav1.StatusReasonNotFound}},
		{"unknown path", "GET", "/openapi/v4", "", answer{Code: 404, Type: jsonType, Reason: metav1.StatusReasonNotFound}},
	}
	h := shared()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			res := request(h, row.method, row.path, "Accept", row.accept)
			got := answer{
				Code: res.StatusCode, Type: res.Header.Get("Content-Type"), Allow: res.Header.Get("Allow"), Vary: res.Header.Get("Vary"),
			}
			if got.Code >= 400 {
				var status metav1.Status
				if err := json.NewDecoder(res.Body).Decode(&status); err != nil {
					t.Fatal(err)
				}
				got.Reason = status.Reason
				if want := (metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}); status.TypeMeta != want {
					t.Errorf("error is a %v, want %v", status.TypeMeta, want)
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHandlerCaches(t *testing.T) {
	t.Parallel()
	h := shared()
	var index handler3.OpenAPIV3Discovery
	if err := json.NewDecoder(request(h, "GET", "/openapi/v3").Body).Decode(&index); err != nil {
		t.Fatal(err)
	}
	const path = "/openapi/v3/apis/apps/v1"
	body, err := io.ReadAll(request(h, "GET", path).Body)
	if err != nil {
		t.Fatal(err)
	}
	hash := fmt.Sprintf("%X", sha512.Sum512(body))
	location := path + "?hash=" + hash
	if got := index.Paths["apis/apps/v1"].ServerRelativeURL; got != location {
		t.Errorf("the index leads to %q, want %q", got, location)
	}

	type answer struct {
		Code                          int
		Location, CacheControl, ETags string
	}
	etag := `"` + hash + `"`
	rows := []struct {
		name, path, have string
		want             answer
	}{
		{"no hash", path, "", answer{200, "", "", etag}},
		{"hash of the index", location, "", answer{200, "", "public, immutable, max-age=31536000", etag}},
		{"hash that has passed", path + "?hash=0123", "", answer{301, location, "", ""}},
		{"client has it", path, etag, answer{304, "", "", etag}},
		{"client has another", path, `"0123"`, answer{200, "", "", etag}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			res := request(h, "GET", row.path, "If-None-Match", row.have)
			got := answer{res.StatusCode, res.Header.Get("Location"), res.Header.Get("Cache-Control"), res.Header.Get("Etag")}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHandlerCompresses(t *testing.T) {
	t.Parallel()
	h := shared()
	plain, err := io.ReadAll(request(h, "GET", "/openapi/v2").Body)
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		encoding string
		zipped   bool
	}{
		{"gzip", true}, {"deflate, gzip;q=1.0", true}, {"GZIP", true},
		{"gzip;q=0", false}, {"identity", false}, {"x-gzip", false},
	}
	for _, row := range rows {
		t.Run(row.encoding, func(t *testing.T) {
			t.Parallel()
			res := request(h, "GET", "/openapi/v2", "Accept-Encoding", row.encoding)
			if zipped := res.Header.Get("Content-Encoding") == "gzip"; zipped != row.zipped {
				t.Fatalf("gzip is %t, want %t", zipped, row.zipped)
			}
			var body io.Reader = res.Body
			if row.zipped {
				unzipped, err := gzip.NewReader(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				body = unzipped
			}
			got, err := io.ReadAll(body)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(plain) {
				t.Errorf("%d bytes differ from the %d uncompressed ones", len(got), len(plain))
			}
		})
	}
}

// Replicas build the same documents, and clients that request one while it is being built wait for
// it.
func TestDocumentsAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	paths := []string{"/openapi/v2", "/openapi/v3", "/openapi/v3/api/v1", "/openapi/v3/apis/apps/v1"}
	types := []string{jsonType, v2Type + "," + v3Type + "," + jsonType}
	replicas := []http.Handler{openapi.Handler(served()), openapi.Handler(served())}
	var mu sync.Mutex
	bodies := map[string]map[string]int{} // number of clients by body, path and type
	var wg sync.WaitGroup
	for _, path := range paths {
		for _, accept := range types {
			for i := range 4 {
				wg.Go(func() {
					body, err := io.ReadAll(request(replicas[i%2], "GET", path, "Accept", accept).Body)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					key := path + " " + accept
					if bodies[key] == nil {
						bodies[key] = map[string]int{}
					}
					bodies[key][fmt.Sprintf("%X", sha512.Sum512(body))]++
				})
			}
		}
	}
	wg.Wait()
	for key, seen := range bodies {
		if len(seen) != 1 {
			t.Errorf("%s: %d different bodies", key, len(seen))
		}
	}
}

func TestWhatCannotBeDocumented(t *testing.T) {
	t.Parallel()
	pods := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	rows := []struct {
		name   string
		served openapi.Served
		want   string
	}{
		{
			"unknown verb", openapi.Served{GVK: pods, Plural: "pods", Verbs: []string{"proxy"}},
			`Internal error occurred: document /v1, Kind=Pod "": unknown verb "proxy"`,
		},
		{
			"verb that a subresource cannot have",
			openapi.Served{GVK: pods, Plural: "pods", Subresources: []openapi.Subresource{{Name: "status", Verbs: []string{"list"}}}},
			`Internal error occurred: document /v1, Kind=Pod "status": unknown verb "list"`,
		},
		{
			"group without definitions",
			openapi.Served{GVK: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Car"}, Plural: "cars"},
			"Internal error occurred: no schema is generated for example.com/v1, Kind=Car",
		},
	}
	for _, row := range rows {
		for _, path := range []string{"/openapi/v2", "/openapi/v3"} {
			t.Run(row.name+path, func(t *testing.T) {
				t.Parallel()
				res := request(openapi.Handler([]openapi.Served{row.served}), "GET", path)
				var got metav1.Status
				if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
					t.Fatal(err)
				}
				if res.StatusCode != 500 || got.Message != row.want {
					t.Errorf("got %d %q, want 500 %q", res.StatusCode, got.Message, row.want)
				}
			})
		}
	}
}
