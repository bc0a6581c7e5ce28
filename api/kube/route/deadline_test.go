package route

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestInTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		verb, query string
		text        bool
		want        string // "none", "soon", "late" or the error
	}{
		{"read", "", false, "none"},
		{"read", "timeout=", false, "none"},
		{"read", "timeout=10s", false, "soon"},
		{"patch", "timeout=1h", false, "late"},
		{"read", "timeout=0s", false, "none"},
		{"read", "timeout=-1s", false, "none"},
		{"read", "timeout=10", false, `invalid timeout specified in the request URL - time: missing unit in duration "10"`},
		{"create", "timeout=abc", false, `invalid timeout specified in the request URL - time: invalid duration "abc"`},
		{"list", "timeout=abc&watch=false", false, `invalid timeout specified in the request URL - time: invalid duration "abc"`},
		{"list", "timeout=abc&watch=1", false, "none"},
		{"list", "timeout=abc&watch", false, "none"},
		{"watch", "timeout=abc", false, "none"},
		{"read", "timeout=abc", true, "none"},
	} {
		got := ""
		serve := func(_ http.ResponseWriter, req *http.Request) error {
			switch end, limited := req.Context().Deadline(); {
			case !limited:
				got = "none"
			case time.Until(end) > 10*time.Second:
				got = "late"
			default:
				got = "soon"
			}
			return nil
		}
		req := httptest.NewRequest(http.MethodGet, "/?"+tt.query, nil)
		if err := InTime(Route{Verb: tt.verb, Text: tt.text, Serve: serve})(httptest.NewRecorder(), req); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s ?%s: %s, want %s", tt.verb, tt.query, got, tt.want)
		}
	}
}
