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

// pages lets a page that a Pod serves through a proxy load its own parts: style sheets, scripts,
// images. Such a page has an origin of its own, so a browser sends these requests like those of any
// foreign page, without a referrer. Therefore the page's address gets a pass, a secret path segment
// after "proxy". Relative links, and links that the proxy rewrites, keep it. A pass is valid for
// one port of one Pod, Service or node, until the process ends.
//
// Only servers without a login use it: they serve only this machine, so no stranger can get a pass
// and use it on a page of their own. It is safe for concurrent use. A nil *pages gives no passes.
type pages struct{ key [32]byte }

// passMark is the prefix of a pass.
const passMark = "~page-"

func newPages() *pages {
	p := &pages{}
	_, _ = rand.Read(p.key[:]) // never fails
	return p
}

// pass returns the pass for the target of a proxy's path.
func (p *pages) pass(prefix string) string {
	mac := hmac.New(sha256.New, p.key[:])
	mac.Write([]byte(prefix))
	return passMark + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

// serve handles requests that involve passes. A request with a valid pass is served without it,
// whatever its origin. A request with which a browser opens a page is redirected to the address
// with a pass. done is false for all others.
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

// withSegment returns the address with a path segment inserted or replaced after the first n. An
// empty segment inserts nothing.
func withSegment(u *url.URL, n int, replaces bool, segment string) *url.URL {
	change := func(path string) string {
		parts := strings.Split(path, "/") // the first one is empty
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
