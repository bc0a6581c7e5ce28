package api

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/api/auth"
)

// pages lets the pages that Pods serve through the proxies load what belongs to them: style sheets,
// scripts, pictures. Such a page has an origin of its own, so that a browser sends these requests
// as it sends those of any foreign page, and says nothing about where they come from. So the page
// gets an address with a pass, a part of the path behind "proxy" that nobody else knows; what it
// loads by relative links, and by those that the proxy rewrites, has it too. A pass is good for one
// Pod, Service or node at one port, and ends with the process.
//
// It is for servers without a login: they answer nobody but this machine, so that no stranger can
// ask for a pass, and use it on a page of his own. The methods are safe for concurrent use. nil
// gives no passes.
type pages struct{ key [32]byte }

// passMark begins a pass.
const passMark = "~page-"

func newPages() *pages {
	p := &pages{}
	_, _ = rand.Read(p.key[:]) // never fails
	return p
}

// pass is that for what a proxy's path leads to.
func (p *pages) pass(prefix string) string {
	mac := hmac.New(sha256.New, p.key[:])
	mac.Write([]byte(prefix))
	return passMark + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

// serve says what becomes of a request: with a good pass it is answered without that, whichever
// origin it comes from; one by which a browser goes to a page leads to its address with a pass.
// done is false for all others.
func (p *pages) serve(w http.ResponseWriter, req *http.Request, next http.Handler) (done bool) {
	if p == nil {
		return false
	}
	parts := strings.Split(strings.TrimPrefix(req.URL.Path, "/"), "/")
	n := auth.Proxied(parts)
	if n == 0 {
		return false
	}
	pass := p.pass("/" + strings.Join(parts[:n], "/"))
	has := len(parts) > n && strings.HasPrefix(parts[n], passMark)
	h := req.Header
	switch {
	case has && hmac.Equal([]byte(parts[n]), []byte(pass)):
		passed := req.WithContext(auth.WithPagePass(req.Context(), pass))
		passed.URL = withSegment(req.URL, n, true, "")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next.ServeHTTP(w, passed)
	case req.Method == http.MethodGet && h.Get("Sec-Fetch-Mode") == "navigate" && h.Get("Sec-Fetch-Dest") == "document" && (!crossOrigin(req) || followsLink(req)):
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, req, withSegment(req.URL, n, has, pass).String(), http.StatusTemporaryRedirect)
	default:
		return false
	}
	return true
}

// withSegment is the address with a segment of its path, after the first n, inserted or replaced.
// An empty segment inserts nothing.
func withSegment(u *url.URL, n int, replaces bool, segment string) *url.URL {
	change := func(path string) string {
		parts := strings.Split(path, "/") // the first is empty
		at := min(n+1, len(parts))
		if replaces && at < len(parts) {
			parts = slices.Delete(parts, at, at+1)
		}
		if segment != "" {
			parts = slices.Insert(parts, at, segment)
		}
		return strings.Join(parts, "/")
	}
	changed := *u
	changed.Path = change(u.Path)
	if u.RawPath != "" {
		changed.RawPath = change(u.RawPath)
	}
	return &changed
}
