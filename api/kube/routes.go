package kube

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
)

// route is one served path and method, with what the OpenAPI document says of it.
type route struct {
	method, path string
	verb         string // as upstream's operation ids begin: "list", "create", "replace", …
	name         string // what the verb is about: "CoreV1NamespacedPodStatus"
	summary      string
	query        []string // names of parameters in parameters.go
	body, answer string   // names of schemas; "" for none
	patch, text  bool     // text answers with plain text
	onlyJSON     bool     // the answer has no other form
	any, rest    bool     // any answers with whatever a program says; rest has {path} stand for the rest of the path, slashes too
	serve        verb
}

// Register mounts every path of the Kubernetes API on the huma API.
func (s *Server) Register(api huma.API) {
	for _, k := range s.Catalogue.Builtin().All() {
		for _, r := range s.resource(k).routes() {
			r.serve = deprecated(k, r.serve)
			s.mount(api, r)
		}
	}
	for _, r := range s.discoveryRoutes() {
		s.mount(api, r)
	}
	for _, r := range s.metricRoutes() {
		s.mount(api, r)
	}
	for _, r := range s.issuerRoutes() {
		s.mount(api, r)
	}
}

// deprecated warns of a kind that is deprecated, whatever the request and its outcome.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/installer.go, registerResourceHandlers
func deprecated(k *kind.Kind, serve verb) verb {
	if k.Deprecated == "" {
		return serve
	}
	return func(w http.ResponseWriter, req *http.Request) error {
		// Of a built-in kind, a patch of no known type is refused before it has come that far.
		if k.Custom != nil || req.Method != http.MethodPatch || patchType(req) != "" {
			wire.AddWarning(w, k.Deprecated)
		}
		return serve(w, req)
	}
}

// mount registers one route.
func (s *Server) mount(api huma.API, r route) {
	op := r.operation()
	id := op.OperationID
	// Huma compares each new operation id with all others, which takes long for a thousand; a test
	// does it once.
	op.OperationID = ""
	api.OpenAPI().AddOperation(op)
	op.OperationID = id
	at := *op
	if r.rest {
		at.Path = strings.TrimSuffix(op.Path, "{path}") + "*"
	}
	api.Adapter().Handle(&at, s.handler(inTime(r)))
}

// root is the path of a group and version.
func root(group, version string) string {
	if group == "" {
		return "/api/" + version
	}
	return "/apis/" + group + "/" + version
}

// The query parameters of the verbs, by name; see parameters.go.
var (
	getQuery              = []string{"pretty", wire.OmitManagedFields, "resourceVersion"}
	listQuery             = []string{"pretty", "allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", wire.OmitManagedFields, "resourceVersion", "resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch"}
	createQuery           = []string{"pretty", "dryRun", "fieldManager", "fieldValidation"}
	patchQuery            = []string{"pretty", "dryRun", "fieldManager", "fieldValidation", "force"}
	deleteQuery           = []string{"pretty", "dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"}
	deleteCollectionQuery = slices.Concat(deleteQuery, []string{"continue", "fieldSelector", "labelSelector", "limit", "resourceVersion", "resourceVersionMatch"})
)

// The names of schemas that are no kinds of the catalogue.
const (
	statusSchema        = "io.k8s.apimachinery.pkg.apis.meta.v1.Status"
	deleteOptionsSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"
	watchEventSchema    = "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent"
	scaleSchema         = "io.k8s.api.autoscaling.v1.Scale"
	bindingSchema       = "io.k8s.api.core.v1.Binding"
	evictionSchema      = "io.k8s.api.policy.v1.Eviction"
	tokenRequestSchema  = "io.k8s.api.authentication.v1.TokenRequest"
)

