package render

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// NotAList rejects sending an object as a list.
func (r *Resource) NotAList() error {
	return wire.NotAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list (" + r.internalType() + ")")
}

// isAList rejects sending a list as an object.
func (r *Resource) isAList() error {
	return wire.NotAcceptable("you requested PartialObjectMetadata, but the requested object is a list (" + r.internalType() + "List)")
}

// internalType returns the kind's type as errors name it: upstream's internal one, "*core.Pod".
func (r *Resource) internalType() string {
	group, _, _ := strings.Cut(r.Stored.Group, ".")
	if group == "" {
		group = "core"
	}
	return "*" + group + "." + r.Kind.Kind
}

// AppendVersion appends the object, or its metadata, in the encoding of the representation.
func (r *Resource) AppendVersion(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	switch {
	case rep.As != "":
		return r.appendPartial(dst, rep, v)
	case rep.Encoding == wire.Protobuf:
		return r.appendObjectProtobuf(dst, rep, v)
	}
	return r.AppendObject(dst, rep, v)
}

// AppendObject appends the object's JSON in the served kind, with or without managedFields as the
// representation demands. A version without a revision, which only a dry run has, gets no
// resourceVersion.
func (r *Resource) AppendObject(dst []byte, rep wire.Representation, v *object.Version) ([]byte, error) {
	switch {
	case !r.AsStored(v):
		return r.appendView(dst, rep, v, r.Kind.GroupVersionKind())
	case rep.Bare:
		return v.AppendBareJSON(dst), nil
	case v.Revision == 0:
		return append(dst, v.Body()...), nil
	}
	return v.AppendJSON(dst), nil
}

// appendView appends an object that is stored as another kind; an item of a list has no kind.
func (r *Resource) appendView(dst []byte, rep wire.Representation, v *object.Version, kind schema.GroupVersionKind) ([]byte, error) {
	o := r.decoded(v)
	if rep.Bare {
		o = bareOf(o)
	}
	if r.Kind.Custom == nil { // otherwise it has its kind, and may be shared
		o.GetObjectKind().SetGroupVersionKind(kind)
	}
	doc, err := json.Marshal(o)
	return append(dst, doc...), err
}
