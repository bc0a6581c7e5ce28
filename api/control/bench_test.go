package control_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rowlock/rowlock/api/v1"
)

// BenchmarkClock_Read measures reading the clock, which takes three SQL statements.
func BenchmarkClock_Read(b *testing.B) {
	s := newServer(b)
	req := httptest.NewRequestWithContext(b.Context(), http.MethodGet, v1.ClockPath+"?due=5&wait=1s", nil)
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}
