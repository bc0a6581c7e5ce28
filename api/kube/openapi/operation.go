package openapi

import (
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kube-openapi/pkg/common"
)

// The operations, one method each. Their descriptions, IDs and codes are upstream's.
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/installer.go, registerResourceHandlers
// Differs: the deprecated /watch/ paths and CBOR are not served, so they are not documented.
//
// Upstream documents custom resources elsewhere, and differently: without protobuf, streams, and
// bodies of deletecollection.
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, buildRoute

func (e *endpoint) get() *route {
	o := e.operation("GET", e.item, "get", "read", e.noun())
	o.doc = "read " + e.specified()
	o.add(e.named)
	o.responses = answers(e.object, http.StatusOK)
	if e.options != nil {
		o.add(queryParameters(e.options))
	}
	if e.custom {
		o.add(queryParameters(&metav1.GetOptions{}))
	}
	if e.text {
		o.responses = answers("string", http.StatusOK)
		o.produces = append([]string{"text/plain"}, o.produces...)
	}
	return o
}

// lists returns the routes that list the collection and, for a namespaced kind, all namespaces.
func (e *endpoint) lists() []common.Route {
	all := []common.Route{e.listAt(e.collection, e.noun(), e.parent)}
	if e.namespaced {
		all = append(all, e.listAt(e.everywhere, e.kind+"ForAllNamespaces", nil))
	}
	return all
}

func (e *endpoint) listAt(path, noun string, parameters []common.Parameter) *route {
	o := e.operation("GET", path, "list", "list", noun)
	o.doc = "list objects of kind " + e.kind
	if e.watchable && !e.custom {
		o.doc = "list or watch objects of kind " + e.kind
	}
	o.add(parameters)
	o.add(queryParameters(&metav1.ListOptions{}))
	if !e.custom {
		o.produces = append(objectTypes(), "application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch")
	}
	o.responses = answers(e.list, http.StatusOK)
	return o
}

func (e *endpoint) create() *route {
	path, parameters, doc := e.collection, e.parent, "create"+article(e.kind)+e.kind
	if e.sub != "" {
		path, parameters, doc = e.item, e.named, "create "+e.sub+" of"+article(e.kind)+e.kind
	}
	o := e.operation("POST", path, "post", "create", e.noun())
	o.doc = doc
	o.add(parameters)
	o.add(queryParameters(&metav1.CreateOptions{}))
	o.reads(e.object, true)
	o.responses = answers(e.object, http.StatusOK, http.StatusCreated, http.StatusAccepted)
	return o
}

func (e *endpoint) update() *route {
	o := e.operation("PUT", e.item, "put", "replace", e.noun())
	o.doc = "replace " + e.specified()
	o.add(e.named)
	o.add(queryParameters(&metav1.UpdateOptions{}))
	o.reads(e.object, true)
	o.responses = answers(e.object, http.StatusOK, http.StatusCreated)
	return o
}

// patch leaves out strategic merge patches for custom resources, because kubectl reads here which
// patches it may send.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, buildRoute
func (e *endpoint) patch() *route {
	o := e.operation("PATCH", e.item, "patch", "patch", e.noun())
	o.doc = "partially update " + e.specified()
	o.add(e.named)
	o.add(queryParameters(&metav1.PatchOptions{}))
	o.consumes = []string{
		string(types.JSONPatchType), string(types.MergePatchType),
		string(types.StrategicMergePatchType), string(types.ApplyYAMLPatchType),
	}
	if e.custom {
		o.consumes = slices.DeleteFunc(o.consumes, func(t string) bool { return t == string(types.StrategicMergePatchType) })
	}
	o.reads(model(metav1.Patch{}.OpenAPIModelName()), true)
	o.responses = answers(e.object, http.StatusOK, http.StatusCreated)
	if e.custom {
		o.responses = answers(e.object, http.StatusOK)
	}
	return o
}

func (e *endpoint) delete() *route {
	o := e.operation("DELETE", e.item, "delete", "delete", e.noun())
	o.doc = "delete" + article(e.kind) + e.kind
	o.add(e.named)
	o.add(queryParameters(&metav1.DeleteOptions{}))
	o.reads(model(metav1.DeleteOptions{}.OpenAPIModelName()), false)
	o.responses = answers(model(metav1.Status{}.OpenAPIModelName()), http.StatusOK, http.StatusAccepted)
	if e.returnsDeleted {
		o.responses = answers(e.object, http.StatusOK, http.StatusAccepted)
	}
	return o
}

func (e *endpoint) deleteCollection() *route {
	o := e.operation("DELETE", e.collection, "deletecollection", "delete", "Collection"+e.noun())
	o.doc = "delete collection of " + e.kind
	o.add(e.parent)
	if e.custom {
		o.add(queryParameters(&metav1.ListOptions{}))
	} else {
		o.add(queryParameters(&metav1.DeleteOptions{}))
		o.add(queryParameters(&metav1.ListOptions{}, "watch", "allowWatchBookmarks"))
		o.reads(model(metav1.DeleteOptions{}.OpenAPIModelName()), false)
	}
	o.responses = answers(model(metav1.Status{}.OpenAPIModelName()), http.StatusOK)
	return o
}

// connects returns the routes of proxies and streams, at the subresource's path and, if WithPath is
// set, below it.
func (e *endpoint) connects() (all []common.Route) {
	for _, method := range e.methods {
		all = append(all, e.connect(method))
	}
	if !e.withPath {
		return all
	}
	for _, method := range e.methods {
		o := e.connect(method)
		o.path, o.id = o.path+"/{path}", o.id+"WithPath"
		o.add([]common.Parameter{pathParameter})
		all = append(all, o)
	}
	return all
}

// connect returns the route of one method of a proxy or stream.
func (e *endpoint) connect(method string) *route {
	o := e.operation(method, e.item, "connect", "connect", upperFirst(strings.ToLower(method))+e.noun())
	o.doc = "connect " + method + " requests to " + e.sub + " of " + e.kind
	o.parameters = nil
	o.add(e.named)
	if e.options != nil {
		o.add(queryParameters(e.options))
	}
	o.produces = []string{"*/*"}
	o.responses = answers("string", http.StatusOK)
	return o
}

// specified returns "the specified Pod", or "status of the specified Pod".
func (e *endpoint) specified() string {
	if e.sub != "" {
		return e.sub + " of the specified " + e.kind
	}
	return "the specified " + e.kind
}

func (o *route) add(parameters []common.Parameter) {
	o.parameters = append(o.parameters, parameters...)
}

// reads adds a body to the operation.
func (o *route) reads(m model, required bool) {
	body := bodyParameter
	body.optional = !required
	o.body = m
	o.parameters = append(o.parameters, body)
}

// answers returns the responses for the success codes, which all have the same model.
func answers(m model, codes ...int) []common.StatusCodeResponse {
	all := make([]common.StatusCodeResponse, len(codes))
	for i, code := range codes {
		all[i] = response{code: code, message: http.StatusText(code), model: m}
	}
	return all
}

// objectTypes returns the content types of objects.
func objectTypes() []string {
	return []string{"application/json", "application/yaml", "application/vnd.kubernetes.protobuf"}
}

// textTypes returns the content types of custom resources.
func textTypes() []string { return []string{"application/json", "application/yaml"} }

// article returns " a ", " an ", or " " before a plural ("Endpoints").
func article(noun string) string {
	switch {
	case strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss"):
		return " "
	case strings.ContainsAny(noun[:1], "aeiouAEIOU"):
		return " an "
	default:
		return " a "
	}
}
