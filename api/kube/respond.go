package kube

import (
	"encoding/json"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// writeVersion sends an object as the client asked for it.
func (r *resource) writeVersion(w http.ResponseWriter, req *http.Request, rep wire.Representation, code int, v *object.Version) error {
	out := wire.NewAnswer(r.conversions, w, req, rep, code)
	defer out.Free()
	var err error
	switch rep.As {
	case "", "PartialObjectMetadata":
		out.Buf.B, err = r.appendVersion(out.Buf.B, rep, v)
	case "Table":
		out.Buf.B, err = r.appendTableOf(out.Buf.B, req, rep, v)
	default:
		err = r.notAList()
	}
	if err != nil {
		return err
	}
	if rep.Encoding != wire.Protobuf {
		out.Buf.B = append(out.Buf.B, '\n')
	}
	return out.Finish()
}

// notAList refuses to send an object as a list.
func (r *resource) notAList() error {
	return wire.NotAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list (" + r.internalType() + ")")
}

// isAList refuses to send a list as an object.
func (r *resource) isAList() error {
	return wire.NotAcceptable("you requested PartialObjectMetadata, but the requested object is a list (" + r.internalType() + "List)")
}

// internalType is how errors name the kind's type: upstream's unversioned one, "*core.Pod".
func (r *resource) internalType() string {
	group := shortGroup(r.stored.Group)
	if group == "" {
		group = "core"
	}
	return "*" + group + "." + r.kind.Kind
}

// appendVersion appends the object, or its metadata, in the encoding of the representation.
func (r *resource) appendVersion(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	switch {
	case rep.As != "":
		return r.appendPartial(dst, rep, v)
	case rep.Encoding == wire.Protobuf:
		return r.appendObjectProtobuf(dst, rep, v)
	}
	return r.appendObject(dst, rep, v)
}

// appendObject appends the object's JSON in the served kind, as whole as the representation wants
// it. A version without a revision, which only a dry run has, gets no resourceVersion.
func (r *resource) appendObject(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	switch {
	case !r.asStored(v):
		return r.appendView(dst, rep, v, r.kind.GroupVersionKind())
	case rep.Bare:
		return v.AppendBareJSON(dst), nil
	case v.Revision == 0:
		return append(dst, v.Body()...), nil
	}
	return v.AppendJSON(dst), nil
}

// appendView appends an object that is stored as another kind; an item of a list names no kind.
func (r *resource) appendView(dst []byte, rep wire.Representation, v *object.Version, kind schema.GroupVersionKind) ([]byte, error) {
	o := r.decoded(v)
	if rep.Bare {
		o = bareOf(o)
	}
	if r.kind.Custom == nil { // else it has its kind, and may be shared
		o.GetObjectKind().SetGroupVersionKind(kind)
	}
	doc, err := json.Marshal(o)
	return append(dst, doc...), err
}

// writeError answers with the Status of an error.
func (s *Server) writeError(w http.ResponseWriter, req *http.Request, err error) {
	wire.WriteStatus(w, req, s.Status(err))
}
