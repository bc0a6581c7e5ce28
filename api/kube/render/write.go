package render

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// WriteVersion sends an object in the requested format.
func (r *Resource) WriteVersion(w http.ResponseWriter, req *http.Request, rep wire.Representation, code int, v *object.Version) error {
	out := wire.NewAnswer(r.converter, w, req, rep, code)
	defer out.Free()
	var err error
	switch rep.As {
	case "", "PartialObjectMetadata":
		out.Buf.B, err = r.AppendVersion(out.Buf.B, rep, v)
	case "Table":
		out.Buf.B, err = r.appendTableOf(out.Buf.B, req, rep, v)
	default:
		err = r.NotAList()
	}
	if err != nil {
		return err
	}
	if rep.Encoding != wire.Protobuf {
		out.Buf.B = append(out.Buf.B, '\n')
	}
	return out.Finish()
}

// WritePage sends a page as the client asked for it.
func (r *Resource) WritePage(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *Page) error {
	switch rep.As {
	case "":
		return r.WriteList(w, req, rep, p)
	case "Table":
		return r.writeTable(w, req, rep, p)
	case "PartialObjectMetadataList":
		return r.writePartialList(w, req, rep, p)
	}
	return r.isAList()
}

// WriteObjects sends computed objects as the client asked for a list of them.
func (r *Resource) WriteObjects(w http.ResponseWriter, req *http.Request, rep wire.Representation, all []object.Object) error {
	switch rep.As {
	case "":
		return r.writeComputedList(w, req, rep, all)
	case "Table":
		return r.writeComputedTable(w, req, rep, all)
	case "PartialObjectMetadataList":
		list := &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{}}
		list.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "PartialObjectMetadataList"})
		for _, o := range all {
			list.Items = append(list.Items, *Partial(o, rep))
		}
		return wire.WriteValue(w, rep, http.StatusOK, list)
	}
	return r.isAList()
}

// WriteObject sends a computed object as the client asked for it.
func (r *Resource) WriteObject(w http.ResponseWriter, req *http.Request, rep wire.Representation, o object.Object) error {
	switch rep.As {
	case "":
		o.GetObjectKind().SetGroupVersionKind(r.Kind.GroupVersionKind())
		return wire.WriteValue(w, rep, http.StatusOK, o)
	case "Table":
		return r.writeComputedTable(w, req, rep, []object.Object{o})
	case "PartialObjectMetadata":
		return wire.WriteValue(w, rep, http.StatusOK, Partial(o, rep))
	}
	return r.NotAList()
}
