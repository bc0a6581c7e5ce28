package kube

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/object"
)

// buffers hold responses while they are put together.
var buffers = sync.Pool{New: func() any { return new(bytesBuffer) }}

// bytesBuffer is a slice that grows; a pointer to it can be pooled without an allocation.
type bytesBuffer struct{ b []byte }

// maxPooledBytes keeps a single large list from pinning its buffer for ever.
const maxPooledBytes = 1 << 20

func getBuffer() *bytesBuffer { return buffers.Get().(*bytesBuffer) }

func putBuffer(b *bytesBuffer) {
	if cap(b.b) <= maxPooledBytes {
		b.b = b.b[:0]
		buffers.Put(b)
	}
}

// writeJSON sends a complete JSON document in the representation's format.
func writeJSON(w http.ResponseWriter, rep representation, code int, doc []byte) error {
	media := mediaJSON
	switch {
	case rep.yaml:
		out, err := yaml.JSONToYAML(doc)
		if err != nil {
			return err
		}
		doc, media = out, mediaYAML
	case rep.pretty:
		var out bytes.Buffer
		if err := json.Indent(&out, doc, "", "  "); err != nil {
			return err
		}
		doc = out.Bytes()
	}
	if rep.media != "" {
		media = rep.media
	}
	h := w.Header()
	h["Content-Type"] = []string{media}
	h["Content-Length"] = []string{strconv.Itoa(len(doc))}
	h["Cache-Control"] = noStore
	w.WriteHeader(code)
	_, _ = w.Write(doc) // the client is gone; nobody is left to be told
	return nil
}

var noStore = []string{"no-cache, private"}

// writeValue sends a value that encodes itself as JSON.
func writeValue(w http.ResponseWriter, rep representation, code int, v any) error {
	doc, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeJSON(w, rep, code, append(doc, '\n'))
}

// writeVersion sends an object as the client asked for it.
func (r *resource) writeVersion(w http.ResponseWriter, req *http.Request, rep representation, code int, v *object.Version) error {
	buf := getBuffer()
	defer putBuffer(buf)
	var err error
	switch rep.as {
	case "":
		buf.b, err = r.appendObject(buf.b, v)
	case "Table":
		buf.b, err = r.appendTableOf(buf.b, req, rep, v)
	case "PartialObjectMetadata":
		buf.b, err = r.appendPartial(buf.b, rep, v)
	default:
		err = &mediaError{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable,
			"you requested PartialObjectMetadataList, but the requested object is not a list (" + goType(r.kind.New()) + ")"}
	}
	if err != nil {
		return err
	}
	buf.b = append(buf.b, '\n')
	return writeJSON(w, rep, code, buf.b)
}

// appendObject appends the object's JSON in the served kind. A version without a revision, which only a dry run
// has, gets no resourceVersion.
func (r *resource) appendObject(dst []byte, v *object.Version) ([]byte, error) {
	switch {
	case r.kind.Stored != nil:
		return r.appendView(dst, v, r.kind.GroupVersionKind())
	case v.Revision == 0:
		return append(dst, v.Body()...), nil
	}
	return v.AppendJSON(dst), nil
}

// appendView appends an object that is stored as another kind; an item of a list names no kind.
func (r *resource) appendView(dst []byte, v *object.Version, kind schema.GroupVersionKind) ([]byte, error) {
	o := r.kind.Stored.From(v.Object())
	o.GetObjectKind().SetGroupVersionKind(kind)
	doc, err := json.Marshal(o)
	return append(dst, doc...), err
}

// writeError answers with the Status of an error.
func (s *Server) writeError(w http.ResponseWriter, req *http.Request, err error) {
	WriteStatus(w, req, s.Status(err))
}

// WriteStatus answers with a failure, in the format that the client accepts, or as JSON if it accepts none.
func WriteStatus(w http.ResponseWriter, req *http.Request, status *metav1.Status) {
	rep, err := negotiate(req, nil)
	if err != nil {
		rep = representation{pretty: wantsPretty(req)}
	}
	if d := status.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(d.RetryAfterSeconds)))
	}
	_ = writeValue(w, rep, int(status.Code), status) // a Status always encodes
}

// addWarning adds a Warning header, once for each text. Texts that cannot be sent in a header are left out.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go, recorder.AddWarning
func addWarning(w http.ResponseWriter, text string) {
	const mostRunes, mostWarnings = 256, 16 // headers hold about 4 KiB of warnings
	if runes := []rune(text); len(runes) > mostRunes {
		text = string(runes[:mostRunes])
	}
	header, err := utilnet.NewWarningHeader(299, "-", strings.ToValidUTF8(text, ""))
	given := w.Header()["Warning"]
	if err != nil || text == "" || len(given) >= mostWarnings || slices.Contains(given, header) {
		return
	}
	w.Header().Add("Warning", header)
}
