package kube

import (
	"net/http"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// expected is what a verb expects of a request that brings an object.
type expected struct {
	transforms *offer                                    // what the answer may be; nil for the plain one
	options    func(*http.Request) (writeOptions, error) // reads the query
	kind       schema.GroupVersionKind                   // of the object in the body
}

// receive reads a request that brings an object, which it decodes into into. It returns how to
// answer, and what the query asks for. Nothing of the body is read before it is known that the
// answer can be given and the body understood.
func (r *resource) receive(w http.ResponseWriter, req *http.Request, e expected, into runtime.Object) (representation, writeOptions, error) {
	rep, err := negotiate(req, e.transforms)
	if err != nil {
		return representation{}, writeOptions{}, err
	}
	f, err := r.objectFormat(req)
	if err != nil {
		return representation{}, writeOptions{}, err
	}
	body, err := readBody(req)
	if err != nil {
		return representation{}, writeOptions{}, err
	}
	opts, err := e.options(req)
	if err != nil {
		return representation{}, writeOptions{}, err
	}
	if u, ok := into.(*unstructured.Unstructured); ok {
		return rep, opts, r.decodeCustom(w, body, f, opts.fieldValidation, u)
	}
	return rep, opts, decode(w, body, f, opts.fieldValidation, e.kind, into)
}
