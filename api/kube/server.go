package kube

import (
	"bytes"
	"context"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/usermetric"
	"github.com/rowlock/rowlock/api/kube/watching"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// requestTimeout limits every request except lists and watches, in real time.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go, requestTimeoutUpperBound
const requestTimeout = 34 * time.Second

// Server serves the Kubernetes API. Its fields do not change after New, except the latest
// documents. It is safe for concurrent use.
type Server struct {
	Deps
	scheme      *runtime.Scheme
	formats     wire.Formats
	watches     *watching.Sender
	conversions *wire.Converter
	discovery   *discovery.Server
	metrics     *usermetric.Server
	turns       *turns
}

// New returns a Server with these dependencies. Register mounts it.
func New(d Deps) *Server {
	if d.MinWatchTimeout == 0 {
		d.MinWatchTimeout = 30 * time.Minute
	}
	if d.BookmarkEvery == 0 {
		d.BookmarkEvery = time.Minute
	}
	if d.SlowAfter == 0 {
		d.SlowAfter = time.Minute
	}
	if d.Authorizer == nil {
		d.Authorizer = auth.AllowAll
	}
	if d.NewUID == nil {
		d.NewUID = func() types.UID { return types.UID(uuid.NewString()) }
	}
	if d.NameSuffix == nil {
		d.NameSuffix = func() string { return rand.String(5) }
	}
	if d.Jitter == nil {
		d.Jitter = mathrand.Float64
	}
	s := &Server{
		Deps: d, scheme: wire.NewScheme(d.Catalogue.Builtin()),
		watches:     &watching.Sender{BookmarkEvery: d.BookmarkEvery, SlowAfter: d.SlowAfter},
		conversions: wire.NewConverter(), turns: newTurns(),
	}
	s.formats = wire.NewFormats(s.scheme)
	s.discovery = &discovery.Server{Catalogue: d.Catalogue, Asked: s.asked, Fail: s.writeError}
	s.metrics = &usermetric.Server{Catalogue: d.Catalogue, Reader: d.Reader, Read: d.Read, Now: d.Now}
	return s
}

// resource is one served resource: a kind at one path. Its methods are the verbs.
type resource struct {
	*Server
	render.Resource
}

func (s *Server) resource(k *kind.Kind) *resource {
	return &resource{Server: s, Resource: render.New(k, s.conversions, s.Now)}
}

// key returns the key of a request's stored object.
func (r *resource) key(namespace, name string) object.Key {
	return object.Key{Resource: r.Stored.Resource(), Namespace: namespace, Name: name}
}

// failure attaches the request to an error of the Reader or Writer.
func (r *resource) failure(verb, namespace, name string, err error) error {
	return &Failure{Verb: verb, Resource: r.Kind.GroupResource(), Namespace: namespace, Name: name, Err: err}
}

// handler converts a verb to a huma handler that answers with a Status if the verb fails.
func (s *Server) handler(v route.Verb) func(huma.Context) {
	return func(c huma.Context) {
		req, w := humachi.Unwrap(c)
		if err := v(w, req); err != nil {
			s.writeError(w, req, err)
		}
	}
}

// writeError answers with the Status of an error.
func (s *Server) writeError(w http.ResponseWriter, req *http.Request, err error) {
	wire.WriteStatus(w, req, s.Status(err))
}

// promptBytes is the maximum size of a body that must arrive within requestTimeout. A larger one
// may legitimately take longer.
const promptBytes = 64 << 10

// withTimeout limits a verb by requestTimeout, which starts after a large body has arrived.
func withTimeout(v route.Verb) route.Verb {
	return func(w http.ResponseWriter, req *http.Request) error {
		if n := req.ContentLength; n < 0 || n > promptBytes {
			body, err := wire.ReadBody(req)
			if err != nil {
				return err
			}
			whole := *req
			whole.Body, whole.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			req = &whole
		}
		ctx, cancel := context.WithTimeout(req.Context(), requestTimeout)
		defer cancel()
		return v(w, req.WithContext(ctx))
	}
}
