package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var script = strings.Repeat("export const answer = 42;\n", 200)

// example is a small build, like one of Vite.
var example = fstest.MapFS{
	"index.html":                {Data: []byte(`<!doctype html><script src="./assets/index-Ab12Cd34.js"></script>`)},
	"icon.svg":                  {Data: []byte("<svg/>")},
	"assets/index-Ab12Cd34.js":  {Data: []byte(script)},
	"assets/_chunk-Ab12Cd34.js": {Data: []byte("1")},
	"assets/font-Ab12.woff2":    {Data: []byte("wOF2")},
	".vite/manifest.json":       {Data: []byte("{}")},
}

func newExample(t *testing.T) http.Handler {
	t.Helper()
	a, err := newApp(example)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ask sends "GET path" with headers in the form "Name: value". The path is sent unchanged, as after
// http.StripPrefix.
func ask(h http.Handler, request string, headers ...string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(request, " ")
	req := httptest.NewRequest(method, "/", nil)
	req.URL = &url.URL{Path: path}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

func TestApp(t *testing.T) {
	t.Parallel()
	const html, js = "text/html; charset=utf-8", "text/javascript; charset=utf-8"
	page := string(example["index.html"].Data)
	at := func(up string) string { return strings.ReplaceAll(page, "./assets", up+"assets") }
	h := newExample(t)
	for _, tt := range []struct {
		request, media, caching, body string
		code                          int
	}{
		{"GET ", html, "no-cache", page, 200},
		{"GET index.html", html, "no-cache", page, 200},
		{"GET pods", html, "no-cache", page, 200},
		{"GET pods/", html, "no-cache", at("../"), 200},
		{"GET deployments.apps/default/web.v1.js", html, "no-cache", at("../../"), 200},
		{"GET nodes/_/node-1/yaml", html, "no-cache", at("../../../"), 200},
		{"GET assets", html, "no-cache", page, 200},
		{"GET icon.svg", "image/svg+xml", "no-cache", "<svg/>", 200},
		{"GET assets/index-Ab12Cd34.js", js, immutable, script, 200},
		{"GET assets/_chunk-Ab12Cd34.js", js, immutable, "1", 200},
		{"GET assets/font-Ab12.woff2", "font/woff2", immutable, "wOF2", 200},
		{"HEAD assets/index-Ab12Cd34.js", js, immutable, "", 200},
		{"HEAD pods", html, "no-cache", "", 200},
		// Paths that no browser sends do not name a file either.
		{"GET ../embed.go", html, "no-cache", at("../"), 200},
		{"GET /etc/passwd", html, "no-cache", at("../../"), 200},
		{"GET ./icon.svg", html, "no-cache", at("../"), 200},
		{"GET .vite/manifest.json", html, "no-cache", at("../"), 200},
		{"GET icon.svg\x00", html, "no-cache", page, 200},
	} {
		res := ask(h, tt.request)
		got := []any{res.Code, res.Header().Get("Content-Type"), res.Header().Get("Cache-Control"), res.Body.String()}
		if diff := cmp.Diff([]any{tt.code, tt.media, tt.caching, tt.body}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.request, diff)
		}
		if tt.body == "" && res.Header().Get("Content-Length") == "0" {
			t.Errorf("%s does not say how long the file is", tt.request)
		}
	}
	for _, gone := range []string{"assets/index-00000000.js", "assets/", "assets/../icon.svg", "assets/../../embed.go", "assets//etc/passwd", strings.Repeat("a/", 20_000)} {
		if res := ask(h, "GET "+gone); res.Code != http.StatusNotFound || res.Header().Get("Cache-Control") != "" || res.Body.Len() > 200 {
			t.Errorf("%s: %d, %q", gone, res.Code, res.Header())
		}
	}
}

// All answers, errors included, have the headers that restrict what a page may do.
func TestHeaders(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Permissions-Policy": denied,
	}
	for name, h := range map[string]http.Handler{"app": newExample(t), "unbuilt": newUnbuilt(dist), "as it is": Handler()} {
		for _, request := range []string{"GET ", "GET pods", "GET assets/index-Ab12Cd34.js", "GET assets/gone.js", "HEAD ", "POST pods", "GET unbuilt.css"} {
			header, got := ask(h, request).Header(), map[string]string{}
			for _, key := range slices.Collect(maps.Keys(want)) {
				got[key] = strings.Join(header.Values(key), "|")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, request, diff)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	for _, h := range []http.Handler{newExample(t), newUnbuilt(dist)} {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"} {
			if res := ask(h, method+" pods"); res.Code != http.StatusMethodNotAllowed || res.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s: %d, allowed %q", method, res.Code, res.Header().Get("Allow"))
			}
		}
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	h := newExample(t)
	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "gzip, deflate, br, zstd": "gzip", "br, GZIP;q=0.5": "gzip", "gzip;q=0": "", "identity": "", "xgzip": "",
	} {
		res := ask(h, "GET assets/index-Ab12Cd34.js", "Accept-Encoding: "+accept)
		if got := res.Header().Get("Content-Encoding"); got != want || res.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("who accepts %q gets %q; %v", accept, got, res.Header())
			continue
		}
		body := io.Reader(res.Body)
		if want == "gzip" {
			if head := ask(h, "HEAD assets/index-Ab12Cd34.js", "Accept-Encoding: gzip"); head.Header().Get("Content-Length") != res.Header().Get("Content-Length") {
				t.Errorf("HEAD says %s, and GET %s", head.Header().Get("Content-Length"), res.Header().Get("Content-Length"))
			}
			z, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != script {
			t.Errorf("who accepts %q reads %d bytes, %v", accept, len(text), err)
		}
	}
	for _, plain := range []string{"", "icon.svg", "assets/font-Ab12.woff2"} {
		if res := ask(h, "GET "+plain, "Accept-Encoding: gzip"); res.Header().Get("Content-Encoding") != "" {
			t.Errorf("%q comes compressed", plain)
		}
	}
}

