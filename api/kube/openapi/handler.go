package openapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/handler3"
)

// handler serves the documents. Those of v2 and v3 are built separately, because few clients need
// both.
type handler struct {
	v2 func() (*document, error)
	v3 func() (*documents, error)
}

// documents holds the documents of OpenAPI 3.0: their index, and each by its path below
// /openapi/v3/.
type documents struct {
	index  *document
	byPath map[string]*listed
}

// listed is a document in the index. Clients read one or two of the thirty, so only its hash is
// kept until one requests it.
type listed struct {
	etag string
	read func() (*document, error) // renders it again, at most once
}

// Handler serves /openapi/v2, /openapi/v3 and the documents below /openapi/v3/ for the given
// resources, in JSON and in the protobuf forms that kubectl asks for, with ETags. It answers errors
// with a Status: 404 for a group and version that is not served, 405, 406, and 500 when the
// resources cannot be documented (an unknown verb, or a group without generated definitions). The
// documents are built when they are first asked for.
//
// The caller must not modify kinds afterwards. The handler is safe for concurrent use.
//
// Source: kubernetes kube-openapi pkg/handler3/handler.go, OpenAPIService
func Handler(kinds []Served) http.Handler {
	return HandlerOf(kinds, func() (map[string]string, error) { return ETags(kinds) })
}

// HandlerOf is Handler for kinds whose ETags are known, which saves rendering all documents of
// OpenAPI 3.0 for their index. etags returns what ETags would; it is called when they are first
// needed.
func HandlerOf(kinds []Served, etags func() (map[string]string, error)) http.Handler {
	return &handler{
		v2: sync.OnceValues(func() (*document, error) {
			rendered, err := buildV2(kinds)
			if err != nil {
				return nil, err
			}
			return newDocument(rendered, protobufV2)
		}),
		v3: sync.OnceValues(func() (*documents, error) {
			known, err := etags()
			if err != nil {
				return nil, err
			}
			return newDocuments(kinds, known)
		}),
	}
}

// ETags renders the documents of OpenAPI 3.0 for these kinds, and returns the ETag of each by its
// path below /openapi/v3/, as HandlerOf takes them.
func ETags(kinds []Served) (map[string]string, error) {
	b, err := newBuilderV3(kinds)
	if err != nil {
		return nil, err
	}
	all := make(map[string]string, len(b.routes))
	for path := range b.routes {
		rendered, err := b.render(path)
		if err != nil {
			return nil, err
		}
		all[path] = etagOf(rendered)
	}
	return all, nil
}

// newDocuments returns the documents with these ETags.
func newDocuments(kinds []Served, etags map[string]string) (all *documents, err error) {
	all = &documents{byPath: make(map[string]*listed, len(etags))}
	for path, etag := range etags {
		all.byPath[path] = newListed(kinds, path, etag)
	}
	all.index, err = all.indexAt("")
	return all, err
}

// newListed returns the document of a path.
func newListed(kinds []Served, path, etag string) *listed {
	return &listed{etag: etag, read: sync.OnceValues(func() (*document, error) { return renderV3(kinds, path) })}
}

// indexAt returns the index. Its URLs select a past revision with the parameters that exactly
// returns; "" means the current one.
func (d *documents) indexAt(exactly string) (*document, error) {
	index := handler3.OpenAPIV3Discovery{Paths: make(map[string]handler3.OpenAPIV3DiscoveryGroupVersion, len(d.byPath))}
	for path, l := range d.byPath {
		index.Paths[path] = handler3.OpenAPIV3DiscoveryGroupVersion{ServerRelativeURL: hashedURL(path, l) + exactly}
	}
	encoded, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	return newDocument(encoded, nil) // it has no protobuf form: see typesIndex
}

// exactly returns the parameters of a request that select a past revision, to append to a URL; ""
// for the current one.
func exactly(r *http.Request) string {
	if !strings.Contains(r.URL.RawQuery, "resourceVersion=") {
		return ""
	}
	query := r.URL.Query()
	if query.Get("resourceVersionMatch") != string(metav1.ResourceVersionMatchExact) {
		return ""
	}
	return "&resourceVersion=" + url.QueryEscape(query.Get("resourceVersion")) + "&resourceVersionMatch=" + string(metav1.ResourceVersionMatchExact)
}

// renderV3 renders one document.
func renderV3(kinds []Served, path string) (*document, error) {
	b, err := newBuilderV3(kinds)
	if err != nil {
		return nil, err
	}
	rendered, err := b.render(path)
	if err != nil {
		return nil, err
	}
	return newDocument(rendered, protobufV3)
}

// hashedURL returns the URL of a document that may be cached for ever.
func hashedURL(path string, d *listed) string {
	return "/openapi/v3/" + path + "?hash=" + url.QueryEscape(d.etag)
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		writeError(w, r, http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path == "/openapi/v2" {
		d, err := h.v2()
		if err != nil {
			writeStatus(w, apierrors.NewInternalError(err))
			return
		}
		serve(w, r, d, typesV2)
		return
	}
	path, below := strings.CutPrefix(r.URL.Path, "/openapi/v3/")
	if !below && r.URL.Path != "/openapi/v3" {
		writeError(w, r, http.StatusNotFound)
		return
	}
	all, err := h.v3()
	if err != nil {
		writeStatus(w, apierrors.NewInternalError(err))
		return
	}
	at := exactly(r)
	if below {
		serveV3(w, r, all.byPath[path], path, at)
		return
	}
	index := all.index
	if at != "" {
		if index, err = all.indexAt(at); err != nil {
			writeStatus(w, apierrors.NewInternalError(err))
			return
		}
	}
	serve(w, r, index, typesIndex)
}

// serveV3 serves one document of OpenAPI 3.0. With the hash from the index, clients may cache it
// for ever; an outdated hash redirects to the current document, or to that of the revision in at.
func serveV3(w http.ResponseWriter, r *http.Request, l *listed, path, at string) {
	if l == nil {
		writeError(w, r, http.StatusNotFound)
		return
	}
	hash := r.URL.Query().Get("hash")
	if hash != "" && hash != l.etag {
		http.Redirect(w, r, hashedURL(path, l)+at, http.StatusMovedPermanently)
		return
	}
	d, err := l.read()
	if err != nil {
		writeStatus(w, apierrors.NewInternalError(err))
		return
	}
	if hash != "" {
		w.Header().Set("Cache-Control", "public, immutable, max-age=31536000")
	}
	serve(w, r, d, typesV3)
}

func writeError(w http.ResponseWriter, r *http.Request, code int) {
	writeStatus(w, apierrors.NewGenericServerResponse(code, strings.ToLower(r.Method), schema.GroupResource{}, "", "", 0, false))
}

func writeStatus(w http.ResponseWriter, err *apierrors.StatusError) {
	status := err.ErrStatus
	status.Kind, status.APIVersion = "Status", "v1"
	b, marshalErr := json.Marshal(status)
	if marshalErr != nil {
		panic(fmt.Sprintf("openapi: a Status does not encode: %v", marshalErr))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_, _ = w.Write(b) // best effort: the client may have disconnected
}
