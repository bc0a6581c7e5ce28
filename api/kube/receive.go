package kube

import (
	"net/http"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// objects returns the formats of answers about one object, collections those about collections.
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

// objectFormat returns the format of a body with an object of the kind.
func (r *resource) objectFormat(req *http.Request) (wire.Format, error) {
	f, err := r.formats.Of(req)
	if r.Kind.Custom != nil && (err != nil || f.Media == wire.MediaProtobuf) {
		return wire.Format{}, wire.UnsupportedMediaType(wire.CustomTypes)
	}
	return f, err
}

// expected describes the requests of a verb that sends an object.
type expected struct {
	transforms *wire.Offer                               // formats of the answer; nil for the plain one
	options    func(*http.Request) (writeOptions, error) // reads the query
	kind       schema.GroupVersionKind                   // kind of the object in the body
}

// receive reads a request with an object and decodes the object into into. It returns the format of
// the answer and the options. It reads the body only after it has checked that it supports both
// formats.
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
