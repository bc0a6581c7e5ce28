package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// file is a file of the dashboard. It is safe for concurrent use.
type file struct {
	fs                         fs.FS
	name, media, caching, etag string // no etag for what never changes

	once   sync.Once
	zipped []byte // nil for what does not get smaller
	err    error
}

// medias maps the extensions of Vite's files to media types. The system's own table could differ.
var medias = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp", ".woff2": "font/woff2",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
}

func mediaOf(name string) string {
	if media := medias[path.Ext(name)]; media != "" {
		return media
	}
	return "application/octet-stream"
}

// newFile makes a file of the build. Its path determines whether it never changes.
func newFile(from fs.FS, name string) (*file, error) {
	f := &file{fs: from, name: name, media: mediaOf(name), caching: immutable}
	if strings.HasPrefix(name, assetsDir) {
		return f, nil
	}
	text, err := fs.ReadFile(from, name)
	sum := sha256.Sum256(text)
	f.caching, f.etag = revalidate, `"`+hex.EncodeToString(sum[:12])+`"`
	return f, err
}

// serve sends the file, compressed if the client accepts that and it is worth it.
func (f *file) serve(w http.ResponseWriter, req *http.Request) {
	body, err := f.body(w.Header(), acceptsGzip(req))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError) // an embedded file can be read: this does not happen
		return
	}
	send(w, req, http.StatusOK, answer{f.media, f.caching, f.etag, body})
}

// answer is the answer to a request. An empty etag sends none.
type answer struct {
	media, caching, etag string
	body                 []byte
}

// send sends the answer. It omits the body if the client already has it.
func send(w http.ResponseWriter, req *http.Request, code int, a answer) {
	h := w.Header()
	protect(h)
	h.Set("Content-Type", a.media)
	h.Set("Cache-Control", a.caching)
	if a.etag != "" {
		h.Set("Etag", a.etag)
		if strings.Contains(req.Header.Get("If-None-Match"), a.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(code)
	if req.Method != http.MethodHead {
		_, _ = w.Write(a.body) // the client is gone
	}
}

// body returns the bytes to send, and sets the header that describes them. Only files that never
// change are compressed, once; the others are small, and have one etag for one form.
func (f *file) body(h http.Header, zip bool) ([]byte, error) {
	if f.caching != immutable || !compressible(f.media) {
		return fs.ReadFile(f.fs, f.name)
	}
	h.Set("Vary", "Accept-Encoding")
	if !zip {
		return fs.ReadFile(f.fs, f.name)
	}
	f.once.Do(func() {
		text, err := fs.ReadFile(f.fs, f.name)
		if err != nil {
			f.err = err
			return
		}
		f.zipped, f.err = compressed(text)
	})
	if f.err == nil {
		h.Set("Content-Encoding", "gzip")
	}
	return f.zipped, f.err
}

func compressible(media string) bool {
	return strings.HasPrefix(media, "text/") || strings.HasPrefix(media, "application/") && media != "application/octet-stream" || media == "image/svg+xml"
}

func compressed(text []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	err = z.Close()
	return bytes.Clone(out.Bytes()), err
}

// acceptsGzip reports whether the client accepts gzip. "gzip;q=0" refuses it.
func acceptsGzip(req *http.Request) bool {
	for coding := range strings.SplitSeq(strings.Join(req.Header.Values("Accept-Encoding"), ","), ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}
