package control

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/v1"
)

// FuzzClock: what the clock is asked to do is one thing, or the client's mistake.
func FuzzClock(f *testing.F) {
	for _, body := range []string{
		`{"speed": 60}`, `{"paused": true}`, `{"advance": {"by": "2d12h"}}`, `{"advance": {"to": "2026-01-02T03:04:05Z"}}`, `{"advance": {"toNext": true}}`,
		`{"speed": 1e999}`, `{"speed": 1, "paused": null}`, `{"advance": {"by": "-9223372036854775808ns"}}`, `{} {}`, `[]`, strings.Repeat(`{"advance":`, 10_000),
	} {
		f.Add(body, "30s", "10")
	}
	s := New(Deps{})
	f.Fuzz(func(t *testing.T, body, wait, due string) {
		judge := func(err error) {
			var status apierrors.APIStatus
			if err != nil && (!errors.As(err, &status) || status.Status().Code < 400 || status.Status().Code >= 500) {
				t.Errorf("%q: %v is no Status of a client's mistake", body, err)
			}
		}
		req := httptest.NewRequest(http.MethodPost, v1.ClockPath, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		q := req.URL.Query()
		q.Set("wait", wait)
		q.Set("due", due)
		req.URL.RawQuery = q.Encode()
		var r v1.ClockRequest
		err := readJSON(httptest.NewRecorder(), req, &r)
		judge(err)
		if err == nil {
			do, err := s.change(r)
			judge(err)
			if (do == nil) == (err == nil) || err == nil && count(r.Speed != nil, r.Paused != nil, r.Advance != nil) != 1 {
				t.Errorf("%q is accepted: %v", body, err)
			}
		}
		d, err := waitOf(req)
		judge(err)
		if err == nil && (d < 0 || d > maxWait) {
			t.Errorf("a wait of %v", d)
		}
		n, err := countOf(req, "due", 10, 500)
		judge(err)
		if err == nil && (n < 0 || n > 500) {
			t.Errorf("a count of %d", n)
		}
	})
}