// routes lists the paths of one resource.
func (r *resource) routes() []route {
	k := r.kind
	switch {
	case k.Answer != nil:
		return []route{r.question()}
	case k.Derived != nil:
		return r.derivedRoutes()
	}
	about := operationName(k, "")
	base := root(k.Group, k.Version)
	collection, scope := base+"/"+k.Plural, ""
	var out []route
	if k.Namespaced {
		scope = "Namespaced"
		out = append(out,
			route{method: http.MethodGet, path: collection, verb: "list", name: about + "ForAllNamespaces", summary: "list or watch objects of kind " + k.Kind, query: listQuery, answer: listSchema(k), serve: r.listOrWatch},
			route{method: http.MethodGet, path: base + "/watch/" + k.Plural, verb: "watch", name: about + "ListForAllNamespaces", summary: "watch objects of kind " + k.Kind + "; deprecated, list with watch instead", query: listQuery, answer: watchEventSchema, serve: r.watchAll},
		)
		collection = base + "/namespaces/{namespace}/" + k.Plural
	}
	about = operationName(k, scope)
	watched := base + "/watch" + collection[len(base):]
	object, schema := collection+"/{name}", modelName(k.New())
	out = append(out,
		route{method: http.MethodGet, path: collection, verb: "list", name: about, summary: "list or watch objects of kind " + k.Kind, query: listQuery, answer: listSchema(k), serve: r.listOrWatch},
		route{method: http.MethodPost, path: collection, verb: "create", name: about, summary: "create a " + k.Kind, query: createQuery, body: schema, answer: schema, serve: withTimeout(r.create)},
		route{method: http.MethodDelete, path: collection, verb: "deleteCollection", name: about, summary: "delete a collection of " + k.Kind, query: deleteCollectionQuery, body: deleteOptionsSchema, answer: listSchema(k), serve: r.deleteCollection},
		route{method: http.MethodGet, path: object, verb: "read", name: about, summary: "read the specified " + k.Kind, query: getQuery, answer: schema, serve: r.get},
		route{method: http.MethodPut, path: object, verb: "replace", name: about, summary: "replace the specified " + k.Kind, query: createQuery, body: schema, answer: schema, serve: withTimeout(r.update(nil))},
		route{method: http.MethodPatch, path: object, verb: "patch", name: about, summary: "partially update the specified " + k.Kind, query: patchQuery, patch: true, answer: schema, serve: withTimeout(r.patch(nil))},
		route{method: http.MethodDelete, path: object, verb: "delete", name: about, summary: "delete a " + k.Kind, query: deleteQuery, body: deleteOptionsSchema, answer: statusSchema, serve: withTimeout(r.delete)},
		route{method: http.MethodGet, path: watched, verb: "watch", name: about + "List", summary: "watch objects of kind " + k.Kind + "; deprecated, list with watch instead", query: listQuery, answer: watchEventSchema, serve: r.watchAll},
		route{method: http.MethodGet, path: watched + "/{name}", verb: "watch", name: about, summary: "watch one object of kind " + k.Kind + "; deprecated, list with watch and a fieldSelector instead", query: listQuery, answer: watchEventSchema, serve: r.watchAll},
	)
	if k.OneByOne {
		out = slices.DeleteFunc(out, func(r route) bool { return r.verb == "deleteCollection" })
	}
	return append(out, r.subresourceRoutes(object, about, schema)...)
}

