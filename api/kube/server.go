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

// requestTimeout bounds every request that is neither a list nor a watch, in real time.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go, requestTimeoutUpperBound
const requestTimeout = 34 * time.Second

// Server serves the Kubernetes API. Its fields do not change after New, and it is shared by
// all requests.
type Server struct {
	Deps
	scheme      *runtime.Scheme
	formats     wire.Formats
	watches     *watching.Sender
	conversions *wire.Converter
	discovery   *discovery.Server
	metrics     *usermetric.Server
}

// New makes a Server over the dependencies. Register mounts it.
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
	s := &Server{Deps: d, scheme: wire.NewScheme(d.Catalogue.Builtin()), watches: &watching.Sender{BookmarkEvery: d.BookmarkEvery, SlowAfter: d.SlowAfter}, conversions: wire.NewConverter()}
	s.formats = wire.NewFormats(s.scheme)
	s.discovery = &discovery.Server{Catalogue: d.Catalogue, Asked: s.asked, Fail: s.writeError}
	s.metrics = &usermetric.Server{Catalogue: d.Catalogue, Reader: d.Reader, Read: d.Read, Now: d.Now}
	return s
}

// resource is one served resource: a kind under one path. The verbs are its methods.
type resource struct {
	*Server
	render.Resource
}

func (s *Server) resource(k *kind.Kind) *resource {
	return &resource{Server: s, Resource: render.New(k, s.conversions, s.Now)}
}

// key names the stored object of a request.
func (r *resource) key(namespace, name string) object.Key {
	return object.Key{Resource: r.Stored.Resource(), Namespace: namespace, Name: name}
}

// failure attaches the request to an error of the Reader or Writer.
func (r *resource) failure(verb, namespace, name string, err error) error {
	return &Failure{Verb: verb, Resource: r.Kind.GroupResource(), Namespace: namespace, Name: name, Err: err}
}

// handler makes a verb into a huma handler that answers with a Status when the verb fails.
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

// promptBytes is how large a body may be that is read within requestTimeout. A larger one may
// honestly take longer.
const promptBytes = 64 << 10

// withTimeout bounds a verb by requestTimeout, from when a large body has come.
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
