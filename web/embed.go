// Package web is the dashboard: what Vite makes of the sources beside this file is put into the
// program, and served to browsers. A program that was built without Node.js has a page in its place
// that says how to build it.
package web

import (
	"embed"
	"io/fs"
	"net/http"
)

// dist has what Vite built in app, which may be missing, and the page that is there without.
//
//go:embed all:dist
var dist embed.FS

// Handler serves the dashboard, or the page in its place. It takes the path of a request for one
// below the dashboard's own address, without a slash before it, as http.StripPrefix("/ui/", …)
// leaves it. It is safe for concurrent use.
func Handler() http.Handler {
	if app, err := fs.Sub(dist, "dist/app"); err == nil {
		if built, err := newApp(app); err == nil {
			return built
		}
	}
	return newUnbuilt(dist)
}
