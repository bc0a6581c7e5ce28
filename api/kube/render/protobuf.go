package render

import (
	"maps"
	"net/http"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// decoded returns the object of a version, in the served kind. It is shared and must not be
// modified. A version without a revision, which only a dry run has, gets no resourceVersion.
func (r *Resource) decoded(v *object.Version) object.Object {
	o := r.Object(v)
	if v.Revision == 0 {
		o = o.DeepCopyObject().(object.Object)
		o.SetResourceVersion("")
	}
	if r.Kind.Stored != nil {
		o = r.Kind.Stored.From(o)
	}
	return o
}

// shown returns the object of a version, with or without managedFields as the representation
// demands.
func (r *Resource) shown(rep wire.Representation, v *object.Version) object.Object {
	if rep.Bare {
		return bareOf(r.decoded(v))
	}
	return r.decoded(v)
}

// bareOf returns a copy of the object without managedFields that shares everything else.
func bareOf(o object.Object) object.Object {
	if u, ok := o.(*unstructured.Unstructured); ok {
		return BareCustom(u)
	}
	c := reflect.New(reflect.TypeOf(o).Elem())
	c.Elem().Set(reflect.ValueOf(o).Elem())
	bare := c.Interface().(object.Object)
	bare.SetManagedFields(nil)
	return bare
}

// BareCustom returns a copy of the object without managedFields that shares everything else.
func BareCustom(u *unstructured.Unstructured) object.Object {
	bare := &unstructured.Unstructured{Object: maps.Clone(u.Object)}
	if meta, ok := bare.Object["metadata"].(map[string]any); ok {
		meta = maps.Clone(meta)
		delete(meta, "managedFields")
		bare.Object["metadata"] = meta
	}
	return bare
}

// appendObjectProtobuf appends the object's document.
func (r *Resource) appendObjectProtobuf(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	return wire.AppendDocument(dst, r.Kind.GroupVersionKind(), r.shown(rep, v))
}

// writeProtobufList sends a page as the kind's list.
func (r *Resource) writeProtobufList(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *Page) error {
	gvk := r.Kind.GroupVersionKind()
	gvk.Kind += "List"
	return wire.ProtobufList{
		Kind: gvk, Meta: p.meta(), MetaTag: wire.Tag1, ItemTag: wire.Tag2,
		Item: func(v *object.Version) any { return r.shown(rep, v) },
	}.Write(w, req, rep, p.Versions)
}
