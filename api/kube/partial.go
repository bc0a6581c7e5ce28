package kube

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// partialOf is an object reduced to its metadata, in a version of meta.k8s.io.
func partialOf(o object.Object, version string) *metav1.PartialObjectMetadata {
	p := meta.AsPartialObjectMetadata(o)
	p.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: version, Kind: "PartialObjectMetadata"})
	return p
}

func (r *resource) appendPartial(dst []byte, rep representation, v *object.Version) ([]byte, error) {
	doc, err := json.Marshal(partialOf(r.served(v), rep.version))
	return append(dst, doc...), err
}

// writePartialList sends a page as a list of metadata.
func (r *resource) writePartialList(w http.ResponseWriter, rep representation, p *page) error {
	buf := getBuffer()
	defer putBuffer(buf)
	buf.b = appendListHead(buf.b, "PartialObjectMetadataList", metav1.GroupName+"/"+rep.version, p)
	for i, v := range p.versions {
		if i > 0 {
			buf.b = append(buf.b, ',')
		}
		var err error
		if buf.b, err = r.appendPartial(buf.b, rep, v); err != nil {
			return err
		}
	}
	buf.b = append(buf.b, "]}\n"...)
	return writeJSON(w, rep, http.StatusOK, buf.b)
}

// goType is how errors name a Go type, "*v1.Pod".
func goType(v any) string { return fmt.Sprintf("%T", v) }
