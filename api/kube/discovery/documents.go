package discovery

import (
	"crypto/sha512"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
)

// Server serves discovery. It is safe for concurrent use.
type Server struct {
	// Catalogue is the current catalogue.
	Catalogue *kind.Catalogue
	// Asked returns the catalogue that a request asks about, and whether it is a past one.
	Asked func(*http.Request) (c *kind.Catalogue, past bool, err error)
	// Fail answers with the Status of an error.
	Fail func(http.ResponseWriter, *http.Request, error)

	// current and past cache the documents of the current catalogue and of the past one that was
	// requested last.
	current, past atomic.Pointer[documents]
}

// documents holds the documents of one catalogue. Each is made on the first request for it.
type documents struct {
	of     *kind.Catalogue
	byPath map[string]func() *document
}

// document is a document in all encodings. aggregate is its aggregated form, which only /api and
// /apis have.
type document struct {
	plain, aggregate encoded
	etag             string
}

func newDocument(plain runtime.Object, aggregate *apidiscovery.APIGroupDiscoveryList) *document {
	d := &document{plain: newEncoded(plain)}
	if aggregate != nil {
		d.aggregate = newEncoded(aggregate)
		d.etag = fmt.Sprintf(`"%X"`, sha512.Sum512(d.aggregate[wire.JSON]))
	}
	return d
}

// newDocuments returns the documents of a catalogue.
func newDocuments(c *kind.Catalogue) *documents {
	d := &documents{of: c, byPath: map[string]func() *document{}}
	groups := groupsOf(c)
	var core, named []group
	for _, g := range groups {
		if g.name == "" {
			core = append(core, g)
		} else {
			named = append(named, g)
		}
	}
	d.byPath["/api"] = sync.OnceValue(func() *document { return newDocument(coreVersions(core), aggregated(core)) })
	d.byPath["/apis"] = sync.OnceValue(func() *document { return newDocument(groupList(named), aggregated(named)) })
	for _, g := range groups {
		if g.name != "" {
			d.byPath["/apis/"+g.name] = sync.OnceValue(func() *document { return newDocument(new(g.legacy()), nil) })
		}
		for _, v := range g.versions {
			if !v.measured {
				d.byPath[route.Root(g.name, v.name)] = sync.OnceValue(func() *document { return newDocument(v.legacy(g.name), nil) })
			}
		}
	}
	return d
}

// asked returns the documents of the catalogue that a request asks about.
func (s *Server) asked(req *http.Request) (*documents, error) {
	c, past, err := s.Asked(req)
	if err != nil {
		return nil, err
	}
	keep := &s.current
	if past {
		if d := s.current.Load(); d != nil && d.of == c {
			return d, nil
		}
		keep = &s.past
	}
	d := keep.Load()
	if d == nil || d.of != c {
		d = newDocuments(c)
		keep.Store(d)
	}
	return d, nil
}

// Defined implements openapi.Defined.
func (s *Server) Defined(w http.ResponseWriter, req *http.Request) (state any, kinds []openapi.Served, ok bool) {
	d, err := s.asked(req)
	if err != nil {
		s.Fail(w, req, err)
		return nil, nil, false
	}
	if d.of == s.Catalogue.Builtin() {
		return d.of, nil, true
	}
	for _, one := range Served(d.of) {
		if one.Custom != nil {
			kinds = append(kinds, one)
		}
	}
	return d.of, kinds, true
}

// discover answers with the document of the request's path.
func (s *Server) discover(w http.ResponseWriter, req *http.Request) error {
	d, err := s.asked(req)
	if err != nil {
		return err
	}
	make := d.byPath[req.URL.Path]
	if make == nil { // it existed a moment ago
		http.NotFound(w, req)
		return nil
	}
	return make().serve(w, req)
}

// ServeDefined serves the document of a group or version that CustomResourceDefinitions have added.
// It returns false if there is none at the path.
func (s *Server) ServeDefined(w http.ResponseWriter, req *http.Request) bool {
	if n := strings.Count(req.URL.Path, "/"); !strings.HasPrefix(req.URL.Path, "/apis/") || n > 3 {
		return false
	}
	d, err := s.asked(req)
	if err != nil {
		s.Fail(w, req, err)
		return true
	}
	make := d.byPath[req.URL.Path]
	switch {
	case make == nil:
		return false
	case req.Method != http.MethodGet && req.Method != http.MethodHead:
		return false
	}
	if err := make().serve(w, req); err != nil {
		s.Fail(w, req, err)
	}
	return true
}

func (d *document) serve(w http.ResponseWriter, req *http.Request) error {
	if d.etag == "" {
		return d.plain.serve(w, req)
	}
	enc, ok := aggregatedIn(req.Header.Get("Accept"))
	if !ok {
		return d.plain.serve(w, req)
	}
	h := w.Header()
	h.Set("Vary", "Accept")
	h.Set("Etag", d.etag)
	h.Set("Cache-Control", "public")
	if req.Header.Get("If-None-Match") == d.etag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	rep := wire.Representation{Encoding: enc, Media: wire.MediaTypes[enc] + aggregatedParams, Gzip: wire.AcceptsGzip(req), Pretty: wire.WantsPretty(req)}
	return wire.WriteDocument(w, rep, http.StatusOK, d.aggregate[enc])
}
