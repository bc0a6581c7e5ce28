package kube

import (
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/store"
)

// discovery is what is served by one value of the catalogue: a document for each path. The
// documents are made when somebody asks.
type discovery struct {
	of        *kind.Catalogue
	documents map[string]func() *document // by path
}

// document is a value in its encodings, and in its aggregated form for clients that ask for that;
// aggregate is empty where there is none.
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

// newDiscovery is the discovery of a value of the catalogue.
func newDiscovery(c *kind.Catalogue) *discovery {
	d := &discovery{of: c, documents: map[string]func() *document{}}
	groups := groupsOf(c)
	var core, named []group
	for _, g := range groups {
		if g.name == "" {
			core = append(core, g)
		} else {
			named = append(named, g)
		}
	}
	d.documents["/api"] = sync.OnceValue(func() *document { return newDocument(coreVersions(core), aggregated(core)) })
	d.documents["/apis"] = sync.OnceValue(func() *document { return newDocument(groupList(named), aggregated(named)) })
	for _, g := range groups {
		if g.name != "" {
			d.documents["/apis/"+g.name] = sync.OnceValue(func() *document { return newDocument(new(g.legacy()), nil) })
		}
		for _, v := range g.versions {
			if !v.measured {
				d.documents[root(g.name, v.name)] = sync.OnceValue(func() *document { return newDocument(v.legacy(g.name), nil) })
			}
		}
	}
	return d
}

// freshDiscovery is how long a request for discovery waits for what other replicas have committed.
// Afterwards it is answered with what is known, as it would be if the request had come a moment
// earlier.
const freshDiscovery = 500 * time.Millisecond

// discovered is the discovery of now.
func (s *Server) discovered(ctx context.Context) *discovery {
	if s.Reader != nil {
		ctx, cancel := context.WithTimeout(ctx, freshDiscovery)
		defer cancel()
		_ = s.Reader.Fresh(ctx) // see freshDiscovery
	}
	now := s.Catalogue.Value()
	d := s.discovery.Load()
	if d == nil || d.of != now {
		d = newDiscovery(now)
		s.discovery.Store(d)
	}
	return d
}

// discoveredFor is the discovery that a request asks for: the current one, or with an exact
// resourceVersion the one at that revision.
func (s *Server) discoveredFor(req *http.Request) (*discovery, error) {
	if !strings.Contains(req.URL.RawQuery, "resourceVersion=") {
		return s.discovered(req.Context()), nil
	}
	opts, err := listOptions(req)
	if err != nil {
		return nil, err
	}
	at, err := wire.ParseRevision(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if opts.ResourceVersionMatch != metav1.ResourceVersionMatchExact || s.Reader == nil {
		return s.discovered(req.Context()), nil
	}
	r := s.resource(apiextensions.CustomResourceDefinition)
	c, err := s.catalogueAt(req.Context(), at)
	switch {
	case errors.Is(err, store.ErrFuture):
		return nil, tooLargeRevision(at, r.Reader.List(r.stored.Resource(), "").Revision(), 0)
	case err != nil:
		return nil, r.failure("list", "", "", err)
	}
	for _, d := range []*discovery{s.discovery.Load(), s.pastDiscovery.Load()} {
		if d != nil && d.of == c {
			return d, nil
		}
	}
	d := newDiscovery(c)
	s.pastDiscovery.Store(d)
	return d, nil
}

// Defined implements openapi.Defined.
func (s *Server) Defined(w http.ResponseWriter, req *http.Request) (state any, kinds []openapi.Served, ok bool) {
	d, err := s.discoveredFor(req)
	if err != nil {
		s.writeError(w, req, err)
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
	d, err := s.discoveredFor(req)
	if err != nil {
		return err
	}
	make := d.documents[req.URL.Path]
	if make == nil { // there was a moment ago
		http.NotFound(w, req)
		return nil
	}
	return make().serve(w, req)
}

// discoverCustom answers where a CustomResourceDefinition has a group or a version served; false
// where none has.
func (s *Server) discoverCustom(w http.ResponseWriter, req *http.Request) bool {
	if n := strings.Count(req.URL.Path, "/"); !strings.HasPrefix(req.URL.Path, "/apis/") || n > 3 || s.Reader == nil {
		return false
	}
	d, err := s.discoveredFor(req)
	if err != nil {
		s.writeError(w, req, err)
		return true
	}
	make := d.documents[req.URL.Path]
	switch {
	case make == nil:
		return false
	case req.Method != http.MethodGet && req.Method != http.MethodHead:
		return false
	}
	if err := make().serve(w, req); err != nil {
		s.writeError(w, req, err)
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