func TestRevalidation(t *testing.T) {
	t.Parallel()
	h := newExample(t)
	etag := ask(h, "GET ").Header().Get("Etag")
	if len(etag) < 10 || etag == ask(h, "GET icon.svg").Header().Get("Etag") {
		t.Fatalf("the page's etag is %s", etag)
	}
	if deeper := ask(h, "GET pods/default").Header().Get("Etag"); deeper == etag {
		t.Errorf("pages that are not the same have the same etag %s", deeper)
	}
	for asked, want := range map[string]int{etag: 304, "W/" + etag: 304, `"a", ` + etag: 304, `"a"`: 200, "": 200, etag[1:5]: 200} {
		if res := ask(h, "GET pods", "If-None-Match: "+asked); res.Code != want || want == 304 && res.Body.Len() > 0 || res.Header().Get("Etag") != etag {
			t.Errorf("If-None-Match %s: %d with %d bytes, want %d", asked, res.Code, res.Body.Len(), want)
		}
	}
}

// Without a build, a page says how to build it, in every language, with its style.
func TestUnbuilt(t *testing.T) {
	t.Parallel()
	if _, err := newApp(fstest.MapFS{}); err == nil {
		t.Error("nothing is taken for a build")
	}
	h := newUnbuilt(dist)
	res := ask(h, "GET pods/default/a")
	if text := res.Body.String(); res.Code != http.StatusNotFound || res.Header().Get("Content-Type") != "text/html; charset=utf-8" ||
		res.Header().Get("Cache-Control") != "no-store" || strings.Count(text, "make build") != 5 || strings.Contains(text, "script") {
		t.Errorf("answered %d %v %s", res.Code, res.Header(), text)
	}
	for _, lang := range []string{`<html lang="en"`, `<p lang="es"`, `<p lang="pt"`, `<p lang="ja"`, `<p lang="zh"`} {
		if !bytes.Contains(res.Body.Bytes(), []byte(lang)) {
			t.Errorf("there is no %s", lang)
		}
	}
	if res := ask(h, "GET unbuilt.css"); res.Code != http.StatusOK || res.Header().Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("its style: %d %v", res.Code, res.Header())
	}
}

// The lock file lists the packages for all platforms, by hash and without the registry's address.
// If a registry lacks a package when the file is written, npm omits it from the file, and then
// refuses to install it.
func TestLockFile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Version, Resolved, Integrity string
			Link                         bool
			OptionalDependencies         map[string]string
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil || len(lock.Packages) < 20 {
		t.Fatalf("%d packages, %v", len(lock.Packages), err)
	}
	for name, p := range lock.Packages {
		ours := name == "" || name == "types" || p.Link && p.Resolved == "types" // the types' generator is a workspace of this package
		if !ours && (p.Resolved != "" || !strings.HasPrefix(p.Integrity, "sha512-")) {
			t.Errorf("%s: from %q, with hash %q", name, p.Resolved, p.Integrity)
		}
		for optional := range p.OptionalDependencies {
			if lock.Packages["node_modules/"+optional].Version == "" {
				t.Errorf("%s needs %s on some platform, and it is not locked", name, optional)
			}
		}
	}
}
