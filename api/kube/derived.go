package kube

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// derivedRoutes lists the paths of a computed resource.
func (r *resource) derivedRoutes() []route.Route {
	k := r.Kind
	base, scope, schema := route.Root(k.Group, k.Version), "", route.ModelName(k.New())
	collection := base + "/" + k.Plural
	var out []route.Route
	list := func(path, name string) {
		out = append(out, route.At(path, name).List("list objects of kind "+k.Kind, route.ListSchema(k), r.listDerived))
	}
	if k.Namespaced {
		scope = "Namespaced"
		list(collection, route.OperationName(k, "")+"ForAllNamespaces")
		collection = base + "/namespaces/{namespace}/" + k.Plural
	}
	about := route.OperationName(k, scope)
	list(collection, about)
	return append(out, route.At(collection+"/{name}", about).Read("read the specified "+k.Kind, schema, r.getDerived))
}

// derive computes objects from everything committed so far.
func (r *resource) derive(req *http.Request, verb, name string) ([]object.Object, error) {
	namespace := wire.PathValue(req, "namespace")
	if err := r.Reader.Fresh(req.Context()); err != nil {
		return nil, r.failure(verb, namespace, name, err)
	}
	var all []object.Object
	if r.Read != nil {
		r.Read(func(c kind.Cluster) { all = r.Kind.Derived.Objects(c, namespace, name, r.Now()) })
	}
	return all, nil
}

// getDerived sends one object.
func (r *resource) getDerived(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, wire.Transforms)
	if err != nil {
		return err
	}
	namespace, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
	all, err := r.derive(req, "get", name)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return r.notDerived(namespace, name)
	}
	return r.WriteObject(w, req, rep, all[0])
}

// notDerived returns the NotFound error of an object that cannot be computed. It names the object
// that it would describe or, if that exists, the missing metrics.
//
// Source: metrics-server v0.8 pkg/api/pod.go, Get
func (r *resource) notDerived(namespace, name string) error {
	d := r.Kind.Derived
	if r.Reader.Get(object.Key{Resource: d.Of, Namespace: namespace, Name: name}) == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: d.Singular}, name)
	}
	if namespace != "" {
		name = namespace + "/" + name
	}
	return apierrors.NewNotFound(schema.GroupResource{Group: r.Kind.Group, Resource: d.Missing}, name)
}

// listDerived sends a list, always without pages.
func (r *resource) listDerived(w http.ResponseWriter, req *http.Request) error {
	rep, opts, err := collection.Question(req, wire.Listed)
	if err != nil {
		return err
	}
	if opts.Watch {
		return apierrors.NewMethodNotSupported(r.Kind.GroupResource(), "watch")
	}
	if _, err := collection.Select(&r.Resource, opts.LabelSelector, opts.FieldSelector); err != nil {
		return err
	}
	all, err := r.derive(req, "list", "")
	if err != nil {
		return err
	}
	all = collection.Choose(all, opts.LabelSelector, opts.FieldSelector)
	return r.WriteObjects(w, req, rep, all)
}
