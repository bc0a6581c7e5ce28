package kube

import (
	"net/http"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/registry"
)

// question is the one route of a kind whose objects are questions.
func (r *resource) question() route {
	k := r.kind
	path, scope, schema := root(k.Group, k.Version)+"/", "", modelName(k.New())
	if k.Namespaced {
		path, scope = path+"namespaces/{namespace}/", "Namespaced"
	}
	return route{
		method: http.MethodPost, path: path + k.Plural, verb: "create", name: operationName(k, scope), summary: "create a " + k.Kind,
		query: createQuery, body: schema, answer: schema, serve: r.answer,
	}
}

// answer serves POST of a question.
//
// Source: kubernetes v1.36 pkg/registry/authorization/selfsubjectaccessreview/rest.go, Create
func (r *resource) answer(w http.ResponseWriter, req *http.Request) error {
	o := r.kind.New()
	// an answer is no object of a list: it has no table
	rep, _, err := r.receive(w, req, expected{nil, createOptions, r.kind.GroupVersionKind()}, o)
	if err != nil {
		return err
	}
	if err := registry.MatchNamespace(o, wire.PathValue(req, "namespace")); err != nil {
		return err
	}
	if err := registry.CheckQuestion(r.kind, o); err != nil {
		return err
	}
	if err := r.kind.Answer(o, access{auth.FromContext(req.Context()), r.Authorizer, r.Now, r.reviewer(req.Context())}); err != nil {
		return err
	}
	o.GetObjectKind().SetGroupVersionKind(r.kind.GroupVersionKind())
	return wire.WriteValue(w, rep, http.StatusCreated, o)
}
