package control_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/v1"
)

// decoder serves the operations without any dependencies, which suffices for invalid requests.
func decoder() http.Handler {
	router := chi.NewRouter()
	described := humachi.New(router, huma.Config{OpenAPI: &huma.OpenAPI{OpenAPI: "3.1.0", Components: route.NewComponents()}})
	control.New(control.Deps{Status: api.Status}).Register(described)
	return router
}

// Errors name the field of the fault that is invalid.
func TestFaults_Refused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{`:                       {"400 BadRequest"},
		`{"color":"red"}`:         {"400 BadRequest"},
		`{}`:                      {"422 Invalid", "fault"},
		`{"api":{"status":99}}`:   {"422 Invalid", "api.status"},
		`{"api":{"delay":"-1s"}}`: {"422 Invalid", "api.delay"},
		`{"name":"A b","for":"soon","api":{"conflict":true}}`:         {"422 Invalid", "name", "for"},
		`{"pod":{"name":"a","action":"exit","exitCode":300}}`:         {"422 Invalid", "pod.exitCode"},
		`{"pod":{"action":"crashloop","selector":"a in","after":""}}`: {"422 Invalid", "pod.selector"},
		`{"node":{"name":"n","state":"asleep"}}`:                      {"422 Invalid", "node.state"},
		`{"image":{"image":""}}`:                                      {"422 Invalid", "image.image"},
		`{"api":{"watch":"drop"},"node":{"name":"n"}}`:                {"422 Invalid", "fault"},
	} {
		w := httptest.NewRecorder()
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, v1.FaultsPath, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		decoder().ServeHTTP(w, req)
		var status metav1.Status
		if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil {
			t.Fatal(err)
		}
		got := []string{itoa(w.Code) + " " + string(status.Reason)}
		if status.Details != nil {
			for _, cause := range status.Details.Causes {
				got = append(got, cause.Field)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func itoa(n int) string {
	b, _ := json.Marshal(n) // cannot fail for a number
	return string(b)
}

// A request for a fault is either valid or rejected with a Status. A valid one panics here, because
// there are no dependencies behind it.
func FuzzFault(f *testing.F) {
	for _, body := range []string{
		`{"api":{"verbs":["update"],"conflict":true,"count":3}}`, `{"pod":{"selector":"a=b","action":"crashloop"},"for":"1d"}`, `{"image":{"image":"*"}}`,
		`{"node":{"name":"n","state":"failed"}}`, `{"api":{"delay":"1s","probability":1e400}}`, `[]`, `null`, `{"pod":null,"api":{}}`,
	} {
		f.Add(body)
	}
	h := decoder()
	f.Fuzz(func(t *testing.T, body string) {
		w := httptest.NewRecorder()
		understood := false
		func() {
			defer func() { understood = recover() != nil }()
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, v1.FaultsPath, strings.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(w, req)
		}()
		if understood {
			return
		}
		var status metav1.Status
		if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil || !slices.Contains([]int{400, 413, 422}, w.Code) || int(status.Code) != w.Code {
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}
