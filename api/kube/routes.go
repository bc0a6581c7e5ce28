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
	base, listSchema := route.Root(k.Group, k.Version), route.ListSchema(k)
	path, scope := base+"/"+k.Plural, ""
	list := "list or watch objects of kind " + k.Kind
	watch := "watch objects of kind " + k.Kind + "; deprecated, list with watch instead"
	var out []route.Route
	if k.Namespaced {
		scope = "Namespaced"
		out = append(out,
			route.At(path, about+"ForAllNamespaces").List(list, listSchema, r.listOrWatch),
			route.At(base+"/watch/"+k.Plural, about+"ListForAllNamespaces").Watch(watch, r.watchAll),
		)
		path = base + "/namespaces/{namespace}/" + k.Plural
	}
	about = route.OperationName(k, scope)
	watched := base + "/watch" + path[len(base):]
	collection, object := route.At(path, about), route.At(path+"/{name}", about)
	schema := route.ModelName(k.New())
	out = append(out,
		collection.List(list, listSchema, r.listOrWatch),
		collection.Create("create a "+k.Kind, schema, schema, withTimeout(r.create)),
		collection.DeleteCollection("delete a collection of "+k.Kind, listSchema, r.deleteCollection),
		object.Read("read the specified "+k.Kind, schema, r.get),
		object.Replace("replace the specified "+k.Kind, schema, withTimeout(r.update(nil))),
		object.Patch("partially update the specified "+k.Kind, schema, withTimeout(r.patch(nil))),
		object.Delete("delete a "+k.Kind, withTimeout(r.delete)),
		route.At(watched, about+"List").Watch(watch, r.watchAll),
		route.At(watched+"/{name}", about).Watch("watch one object of kind "+k.Kind+
			"; deprecated, list with watch and a fieldSelector instead", r.watchAll),
	)
	if k.OneByOne {
		out = slices.DeleteFunc(out, func(r route.Route) bool { return r.Verb == "deleteCollection" })
	}
	return append(out, r.subresourceRoutes(object, schema)...)
}

// subresourceRoutes lists the paths below an object.
func (r *resource) subresourceRoutes(object route.Place, schema string) []route.Route {
	k := r.Kind
	var out []route.Route
	if sub := k.Status; sub != nil {
		status := object.Below("status")
		out = append(out,
			status.Read("read status of the specified "+k.Kind, schema, r.get),
			status.Replace("replace status of the specified "+k.Kind, schema, withTimeout(r.update(sub))),
			status.Patch("partially update status of the specified "+k.Kind, schema, withTimeout(r.patch(sub))),
		)
	}
	if k.Scale != nil {
		scale := object.Below("scale")
		out = append(out,
			scale.Read("read scale of the specified "+k.Kind, route.ScaleSchema, r.getScale),
			scale.Replace("replace scale of the specified "+k.Kind, route.ScaleSchema, withTimeout(r.updateScale)),
			scale.Patch("partially update scale of the specified "+k.Kind, route.ScaleSchema, withTimeout(r.patchScale)),
		)
	}
	for _, name := range slices.Sorted(maps.Keys(k.Subresources)) {
		out = append(out, r.furtherRoutes(object, name, schema)...)
	}
	if route.HasProxy(k.Resource()) {
		out = append(out, r.proxyRoutes(object)...)
	}
	if k.Resource() == "serviceaccounts" {
		out = append(out, object.Below("token").Create("create token of a ServiceAccount",
			route.TokenRequestSchema, route.TokenRequestSchema, withTimeout(r.requestToken)))
	}
	if k.Resource() == "pods" {
		out = append(out, r.podRoutes(object)...)
	}
	return out
}

// furtherRoutes lists the verbs of a subresource other than status and scale. A namespace's
// finalize supports only PUT.
func (r *resource) furtherRoutes(object route.Place, name, schema string) []route.Route {
	sub, at := r.Kind.Subresources[name], object.Below(name)
	of := name + " of the specified " + r.Kind.Kind
	replace := at.Replace("replace "+of, schema, withTimeout(r.update(sub)))
	if name == "finalize" {
		return []route.Route{replace}
	}
	return []route.Route{
		replace,
		at.Read("read "+of, schema, r.get),
		at.Patch("partially update "+of, schema, withTimeout(r.patch(sub))),
	}
}

// podRoutes lists the paths that only Pods have.
func (r *resource) podRoutes(object route.Place) []route.Route {
	inside, bind := r.reaching(), withTimeout(r.bind)
	bindings := route.At(route.Root(r.Kind.Group, r.Kind.Version)+"/namespaces/{namespace}/bindings",
		route.OperationName(&kind.Kind{Type: route.BindingType}, "Namespaced"))
	log := object.Below("log").Read("read log of the specified Pod", "", inside.Log)
	log.Query, log.Text = connect.LogQuery, true
	out := []route.Route{
		object.Below("binding").Create("create binding of a Pod", route.BindingSchema, route.StatusSchema, bind),
		bindings.Create("create a Binding", route.BindingSchema, route.StatusSchema, bind),
		object.Below("eviction").Create("create eviction of a Pod", route.EvictionSchema, route.StatusSchema, withTimeout(r.evict)),
		log,
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		out = append(out,
			object.Below("attach").Connect(method, "attach of Pod", connect.AttachQuery, inside.Attach),
			object.Below("exec").Connect(method, "exec of Pod", connect.ExecQuery, inside.Exec),
			object.Below("portforward").Connect(method, "portforward of Pod", []string{"ports"}, inside.Forward),
		)
	}
	return out
}
