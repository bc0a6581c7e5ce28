package kube

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// pastOf returns the catalogue at the revision that a list of custom resources reads; nil for the
// current one.
func (s *Server) pastOf(req *http.Request, about customPath) *kind.Catalogue {
	query := req.URL.RawQuery
	if req.Method != http.MethodGet || about.name != "" || !strings.Contains(query, "resourceVersion=") && !strings.Contains(query, "continue=") {
		return nil
	}
	opts, err := collection.Options(req)
	if err != nil || opts.Watch {
		return nil // the list reports the error
	}
	at, err := wire.ParseRevision(opts.ResourceVersion)
	if err != nil {
		return nil // as above
	}
	if opts.Continue != "" {
		token, err := collection.ParseContinue(opts.Continue)
		if err != nil {
			return nil // as above
		}
		at = token.Revision
	}
	if !collection.Exact(opts, at) || at <= 0 {
		return nil
	}
	c, _ := s.catalogueAt(req.Context(), at) // if the revision cannot be read, the list reports it
	return c
}

// freshDiscovery is how long a discovery request waits for what other replicas have committed.
// Afterwards it returns what is known, as if it had been sent a moment earlier.
const freshDiscovery = 500 * time.Millisecond

// Defined implements openapi.Defined.
func (s *Server) Defined(w http.ResponseWriter, req *http.Request) (state any, kinds []openapi.Served, ok bool) {
	return s.discovery.Defined(w, req)
}

// asked returns the catalogue that a discovery request asks about: the current one or, with an
// exact resourceVersion, the one at that revision. past tells which.
func (s *Server) asked(req *http.Request) (c *kind.Catalogue, past bool, err error) {
	if !strings.Contains(req.URL.RawQuery, "resourceVersion=") {
		return s.catalogue(req.Context()), false, nil
	}
	opts, err := collection.Options(req)
	if err != nil {
		return nil, false, err
	}
	at, err := wire.ParseRevision(opts.ResourceVersion)
	if err != nil {
		return nil, false, err
	}
	if opts.ResourceVersionMatch != metav1.ResourceVersionMatchExact || s.Reader == nil {
		return s.catalogue(req.Context()), false, nil
	}
	r := s.resource(apiextensions.CustomResourceDefinition)
	c, err = s.catalogueAt(req.Context(), at)
	switch {
	case errors.Is(err, store.ErrFuture):
		return nil, false, tooLargeRevision(at, r.Reader.List(r.Stored.Resource(), "").Revision(), 0)
	case err != nil:
		return nil, false, r.failure("list", "", "", err)
	}
	return c, true, nil
}

// catalogue returns the current catalogue.
func (s *Server) catalogue(ctx context.Context) *kind.Catalogue {
	if s.Reader != nil {
		ctx, cancel := context.WithTimeout(ctx, freshDiscovery)
		defer cancel()
		_ = s.Reader.Fresh(ctx) // see freshDiscovery
	}
	return s.Catalogue.Value()
}

// catalogueAt returns the catalogue at a revision. Errors: store.ErrCompacted, store.ErrFuture, and
// those of reading the log.
func (s *Server) catalogueAt(ctx context.Context, at object.Revision) (*kind.Catalogue, error) {
	if s.Past == nil {
		return s.Catalogue.Value(), nil
	}
	return s.Past(ctx, at)
}
