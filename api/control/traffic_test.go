package control_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api/v1"
)

// A request names either a Service or a Pod, and a time range that is retained.
func TestTraffic_Refused(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                      "service: Required value",
		"?service=a&pod=b":      "service: Required value",
		"?pod=b&minutes=16":     "minutes: Invalid value",
		"?pod=b&minutes=-1":     "minutes: Invalid value",
		"?service=a&minutes=no": "minutes: Invalid value",
	} {
		w := httptest.NewRecorder()
		decoder().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, v1.TrafficPath+query, nil))
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q: %d %s", query, w.Code, w.Body)
		}
	}
}
