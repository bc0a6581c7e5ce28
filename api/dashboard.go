package api

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rowlock/rowlock/api/v1"
)

// dashboardPath is where the dashboard is, below the address of a server or of a fork.
const dashboardPath = "/ui/"

// dashboard serves the dashboard, and sends browsers that come to the front door there. Nobody is
// asked who they are, because it is the same files for all: its script asks the API, and for a
// token if the API does. For that reason a fork need not be there either.
func dashboard(ui, next http.Handler) http.Handler {
	if ui == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		base, rest := splitFork(req.URL.Path)
		page, inside := strings.CutPrefix(rest, dashboardPath)
		switch {
		case !dashboardPage(req) || crooked(req):
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

// dashboardPage says whether a request is for the dashboard, or for what leads there: its address
// without the slash, and the root where a person asks, who wants HTML. Programs find the list of
// paths at the root (registerRoot).
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

// splitFork splits a path into a fork's address, which is "" for the server itself, and the rest.
func splitFork(path string) (base, rest string) {
	name, forked := strings.CutPrefix(path, v1.ForkPrefix)
	if !forked || name == "" {
		return "", path
	}
	name, _, _ = strings.Cut(name, "/")
	base = v1.ForkPrefix + name
	return base, path[len(base):]
}
