package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
)

// maxDepth is how deep below the dashboard's address a page may be; none is half as deep.
const maxDepth = 16

// page is an HTML document that names its files relative to the dashboard's address: Vite writes
// "./assets/…". It is shown at many addresses below that, also below a fork's or a proxy's, so it
// is served with as many "../" as lead back.
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

// at is the page for an address below the dashboard's, by the number of slashes in it.
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
