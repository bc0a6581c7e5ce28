package kube

import (
	"encoding/json"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// derivedRoutes lists the paths of a resource whose objects are computed.
func (r *resource) derivedRoutes() []route {
	k := r.kind
	base, scope, schema := root(k.Group, k.Version), "", modelName(k.New())
	collection := base + "/" + k.Plural
	var out []route
	list := func(path, name string) {
		out = append(out, route{method: http.MethodGet, path: path, verb: "list", name: name, summary: "list objects of kind " + k.Kind, query: listQuery, answer: listSchema(k), serve: r.listDerived})
	}
	if k.Namespaced {
		scope = "Namespaced"
		list(collection, operationName(k, "")+"ForAllNamespaces")
		collection = base + "/namespaces/{namespace}/" + k.Plural
	}
	about := operationName(k, scope)
	list(collection, about)
	return append(out, route{method: http.MethodGet, path: collection + "/{name}", verb: "read", name: about, summary: "read the specified " + k.Kind, query: getQuery, answer: schema, serve: r.getDerived})
}

// derive computes objects from everything that is committed so far.
func (r *resource) derive(req *http.Request, verb, name string) ([]object.Object, error) {
	namespace := wire.PathValue(req, "namespace")
	if err := r.Reader.Fresh(req.Context()); err != nil {
		return nil, r.failure(verb, namespace, name, err)
	}
	var all []object.Object
	if r.Read != nil {
		r.Read(func(c kind.Cluster) { all = r.kind.Derived.Objects(c, namespace, name, r.Now()) })
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
	switch o := all[0]; rep.As {
	case "":
		o.GetObjectKind().SetGroupVersionKind(r.kind.GroupVersionKind())
		return wire.WriteValue(w, rep, http.StatusOK, o)
	case "Table":
		return r.writeDerivedTable(w, req, rep, all)
	case "PartialObjectMetadata":
		return wire.WriteValue(w, rep, http.StatusOK, partialOf(o, rep))
	}
	return r.notAList()
}

// notDerived says what is missing: what an object is about or, if that is there, what it would be
// computed from.
//
// Source: metrics-server v0.8 pkg/api/pod.go, Get
func (r *resource) notDerived(namespace, name string) error {
	d := r.kind.Derived
	if r.Reader.Get(object.Key{Resource: d.Of, Namespace: namespace, Name: name}) == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: d.Singular}, name)
	}
	if namespace != "" {
		name = namespace + "/" + name
	}
	return apierrors.NewNotFound(schema.GroupResource{Group: r.kind.Group, Resource: d.Missing}, name)
}

// listDerived sends a list, always the whole of it.
func (r *resource) listDerived(w http.ResponseWriter, req *http.Request) error {
	rep, opts, err := listQuestion(req, wire.Listed)
	if err != nil {
		return err
	}
	if opts.Watch {
		return apierrors.NewMethodNotSupported(r.kind.GroupResource(), "watch")
	}
	if _, err := r.selection(opts.LabelSelector, opts.FieldSelector); err != nil {
		return err
	}
	all, err := r.derive(req, "list", "")
	if err != nil {
		return err
	}
	all = chosen(all, opts.LabelSelector, opts.FieldSelector)
	switch rep.As {
	case "":
		return r.writeDerivedList(w, req, rep, all)
	case "Table":
		return r.writeDerivedTable(w, req, rep, all)
	case "PartialObjectMetadataList":
		list := &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{}}
		list.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "PartialObjectMetadataList"})
		for _, o := range all {
			list.Items = append(list.Items, *partialOf(o, rep))
		}
		return wire.WriteValue(w, rep, http.StatusOK, list)
	}
	return r.isAList()
}

// chosen are the objects that selectors choose, which may be nil.
func chosen(all []object.Object, l labels.Selector, f fields.Selector) []object.Object {
	out := []object.Object{}
	for _, o := range all {
		set := fields.Set{nameField: o.GetName(), namespaceField: o.GetNamespace()}
		if (l == nil || l.Matches(labels.Set(o.GetLabels()))) && (f == nil || f.Matches(set)) {
			out = append(out, o)
		}
	}
	return out
}

func (r *resource) writeDerivedList(w http.ResponseWriter, req *http.Request, rep wire.Representation, all []object.Object) error {
	gvk := r.kind.GroupVersion().WithKind(r.kind.Kind + "List")
	if rep.Encoding == wire.Protobuf {
		list := r.kind.NewList()
		items := make([]runtime.Object, len(all))
		for i, o := range all {
			items[i] = o
		}
		if err := meta.SetList(list, items); err != nil {
			return err
		}
		list.GetObjectKind().SetGroupVersionKind(gvk)
		return wire.WriteValue(w, rep, http.StatusOK, list)
	}
	out := wire.NewAnswer(r.conversions, w, req, rep, http.StatusOK)
	defer out.Free()
	out.Buf.B = fmt.Appendf(out.Buf.B, `{"kind":%q,"apiVersion":%q,"metadata":{},"items":[`, gvk.Kind, gvk.GroupVersion().String())
	for i, o := range all {
		more, err := out.Item(i, func(dst []byte) ([]byte, error) {
			doc, err := json.Marshal(o)
			return append(dst, doc...), err
		})
		if err != nil || !more {
			return err
		}
	}
	return out.End("]}\n")
}

func (r *resource) writeDerivedTable(w http.ResponseWriter, req *http.Request, rep wire.Representation, all []object.Object) error {
	opts, err := readTableOptions(req)
	if err != nil {
		return err
	}
	out := wire.NewAnswer(r.conversions, w, req, rep, http.StatusOK)
	defer out.Free()
	if out.Buf.B, err = r.appendTableHead(out.Buf.B, rep, &opts, metav1.ListMeta{}); err != nil {
		return err
	}
	for i, o := range all {
		o.GetObjectKind().SetGroupVersionKind(r.kind.GroupVersionKind())
		more, err := out.Item(i, func(dst []byte) ([]byte, error) { return r.appendRowOf(dst, rep, &opts, o) })
		if err != nil || !more {
			return err
		}
	}
	return out.End(tableEnd + "\n")
}
