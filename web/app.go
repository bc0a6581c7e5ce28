package web

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

const (
	// indexName is the page, assetsDir where the files are whose names change with what is in them.
	indexName, assetsDir = "index.html", "assets/"

	// immutable lets browsers keep what never changes under its name; revalidate has them ask each
	// time.
	immutable, revalidate = "public, max-age=31536000, immutable", "no-cache"
)

// app is the dashboard as Vite built it.
type app struct {
	page  page
	files map[string]*file // all others, by path
}

// newApp takes what is built in a folder. It returns fs.ErrNotExist if nothing is.
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

// ServeHTTP serves the file of that name. Every other path is an address within the dashboard, for
// which the page has the script look; but not below assets, where a file that is asked for and
// missing belongs to another build.
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
