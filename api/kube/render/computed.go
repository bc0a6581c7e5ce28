package render

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

func (r *Resource) writeComputedList(w http.ResponseWriter, req *http.Request, rep wire.Representation, all []object.Object) error {
	gvk := r.Kind.GroupVersion().WithKind(r.Kind.Kind + "List")
	if rep.Encoding == wire.Protobuf {
		list := r.Kind.NewList()
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
	out := wire.NewAnswer(r.converter, w, req, rep, http.StatusOK)
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

func (r *Resource) writeComputedTable(w http.ResponseWriter, req *http.Request, rep wire.Representation, all []object.Object) error {
	opts, err := ReadTableOptions(req)
	if err != nil {
		return err
	}
	out := wire.NewAnswer(r.converter, w, req, rep, http.StatusOK)
	defer out.Free()
	if out.Buf.B, err = r.appendTableHead(out.Buf.B, rep, &opts, metav1.ListMeta{}); err != nil {
		return err
	}
	for i, o := range all {
		o.GetObjectKind().SetGroupVersionKind(r.Kind.GroupVersionKind())
		more, err := out.Item(i, func(dst []byte) ([]byte, error) { return r.appendRowOf(dst, rep, &opts, o) })
		if err != nil || !more {
			return err
		}
	}
	return out.End(tableEnd + "\n")
}
