package kube

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/rowlock/rowlock/internal/object"
)

// writeValue sends a value that encodes itself as JSON and, if it is an object, as protobuf.
func writeValue(w http.ResponseWriter, rep representation, code int, v any) error {
	if rep.encoding == asProtobuf {
		doc, err := appendProtobuf(nil, v)
		if err != nil {
			return err
		}
		return writeDocument(w, rep, code, doc)
	}
	doc, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeDocument(w, rep, code, append(doc, '\n'))
}

// writeVersion sends an object as the client asked for it.
func (r *resource) writeVersion(w http.ResponseWriter, req *http.Request, rep representation, code int, v *object.Version) error {
	out := newAnswer(r.conversions, w, req, rep, code)
	defer out.free()
	var err error
	switch rep.as {
	case "", "PartialObjectMetadata":
		out.buf.b, err = r.appendVersion(out.buf.b, rep, v)
	case "Table":
		out.buf.b, err = r.appendTableOf(out.buf.b, req, rep, v)
	default:
		err = r.notAList()
	}
	if err != nil {
		return err
	}
	if rep.encoding != asProtobuf {
		out.buf.b = append(out.buf.b, '\n')
	}
	return out.finish()
}

// notAList refuses to send an object as a list.
func (r *resource) notAList() error {
	return notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list (" + r.internalType() + ")")
}

// isAList refuses to send a list as an object.
func (r *resource) isAList() error {
	return notAcceptable("you requested PartialObjectMetadata, but the requested object is a list (" + r.internalType() + "List)")
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
func (r *resource) appendVersion(dst []byte, rep representation, v *object.Version) ([]byte, error) {
	switch {
	case rep.as != "":
		return r.appendPartial(dst, rep, v)
	case rep.encoding == asProtobuf:
		return r.appendObjectProtobuf(dst, rep, v)
	}
	return r.appendObject(dst, rep, v)
}

// appendObject appends the object's JSON in the served kind, as whole as the representation wants
// it. A version without a revision, which only a dry run has, gets no resourceVersion.
func (r *resource) appendObject(dst []byte, rep representation, v *object.Version) ([]byte, error) {
	switch {
	case !r.asStored(v):
		return r.appendView(dst, rep, v, r.kind.GroupVersionKind())
	case rep.bare:
		return v.AppendBareJSON(dst), nil
	case v.Revision == 0:
		return append(dst, v.Body()...), nil
	}
	return v.AppendJSON(dst), nil
}

// appendView appends an object that is stored as another kind; an item of a list names no kind.
func (r *resource) appendView(dst []byte, rep representation, v *object.Version, kind schema.GroupVersionKind) ([]byte, error) {
	o := r.decoded(v)
	if rep.bare {
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
	WriteStatus(w, req, s.Status(err))
}

// WriteStatus answers with a failure, in the format that the client accepts, or as JSON if it
// accepts none.
func WriteStatus(w http.ResponseWriter, req *http.Request, status *metav1.Status) {
	if d := status.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(d.RetryAfterSeconds)))
	}
	if rep, ok := plain.choose(req, req.Header.Get("Accept")); ok {
		_ = writeValue(w, rep, int(status.Code), status) // a Status always encodes
		return
	}
	doc, _ := json.MarshalIndent(status, "", "  ") // as above
	_ = writeDocument(w, representation{}, int(status.Code), doc)
}

// addWarnings adds a Warning header for each text.
func addWarnings(w http.ResponseWriter, texts []string) {
	for _, text := range texts {
		addWarning(w, text)
	}
}

// addWarning adds a Warning header, once for each text. Texts that cannot be sent in a header are
// left out. When all together have more than 4,096 characters, each is cut to 256, and what comes
// after 4,096 is left out.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go, recorder.AddWarning
//
// Differs: a text that still fits after others were cut stays whole.
func addWarning(w http.ResponseWriter, text string) {
	const mostRunes, mostOfOne = 4 << 10, 256
	header, err := utilnet.NewWarningHeader(299, "-", strings.ToValidUTF8(text, ""))
	given := w.Header()["Warning"]
	if err != nil || text == "" || slices.Contains(given, header) {
		return
	}
	var texts []string
	total := 0
	for _, h := range given {
		if parsed, _, err := utilnet.ParseWarningHeader(h); err == nil {
			texts = append(texts, parsed.Text)
			total += utf8.RuneCountInString(parsed.Text)
		}
	}
	switch {
	case total >= mostRunes:
		return
	case total+utf8.RuneCountInString(text) <= mostRunes:
		w.Header().Add("Warning", header)
		return
	}
	w.Header().Del("Warning")
	for _, text := range append(texts, text) {
		if runes := []rune(text); len(runes) > mostOfOne {
			text = string(runes[:mostOfOne])
		}
		if header, err := utilnet.NewWarningHeader(299, "-", strings.ToValidUTF8(text, "")); err == nil {
			w.Header().Add("Warning", header)
		}
	}
}
