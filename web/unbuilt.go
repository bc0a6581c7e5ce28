package web

import (
	"io/fs"
	"net/http"
)

// unbuilt is served in place of a dashboard that was not built.
type unbuilt struct {
	page  page
	style *file
}

func newUnbuilt(dist fs.FS) unbuilt {
	page, err := newPage(dist, "dist/unbuilt.html", "no-store", http.StatusNotFound)
	if err != nil {
		panic("web: " + err.Error()) // it is embedded
	}
	return unbuilt{page, &file{fs: dist, name: "dist/unbuilt.css", media: mediaOf(".css"), caching: "no-store"}}
}

// ServeHTTP answers every path with the page and 404, so that programs can tell that there is no
// dashboard.
func (u unbuilt) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case !reads(w, req):
	case req.URL.Path == "unbuilt.css":
		u.style.serve(w, req)
	default:
		u.page.serve(w, req)
	}
}
