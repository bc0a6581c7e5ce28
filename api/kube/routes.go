package kube

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rowlock/rowlock/api/kube/access"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
)

// Register mounts every path of the Kubernetes API on the huma API.
func (s *Server) Register(api huma.API) {
	for _, k := range s.Catalogue.Builtin().All() {
		for _, r := range s.resource(k).routes() {
			r.Serve = deprecated(k, r.Serve)
			s.mount(api, r)
		}
	}
	for _, r := range slices.Concat(s.discovery.Routes(), s.metrics.Routes(), access.IssuerRoutes(s.Login)) {
		s.mount(api, r)
	}
}

// deprecated adds the warning of a deprecated kind, whatever the request and its outcome.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/installer.go, registerResourceHandlers
func deprecated(k *kind.Kind, serve route.Verb) route.Verb {
	if k.Deprecated == "" {
		return serve
	}
	return func(w http.ResponseWriter, req *http.Request) error {
		// A built-in kind rejects a patch of an unknown type earlier, without the warning.
		if k.Custom != nil || req.Method != http.MethodPatch || patchType(req) != "" {
			wire.AddWarning(w, k.Deprecated)
		}
		return serve(w, req)
	}
}

// mount registers one route.
func (s *Server) mount(api huma.API, r route.Route) {
	op := r.Operation()
	id := op.OperationID
	// Huma compares each new operation ID with all others, which is slow for a thousand; a test
	// does it once.
	op.OperationID = ""
	api.OpenAPI().AddOperation(op)
	op.OperationID = id
	at := *op
	if r.Rest {
		at.Path = strings.TrimSuffix(op.Path, "{path}") + "*"
	}
	api.Adapter().Handle(&at, s.handler(route.InTime(r)))
}

// routes lists the paths of one resource.
func (r *resource) routes() []route.Route {
	k := r.Kind
	switch {
	case k.Answer != nil:
		return []route.Route{r.question()}
	case k.Derived != nil:
		return r.derivedRoutes()
	}
	about := route.OperationName(k, "")
	base := route.Root(k.Group, k.Version)
	collection, scope := base+"/"+k.Plural, ""
	var out []route.Route
	if k.Namespaced {
		scope = "Namespaced"
		out = append(out,
			route.Route{Method: http.MethodGet, Path: collection, Verb: "list", Name: about + "ForAllNamespaces", Summary: "list or watch objects of kind " + k.Kind, Query: route.ListQuery, Answer: route.ListSchema(k), Serve: r.listOrWatch},
			route.Route{Method: http.MethodGet, Path: base + "/watch/" + k.Plural, Verb: "watch", Name: about + "ListForAllNamespaces", Summary: "watch objects of kind " + k.Kind + "; deprecated, list with watch instead", Query: route.ListQuery, Answer: route.WatchEventSchema, Serve: r.watchAll},
		)
		collection = base + "/namespaces/{namespace}/" + k.Plural
	}
	about = route.OperationName(k, scope)
	watched := base + "/watch" + collection[len(base):]
	object, schema := collection+"/{name}", route.ModelName(k.New())
	out = append(out,
		route.Route{Method: http.MethodGet, Path: collection, Verb: "list", Name: about, Summary: "list or watch objects of kind " + k.Kind, Query: route.ListQuery, Answer: route.ListSchema(k), Serve: r.listOrWatch},
		route.Route{Method: http.MethodPost, Path: collection, Verb: "create", Name: about, Summary: "create a " + k.Kind, Query: route.CreateQuery, Body: schema, Answer: schema, Serve: withTimeout(r.create)},
		route.Route{Method: http.MethodDelete, Path: collection, Verb: "deleteCollection", Name: about, Summary: "delete a collection of " + k.Kind, Query: route.DeleteCollectionQuery, Body: route.DeleteOptionsSchema, Answer: route.ListSchema(k), Serve: r.deleteCollection},
		route.Route{Method: http.MethodGet, Path: object, Verb: "read", Name: about, Summary: "read the specified " + k.Kind, Query: route.GetQuery, Answer: schema, Serve: r.get},
		route.Route{Method: http.MethodPut, Path: object, Verb: "replace", Name: about, Summary: "replace the specified " + k.Kind, Query: route.CreateQuery, Body: schema, Answer: schema, Serve: withTimeout(r.update(nil))},
		route.Route{Method: http.MethodPatch, Path: object, Verb: "patch", Name: about, Summary: "partially update the specified " + k.Kind, Query: route.PatchQuery, Patch: true, Answer: schema, Serve: withTimeout(r.patch(nil))},
		route.Route{Method: http.MethodDelete, Path: object, Verb: "delete", Name: about, Summary: "delete a " + k.Kind, Query: route.DeleteQuery, Body: route.DeleteOptionsSchema, Answer: route.StatusSchema, Serve: withTimeout(r.delete)},
		route.Route{Method: http.MethodGet, Path: watched, Verb: "watch", Name: about + "List", Summary: "watch objects of kind " + k.Kind + "; deprecated, list with watch instead", Query: route.ListQuery, Answer: route.WatchEventSchema, Serve: r.watchAll},
		route.Route{Method: http.MethodGet, Path: watched + "/{name}", Verb: "watch", Name: about, Summary: "watch one object of kind " + k.Kind + "; deprecated, list with watch and a fieldSelector instead", Query: route.ListQuery, Answer: route.WatchEventSchema, Serve: r.watchAll},
	)
	if k.OneByOne {
		out = slices.DeleteFunc(out, func(r route.Route) bool { return r.Verb == "deleteCollection" })
	}
	return append(out, r.subresourceRoutes(object, about, schema)...)
}

