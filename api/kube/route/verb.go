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
	r := p.route(http.MethodGet, "list", summary, serve)
	r.Query, r.Answer = ListQuery, answer
	return r
}

// Watch watches objects.
func (p Place) Watch(summary string, serve Verb) Route {
	r := p.route(http.MethodGet, "watch", summary, serve)
	r.Query, r.Answer = ListQuery, WatchEventSchema
	return r
}

// Create creates an object, or does what the body requests.
func (p Place) Create(summary, body, answer string, serve Verb) Route {
	r := p.route(http.MethodPost, "create", summary, serve)
	r.Query, r.Body, r.Answer = CreateQuery, body, answer
	return r
}

// DeleteCollection deletes the objects of a collection.
func (p Place) DeleteCollection(summary, answer string, serve Verb) Route {
	r := p.route(http.MethodDelete, "deleteCollection", summary, serve)
	r.Query, r.Body, r.Answer = DeleteCollectionQuery, DeleteOptionsSchema, answer
	return r
}

// Read returns an object.
func (p Place) Read(summary, answer string, serve Verb) Route {
	r := p.route(http.MethodGet, "read", summary, serve)
	r.Query, r.Answer = GetQuery, answer
	return r
}

// Replace replaces an object with the body, and returns the object.
func (p Place) Replace(summary, schema string, serve Verb) Route {
	r := p.route(http.MethodPut, "replace", summary, serve)
	r.Query, r.Body, r.Answer = CreateQuery, schema, schema
	return r
}

// Patch changes an object, and returns it.
func (p Place) Patch(summary, answer string, serve Verb) Route {
	r := p.route(http.MethodPatch, "patch", summary, serve)
	r.Query, r.Patch, r.Answer = PatchQuery, true, answer
	return r
}

// Delete deletes an object.
func (p Place) Delete(summary string, serve Verb) Route {
	r := p.route(http.MethodDelete, "delete", summary, serve)
	r.Query, r.Body, r.Answer = DeleteQuery, DeleteOptionsSchema, StatusSchema
	return r
}

// Connect forwards the requests of a method to something in the cluster, such as "proxy of Pod".
func (p Place) Connect(method, to string, query []string, serve Verb) Route {
	verb := "connect" + Title(strings.ToLower(method))
	r := p.route(method, verb, "connect "+method+" requests to "+to, serve)
	r.Query, r.Any = query, true
	return r
}

func (p Place) route(method, verb, summary string, serve Verb) Route {
	return Route{Method: method, Path: p.path, Verb: verb, Name: p.about, Summary: summary, Rest: p.rest, Serve: serve}
}
