package kube

import (
	"net/http"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// objects is what the paths of objects are answered with, and collections what those of collections
// are.
func (r *resource) objects() *wire.Offer {
	if r.Kind.Custom != nil {
		return wire.CustomTransforms
	}
	return wire.Transforms
}

func (r *resource) collections() *wire.Offer {
	if r.Kind.Custom != nil {
		return wire.CustomListed
	}
	return wire.Listed
}

// objectFormat is the format of a body that is an object of the kind.
func (r *resource) objectFormat(req *http.Request) (wire.Format, error) {
	f, err := r.formats.Of(req)
	if r.Kind.Custom != nil && (err != nil || f.Media == wire.MediaProtobuf) {
		return wire.Format{}, wire.UnsupportedMediaType(wire.CustomTypes)
	}
	return f, err
}

// expected is what a verb expects of a request that brings an object.
type expected struct {
	transforms *wire.Offer                               // what the answer may be; nil for the plain one
	options    func(*http.Request) (writeOptions, error) // reads the query
	kind       schema.GroupVersionKind                   // of the object in the body
}

// receive reads a request that brings an object, which it decodes into into. It returns how to
// answer, and what the query asks for. Nothing of the body is read before it is known that the
// answer can be given and the body understood.
func (r *resource) receive(w http.ResponseWriter, req *http.Request, e expected, into runtime.Object) (wire.Representation, writeOptions, error) {
	rep, err := wire.Negotiate(req, e.transforms)
	if err != nil {
		return wire.Representation{}, writeOptions{}, err
	}
	f, err := r.objectFormat(req)
	if err != nil {
		return wire.Representation{}, writeOptions{}, err
	}
	body, err := wire.ReadBody(req)
	if err != nil {
		return wire.Representation{}, writeOptions{}, err
	}
	opts, err := e.options(req)
	if err != nil {
		return wire.Representation{}, writeOptions{}, err
	}
	if u, ok := into.(*unstructured.Unstructured); ok {
		return rep, opts, r.decodeCustom(w, body, f, opts.fieldValidation, u)
	}
	return rep, opts, wire.Decode(w, body, f, opts.fieldValidation, e.kind, into)
}