// subresourceRoutes lists the paths below an object.
func (r *resource) subresourceRoutes(object, about, schema string) []route {
	k := r.kind
	var out []route
	if sub := k.Status; sub != nil {
		out = append(out,
			route{method: http.MethodGet, path: object + "/status", verb: "read", name: about + "Status", summary: "read status of the specified " + k.Kind, query: getQuery, answer: schema, serve: r.get},
			route{method: http.MethodPut, path: object + "/status", verb: "replace", name: about + "Status", summary: "replace status of the specified " + k.Kind, query: createQuery, body: schema, answer: schema, serve: withTimeout(r.update(sub))},
			route{method: http.MethodPatch, path: object + "/status", verb: "patch", name: about + "Status", summary: "partially update status of the specified " + k.Kind, query: patchQuery, patch: true, answer: schema, serve: withTimeout(r.patch(sub))},
		)
	}
	if k.Scale != nil {
		out = append(out,
			route{method: http.MethodGet, path: object + "/scale", verb: "read", name: about + "Scale", summary: "read scale of the specified " + k.Kind, query: getQuery, answer: scaleSchema, serve: r.getScale},
			route{method: http.MethodPut, path: object + "/scale", verb: "replace", name: about + "Scale", summary: "replace scale of the specified " + k.Kind, query: createQuery, body: scaleSchema, answer: scaleSchema, serve: withTimeout(r.updateScale)},
			route{method: http.MethodPatch, path: object + "/scale", verb: "patch", name: about + "Scale", summary: "partially update scale of the specified " + k.Kind, query: patchQuery, patch: true, answer: scaleSchema, serve: withTimeout(r.patchScale)},
		)
	}
	for _, name := range slices.Sorted(maps.Keys(k.Subresources)) {
		out = append(out, r.furtherRoutes(object+"/"+name, about+title(name), name, schema)...)
	}
	if hasProxy(k.Resource()) {
		out = append(out, r.proxyRoutes(object, about)...)
	}
	if k.Resource() == "serviceaccounts" {
		out = append(out, route{method: http.MethodPost, path: object + "/token", verb: "create", name: about + "Token", summary: "create token of a ServiceAccount", query: createQuery, body: tokenRequestSchema, answer: tokenRequestSchema, serve: withTimeout(r.requestToken)})
	}
	if k.Resource() == "pods" {
		inside := r.reaching()
		bindings := root(k.Group, k.Version) + "/namespaces/{namespace}/bindings"
		out = append(out,
			route{method: http.MethodPost, path: object + "/binding", verb: "create", name: about + "Binding", summary: "create binding of a Pod", query: createQuery, body: bindingSchema, answer: statusSchema, serve: withTimeout(r.bind)},
			route{method: http.MethodPost, path: bindings, verb: "create", name: operationName(&kind.Kind{Type: bindingType}, "Namespaced"), summary: "create a Binding", query: createQuery, body: bindingSchema, answer: statusSchema, serve: withTimeout(r.bind)},
			route{method: http.MethodPost, path: object + "/eviction", verb: "create", name: about + "Eviction", summary: "create eviction of a Pod", query: createQuery, body: evictionSchema, answer: statusSchema, serve: withTimeout(r.evict)},
			route{method: http.MethodGet, path: object + "/portforward", verb: "connectGet", name: about + "Portforward", summary: "connect GET requests to portforward of Pod", query: []string{"ports"}, any: true, serve: inside.Forward},
			route{method: http.MethodPost, path: object + "/portforward", verb: "connectPost", name: about + "Portforward", summary: "connect POST requests to portforward of Pod", query: []string{"ports"}, any: true, serve: inside.Forward},
			route{method: http.MethodGet, path: object + "/log", verb: "read", name: about + "Log", summary: "read log of the specified Pod", query: connect.LogQuery, text: true, serve: inside.Log},
		)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			verb := "connect" + title(strings.ToLower(method))
			out = append(out,
				route{method: method, path: object + "/attach", verb: verb, name: about + "Attach", summary: "connect " + method + " requests to attach of Pod", query: connect.AttachQuery, any: true, serve: inside.Attach},
				route{method: method, path: object + "/exec", verb: verb, name: about + "Exec", summary: "connect " + method + " requests to exec of Pod", query: connect.ExecQuery, any: true, serve: inside.Exec},
			)
		}
	}
	return out
}

// furtherRoutes lists the verbs of a subresource that is neither status nor scale. A namespace's
// finalize is only ever replaced.
func (r *resource) furtherRoutes(path, about, name, schema string) []route {
	sub := r.kind.Subresources[name]
	replace := route{method: http.MethodPut, path: path, verb: "replace", name: about, summary: "replace " + name + " of the specified " + r.kind.Kind, query: createQuery, body: schema, answer: schema, serve: withTimeout(r.update(sub))}
	if name == "finalize" {
		return []route{replace}
	}
	return []route{
		replace,
		{method: http.MethodGet, path: path, verb: "read", name: about, summary: "read " + name + " of the specified " + r.kind.Kind, query: getQuery, answer: schema, serve: r.get},
		{method: http.MethodPatch, path: path, verb: "patch", name: about, summary: "partially update " + name + " of the specified " + r.kind.Kind, query: patchQuery, patch: true, answer: schema, serve: withTimeout(r.patch(sub))},
	}
}
