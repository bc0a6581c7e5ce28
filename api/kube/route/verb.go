package route

import (
	"net/http"
	"strings"
)

// Place is a path, and what its operations are about: the rest of their IDs after the verb, such as
// "CoreV1NamespacedPod". The methods named after verbs return the route of that verb at the place.
// They take the summary, the names of the schemas of body and answer, and the handler; the HTTP
// method and the query parameters follow from the verb.
type Place struct {
	path, about string
	rest        bool // {path} is the rest of the path
}

// At returns a place.
func At(path, about string) Place { return Place{path: path, about: about} }

// Below returns the place of a subresource of the object at p.
func (p Place) Below(subresource string) Place {
	return At(p.path+"/"+subresource, p.about+Title(subresource))
}

// WithPath returns the place of all paths below p.
func (p Place) WithPath() Place { return Place{p.path + "/{path}", p.about + "WithPath", true} }

// List lists the objects of a collection, or watches them.
func (p Place) List(summary, answer string, serve Verb) Route {
	return p.with(Route{Method: http.MethodGet, Verb: "list", Summary: summary, Query: ListQuery, Answer: answer, Serve: serve})
}

// Watch watches objects.
func (p Place) Watch(summary string, serve Verb) Route {
	return p.with(Route{
		Method: http.MethodGet, Verb: "watch", Summary: summary, Query: ListQuery, Answer: WatchEventSchema, Serve: serve,
	})
}

// Create creates an object, or does what the body requests.
func (p Place) Create(summary, body, answer string, serve Verb) Route {
	return p.with(Route{
		Method: http.MethodPost, Verb: "create", Summary: summary,
		Query: CreateQuery, Body: body, Answer: answer, Serve: serve,
	})
}

// DeleteCollection deletes the objects of a collection.
func (p Place) DeleteCollection(summary, answer string, serve Verb) Route {
	return p.with(Route{
		Method: http.MethodDelete, Verb: "deleteCollection", Summary: summary,
		Query: DeleteCollectionQuery, Body: DeleteOptionsSchema, Answer: answer, Serve: serve,
	})
}

// Read returns an object.
func (p Place) Read(summary, answer string, serve Verb) Route {
	return p.with(Route{Method: http.MethodGet, Verb: "read", Summary: summary, Query: GetQuery, Answer: answer, Serve: serve})
}

// Replace replaces an object with the body, and returns the object.
func (p Place) Replace(summary, schema string, serve Verb) Route {
	return p.with(Route{
		Method: http.MethodPut, Verb: "replace", Summary: summary,
		Query: CreateQuery, Body: schema, Answer: schema, Serve: serve,
	})
}

// Patch changes an object, and returns it.
func (p Place) Patch(summary, answer string, serve Verb) Route {
	return p.with(Route{
		Method: http.MethodPatch, Verb: "patch", Summary: summary,
		Query: PatchQuery, Patch: true, Answer: answer, Serve: serve,
	})
}

// Delete deletes an object.
func (p Place) Delete(summary string, serve Verb) Route {
	return p.with(Route{
		Method: http.MethodDelete, Verb: "delete", Summary: summary,
		Query: DeleteQuery, Body: DeleteOptionsSchema, Answer: StatusSchema, Serve: serve,
	})
}

// Connect forwards the requests of a method to something in the cluster, such as "proxy of Pod".
func (p Place) Connect(method, to string, query []string, serve Verb) Route {
	return p.with(Route{
		Method: method, Verb: "connect" + Title(strings.ToLower(method)), Summary: "connect " + method + " requests to " + to,
		Query: query, Any: true, Serve: serve,
	})
}

// with returns the route at the place.
func (p Place) with(r Route) Route {
	r.Path, r.Name, r.Rest = p.path, p.about, p.rest
	return r
}
