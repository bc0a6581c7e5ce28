package kube

import (
	"bytes"
	"context"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// requestTimeout bounds every request that is neither a list nor a watch, in real time.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go, requestTimeoutUpperBound
const requestTimeout = 34 * time.Second

// Server serves the Kubernetes API. Its fields do not change after New, but for the latest
// documents, and it is shared by all requests.
type Server struct {
	Deps
	scheme      *runtime.Scheme
	formats     wire.Formats
	frames      *frames
	conversions *wire.Converter
	// discovery is the newest, pastDiscovery the last that was asked for of the past.
	discovery, pastDiscovery atomic.Pointer[discovery]
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
	s := &Server{Deps: d, scheme: wire.NewScheme(d.Catalogue.Builtin()), frames: new(frames), conversions: wire.NewConverter()}
	s.formats = wire.NewFormats(s.scheme)
	return s
}

// resource is one served resource: a kind under one path. The verbs are its methods.
type resource struct {
	*Server
	kind *kind.Kind
	// stored is the kind whose objects are stored: the same as kind unless kind is a view
	// (kind.Conversion).
	stored *kind.Kind
}

func (s *Server) resource(k *kind.Kind) *resource {
	r := &resource{Server: s, kind: k, stored: k}
	if k.Stored != nil {
		r.stored = k.Stored.Kind
	}
	return r
}

// key names the stored object of a request.
func (r *resource) key(namespace, name string) object.Key {
	return object.Key{Resource: r.stored.Resource(), Namespace: namespace, Name: name}
}

// served is the object of a version, in the kind under which it is served. It is shared and must
// not be changed.
func (r *resource) served(v *object.Version) object.Object {
	o := r.object(v)
	if r.kind.Stored != nil {
		o = r.kind.Stored.From(o)
	}
	return o
}

// object is the object of a version, in the kind in which it is stored now. It is shared and must
// not be changed.
func (r *resource) object(v *object.Version) object.Object {
	if c := r.stored.Custom; c != nil {
		return c.Restore(v)
	}
	return v.Object()
}

// asStored says whether the body of a version is what clients of the kind get.
func (r *resource) asStored(v *object.Version) bool {
	c := r.stored.Custom
	return r.kind.Stored == nil && (c == nil || v.Type.Version == r.kind.Version && (v.Revision >= c.Since || v.Revision == 0))
}

// failure attaches the request to an error of the Reader or Writer.
func (r *resource) failure(verb, namespace, name string, err error) error {
	return &Failure{Verb: verb, Resource: r.kind.GroupResource(), Namespace: namespace, Name: name, Err: err}
}

// verb is a handler that leaves its error to the caller; after an error it has written nothing.
type verb func(w http.ResponseWriter, req *http.Request) error

// handler makes a verb into a huma handler that answers with a Status when the verb fails.
func (s *Server) handler(v verb) func(huma.Context) {
	return func(c huma.Context) {
		req, w := humachi.Unwrap(c)
		if err := v(w, req); err != nil {
			s.writeError(w, req, err)
		}
	}
}

// promptBytes is how large a body may be that is read within requestTimeout. A larger one may
// honestly take longer.
const promptBytes = 64 << 10

// withTimeout bounds a verb by requestTimeout, from when a large body has come.
func withTimeout(v verb) verb {
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
