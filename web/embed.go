// Package web serves the dashboard. Vite builds it from the sources beside this file, and the build
// is embedded in the program. A program built without Node.js serves a page that says how to build
// the dashboard.
package web

import (
	"embed"
	"io/fs"
	"net/http"
)

// dist holds the build in app, which may be missing, and the page that is served without one.
//
//go:embed all:dist
var dist embed.FS

// Handler serves the dashboard, or the page that says how to build it. Paths are relative to the
// dashboard's address, without a leading slash, as after http.StripPrefix("/ui/", …). It is safe
// for concurrent use.
func Handler() http.Handler {
	if app, err := fs.Sub(dist, "dist/app"); err == nil {
		if built, err := newApp(app); err == nil {
			return built
		}
	}
	return newUnbuilt(dist)
}
