package application

import (
	"net/http"
	"testing"
)

// TestSniffed agrees with Go's own server.
func TestSniffed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "foo", `<a href="/x">y</a>`, " \n<p>x", "<html>", "<HTML lang=x>", "<article>", "<a", "<!-- x -->", "<?xml version=\"1.0\"?>", "<!doctype html>"} {
		if got, want := sniffed(text), http.DetectContentType([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
