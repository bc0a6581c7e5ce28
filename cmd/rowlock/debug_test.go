package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestDebugListen: profiles are served on loopback only, and not under any other name.
func TestDebugListen(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"": "", "127.0.0.1:6060": "", "localhost:0": "", "[::1]:6060": "",
		"0.0.0.0:6060": "not a loopback address", ":6060": "not a loopback address", "192.0.2.1:6060": "not a loopback address", "6060": "missing port",
	} {
		switch err := validateDebug(address); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
	for target, want := range map[string]int{
		"http://127.0.0.1:6060/debug/pprof/": 200, "http://localhost/debug/pprof/goroutine?debug=1": 200,
		"http://rebound.example/debug/pprof/": 403, "http://127.0.0.1:6060/": 404,
	} {
		w := httptest.NewRecorder()
		debugHandler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
		if w.Code != want {
			t.Errorf("%s is answered with %d, want %d", target, w.Code, want)
		}
	}
	stop, err := startDebug("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stop()
}
