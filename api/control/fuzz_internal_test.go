package control

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/v1"
)

// FuzzClock: a request to change the clock is exactly one valid operation, or a client error.
func FuzzClock(f *testing.F) {
	for _, body := range []string{
		`{"speed": 60}`, `{"paused": true}`, `{"advance": {"by": "2d12h"}}`, `{"advance": {"to": "2026-01-02T03:04:05Z"}}`, `{"advance": {"toNext": true}}`,
		`{"speed": 1e999}`, `{"speed": 1, "paused": null}`, `{"advance": {"by": "-9223372036854775808ns"}}`, `{} {}`, `[]`, strings.Repeat(`{"advance":`, 10_000),
	} {
		f.Add(body, "30s", "10")
	}
	f.Fuzz(func(t *testing.T, body, wait, due string) {
		judge := func(err error) {
			var status apierrors.APIStatus
			if err != nil && (!errors.As(err, &status) || status.Status().Code < 400 || status.Status().Code >= 500) {
				t.Errorf("%q with wait=%q and due=%q: %v is not a client error", body, wait, due, err)
			}
		}
		s, called := New(Deps{Status: func(err error) *metav1.Status {
			judge(err)
			var status apierrors.APIStatus
			if !errors.As(err, &status) {
				return &metav1.Status{Code: http.StatusInternalServerError}
			}
			told := status.Status()
			return &told
		}}), false
		router := chi.NewRouter()
		a := newTyped(humachi.New(router, huma.Config{OpenAPI: &huma.OpenAPI{Components: route.NewComponents()}}), s)
		register(a, huma.Operation{Method: http.MethodPost, Path: v1.ClockPath}, func(_ context.Context, in *setClock) (v1.Clock, error) {
			called = true
			do, err := s.change(in.Body)
			judge(err)
			r := in.Body
			if (do == nil) == (err == nil) || err == nil && count(r.Speed != nil, r.Paused != nil, r.Advance != nil) != 1 {
				t.Errorf("%q is accepted: %v", body, err)
			}
			d, err := in.duration()
			judge(err)
			if d < 0 || d > maxWait || in.Due < 0 || in.Due > 500 {
				t.Errorf("a wait of %v, and %d to be shown", d, in.Due)
			}
			return v1.Clock{}, nil
		})
		req := httptest.NewRequest(http.MethodPost, v1.ClockPath+"?"+url.Values{"wait": {wait}, "due": {due}}.Encode(), strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		router.ServeHTTP(w, req)
		if called != (w.Code == http.StatusOK) {
			t.Errorf("%q with wait=%q and due=%q is answered with %d", body, wait, due, w.Code)
		}
	})
}