// subresourceRoutes lists the paths below an object.
func (r *resource) subresourceRoutes(object, about, schema string) []route.Route {
	k := r.Kind
	var out []route.Route
	if sub := k.Status; sub != nil {
		out = append(out,
			route.Route{Method: http.MethodGet, Path: object + "/status", Verb: "read", Name: about + "Status", Summary: "read status of the specified " + k.Kind, Query: route.GetQuery, Answer: schema, Serve: r.get},
			route.Route{Method: http.MethodPut, Path: object + "/status", Verb: "replace", Name: about + "Status", Summary: "replace status of the specified " + k.Kind, Query: route.CreateQuery, Body: schema, Answer: schema, Serve: withTimeout(r.update(sub))},
			route.Route{Method: http.MethodPatch, Path: object + "/status", Verb: "patch", Name: about + "Status", Summary: "partially update status of the specified " + k.Kind, Query: route.PatchQuery, Patch: true, Answer: schema, Serve: withTimeout(r.patch(sub))},
		)
	}
	if k.Scale != nil {
		out = append(out,
			route.Route{Method: http.MethodGet, Path: object + "/scale", Verb: "read", Name: about + "Scale", Summary: "read scale of the specified " + k.Kind, Query: route.GetQuery, Answer: route.ScaleSchema, Serve: r.getScale},
			route.Route{Method: http.MethodPut, Path: object + "/scale", Verb: "replace", Name: about + "Scale", Summary: "replace scale of the specified " + k.Kind, Query: route.CreateQuery, Body: route.ScaleSchema, Answer: route.ScaleSchema, Serve: withTimeout(r.updateScale)},
			route.Route{Method: http.MethodPatch, Path: object + "/scale", Verb: "patch", Name: about + "Scale", Summary: "partially update scale of the specified " + k.Kind, Query: route.PatchQuery, Patch: true, Answer: route.ScaleSchema, Serve: withTimeout(r.patchScale)},
		)
	}
	for _, name := range slices.Sorted(maps.Keys(k.Subresources)) {
		out = append(out, r.furtherRoutes(object+"/"+name, about+route.Title(name), name, schema)...)
	}
	if route.HasProxy(k.Resource()) {
		out = append(out, r.proxyRoutes(object, about)...)
	}
	if k.Resource() == "serviceaccounts" {
		out = append(out, route.Route{Method: http.MethodPost, Path: object + "/token", Verb: "create", Name: about + "Token", Summary: "create token of a ServiceAccount", Query: route.CreateQuery, Body: route.TokenRequestSchema, Answer: route.TokenRequestSchema, Serve: withTimeout(r.requestToken)})
	}
	if k.Resource() == "pods" {
		inside := r.reaching()
		bindings := route.Root(k.Group, k.Version) + "/namespaces/{namespace}/bindings"
		out = append(out,
			route.Route{Method: http.MethodPost, Path: object + "/binding", Verb: "create", Name: about + "Binding", Summary: "create binding of a Pod", Query: route.CreateQuery, Body: route.BindingSchema, Answer: route.StatusSchema, Serve: withTimeout(r.bind)},
			route.Route{Method: http.MethodPost, Path: bindings, Verb: "create", Name: route.OperationName(&kind.Kind{Type: route.BindingType}, "Namespaced"), Summary: "create a Binding", Query: route.CreateQuery, Body: route.BindingSchema, Answer: route.StatusSchema, Serve: withTimeout(r.bind)},
			route.Route{Method: http.MethodPost, Path: object + "/eviction", Verb: "create", Name: about + "Eviction", Summary: "create eviction of a Pod", Query: route.CreateQuery, Body: route.EvictionSchema, Answer: route.StatusSchema, Serve: withTimeout(r.evict)},
			route.Route{Method: http.MethodGet, Path: object + "/portforward", Verb: "connectGet", Name: about + "Portforward", Summary: "connect GET requests to portforward of Pod", Query: []string{"ports"}, Any: true, Serve: inside.Forward},
			route.Route{Method: http.MethodPost, Path: object + "/portforward", Verb: "connectPost", Name: about + "Portforward", Summary: "connect POST requests to portforward of Pod", Query: []string{"ports"}, Any: true, Serve: inside.Forward},
			route.Route{Method: http.MethodGet, Path: object + "/log", Verb: "read", Name: about + "Log", Summary: "read log of the specified Pod", Query: connect.LogQuery, Text: true, Serve: inside.Log},
		)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			verb := "connect" + route.Title(strings.ToLower(method))
			out = append(out,
				route.Route{Method: method, Path: object + "/attach", Verb: verb, Name: about + "Attach", Summary: "connect " + method + " requests to attach of Pod", Query: connect.AttachQuery, Any: true, Serve: inside.Attach},
				route.Route{Method: method, Path: object + "/exec", Verb: verb, Name: about + "Exec", Summary: "connect " + method + " requests to exec of Pod", Query: connect.ExecQuery, Any: true, Serve: inside.Exec},
			)
		}
	}
	return out
}

// furtherRoutes lists the verbs of a subresource other than status and scale. A namespace's
// finalize supports only PUT.
func (r *resource) furtherRoutes(path, about, name, schema string) []route.Route {
	sub := r.Kind.Subresources[name]
	replace := route.Route{Method: http.MethodPut, Path: path, Verb: "replace", Name: about, Summary: "replace " + name + " of the specified " + r.Kind.Kind, Query: route.CreateQuery, Body: schema, Answer: schema, Serve: withTimeout(r.update(sub))}
	if name == "finalize" {
		return []route.Route{replace}
	}
	return []route.Route{
		replace,
		{Method: http.MethodGet, Path: path, Verb: "read", Name: about, Summary: "read " + name + " of the specified " + r.Kind.Kind, Query: route.GetQuery, Answer: schema, Serve: r.get},
		{Method: http.MethodPatch, Path: path, Verb: "patch", Name: about, Summary: "partially update " + name + " of the specified " + r.Kind.Kind, Query: route.PatchQuery, Patch: true, Answer: schema, Serve: withTimeout(r.patch(sub))},
	}
}
