package api

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rowlock/rowlock/api/v1"
)

// dashboardPath is the path of the dashboard, relative to the address of a server or fork.
const dashboardPath = "/ui/"

// dashboard serves the dashboard and redirects browsers there from the root. It needs no login,
// because its files are the same for everyone: its script calls the API, and asks for a token if
// the API requires one. For the same reason, the fork need not exist.
func dashboard(ui, next http.Handler) http.Handler {
	if ui == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		base, rest := splitFork(req.URL.Path)
		page, inside := strings.CutPrefix(rest, dashboardPath)
		switch {
		case !dashboardPage(req) || ambiguous(req):
			next.ServeHTTP(w, req)
		case inside:
			inner, at := *req, *req.URL
			at.Path, at.RawPath = page, ""
			inner.URL = &at
			ui.ServeHTTP(w, &inner)
		default:
			at := url.URL{Path: base + dashboardPath, RawQuery: req.URL.RawQuery}
			w.Header().Set("Vary", "Accept")
			http.Redirect(w, req, at.String(), http.StatusFound)
		}
	})
}

// dashboardPage reports whether a request is for the dashboard or redirects to it: its address
// without the slash, and the root if a person asks for it, with Accept: text/html. At the root,
// programs get the list of paths (registerRoot).
func dashboardPage(req *http.Request) bool {
	_, rest := splitFork(req.URL.Path)
	switch reads := req.Method == http.MethodGet || req.Method == http.MethodHead; {
	case strings.HasPrefix(rest, dashboardPath):
		return true
	case rest+"/" == dashboardPath:
		return reads
	default:
		return reads && (rest == "/" || rest == "") && strings.Contains(req.Header.Get("Accept"), "text/html")
	}
}

// splitFork splits a path into a fork's address, "" for the server itself, and the rest.
func splitFork(path string) (base, rest string) {
	name, forked := strings.CutPrefix(path, v1.ForkPrefix)
	if !forked || name == "" {
		return "", path
	}
	name, _, _ = strings.Cut(name, "/")
	base = v1.ForkPrefix + name
	return base, path[len(base):]
}
