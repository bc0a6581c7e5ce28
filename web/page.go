package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
)

// maxDepth limits how deep below the dashboard's address a page may be. No page is half as deep.
const maxDepth = 16

// page is an HTML document that refers to its files relative to the dashboard's address: Vite
// writes "./assets/…". It is served at many addresses below that, with as many "../" as lead back.
// So it also works below the address of a fork or a proxy.
type page struct {
	text, caching string
	etag          string // of the text as it is
	code          int
}

func newPage(from fs.FS, name, caching string, code int) (page, error) {
	text, err := fs.ReadFile(from, name)
	sum := sha256.Sum256(text)
	return page{string(text), caching, hex.EncodeToString(sum[:12]), code}, err
}

// at returns the page for an address below the dashboard's with that number of slashes.
func (p page) at(depth int) (text []byte, etag string) {
	if depth == 0 {
		return []byte(p.text), `"` + p.etag + `"`
	}
	up := strings.Repeat("../", depth)
	return []byte(strings.ReplaceAll(p.text, `="./`, `="`+up)), fmt.Sprintf(`"%s-%d"`, p.etag, depth)
}

func (p page) serve(w http.ResponseWriter, req *http.Request) {
	depth := strings.Count(req.URL.Path, "/")
	if depth > maxDepth {
		protect(w.Header())
		http.Error(w, "there is no such page", http.StatusNotFound)
		return
	}
	text, etag := p.at(depth)
	if p.code != http.StatusOK {
		etag = ""
	}
	send(w, req, p.code, answer{mediaOf(".html"), p.caching, etag, text})
}
