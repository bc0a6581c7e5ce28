package web

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

const (
	// indexName is the page. assetsDir is the directory of the files whose names contain a hash of
	// their content.
	indexName, assetsDir = "index.html", "assets/"

	// immutable lets browsers keep files that never change; with revalidate, they ask each time.
	immutable, revalidate = "public, max-age=31536000, immutable", "no-cache"
)

// app serves the dashboard that Vite has built.
type app struct {
	page  page
	files map[string]*file // all others, by path
}

// newApp reads the build in a directory. It returns fs.ErrNotExist if nothing was built.
func newApp(built fs.FS) (*app, error) {
	page, err := newPage(built, indexName, revalidate, http.StatusOK)
	if err != nil {
		return nil, err
	}
	a := &app{page: page, files: map[string]*file{}}
	err = fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case strings.HasPrefix(path.Base(name), "."): // what the tools keep for themselves
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || name == indexName:
			return nil
		}
		f, err := newFile(built, name)
		a.files[name] = f
		return err
	})
	return a, err
}

// ServeHTTP serves the file at a path. For any other path it serves the page, whose script knows
// the dashboard's addresses. A path below assets without a file is an error, because the browser
// asks for a file of another build.
func (a *app) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !reads(w, req) {
		return
	}
	name := req.URL.Path
	f := a.files[name]
	switch {
	case f != nil:
		f.serve(w, req)
	case strings.HasPrefix(name, assetsDir):
		protect(w.Header())
		http.Error(w, "this file is not part of the dashboard any more, or not yet: load the page again", http.StatusNotFound)
	default:
		a.page.serve(w, req)
	}
}
