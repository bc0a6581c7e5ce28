package kube

import (
	"net/http"

	"github.com/rowlock/rowlock/api/kube/access"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/registry"
)

// question returns the only route of a review.
func (r *resource) question() route.Route {
	k := r.Kind
	path, scope, schema := route.Root(k.Group, k.Version)+"/", "", route.ModelName(k.New())
	if k.Namespaced {
		path, scope = path+"namespaces/{namespace}/", "Namespaced"
	}
	return route.At(path+k.Plural, route.OperationName(k, scope)).Create("create a "+k.Kind, schema, schema, r.answer)
}

// answer serves POST of a review.
//
// Source: kubernetes v1.36 pkg/registry/authorization/selfsubjectaccessreview/rest.go, Create
func (r *resource) answer(w http.ResponseWriter, req *http.Request) error {
	o := r.Kind.New()
	// no transforms: an answer is not in a list and has no table
	rep, _, err := r.receive(w, req, expected{nil, createOptions, r.Kind.GroupVersionKind()}, o)
	if err != nil {
		return err
	}
	if err := registry.MatchNamespace(o, wire.PathValue(req, "namespace")); err != nil {
		return err
	}
	if err := registry.CheckQuestion(r.Kind, o); err != nil {
		return err
	}
	if err := r.Kind.Answer(o, access.Of(req, r.Authorizer, r.Login, r.Server.Now)); err != nil {
		return err
	}
	o.GetObjectKind().SetGroupVersionKind(r.Kind.GroupVersionKind())
	return wire.WriteValue(w, rep, http.StatusCreated, o)
}
