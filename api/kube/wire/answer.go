package wire

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"sigs.k8s.io/yaml"
)

// buffers is a pool of buffers for answers.
var buffers = sync.Pool{New: func() any { return new(bytesBuffer) }}

// bytesBuffer is a growing slice; a pointer to it can be pooled without an allocation.
type bytesBuffer struct{ B []byte }

// maxPooledBytes keeps a single large list from pinning its buffer for ever.
const maxPooledBytes = 1 << 20

func getBuffer() *bytesBuffer { return buffers.Get().(*bytesBuffer) }

func putBuffer(b *bytesBuffer) {
	if cap(b.B) <= maxPooledBytes {
		b.B = b.B[:0]
		buffers.Put(b)
	}
}

// StreamBytes is the size from which a watch or log sends its buffer although more is pending.
const StreamBytes = 16 << 10

// answerChunkBytes is the size of a part of an answer.
const answerChunkBytes = 256 << 10

// Answer is a response that is sent in parts if it is long: JSON, indented or converted to YAML if
// the client wants that, or protobuf. Callers append to Buf, and must call Free.
type Answer struct {
	conversions *Converter      // nil for protobuf
	ctx         context.Context //nolint:containedctx // an answer is part of one request
	w           http.ResponseWriter
	rep         Representation
	code        int
	Buf         *bytesBuffer
	// wrote is true for the answer to a request that has changed something and can no longer be
	// rejected.
	wrote bool
	// entered is true if it holds one of the slots for YAML.
	entered bool
	list    *yamlList // for lists in YAML, from the first object on
	indent  indenter
	// sent is true once the headers have been sent.
	sent bool
	zip  *gzip.Writer // nil if the body is not compressed
}

// NewAnswer starts an answer, which the caller must free. conversions may be nil for protobuf.
func NewAnswer(conversions *Converter, w http.ResponseWriter, req *http.Request, rep Representation, code int) *Answer {
	wrote := req.Method != http.MethodGet && req.Method != http.MethodHead
	return &Answer{conversions: conversions, ctx: req.Context(), w: w, rep: rep, code: code, Buf: getBuffer(), wrote: wrote}
}

// Free releases the answer's buffer and slot.
func (a *Answer) Free() {
	putBuffer(a.Buf)
	if a.entered {
		a.conversions.leave()
	}
}

// Item adds object number i, which item appends as JSON, to a list whose head is in Buf. It returns
// false if the client has disconnected.
func (a *Answer) Item(i int, item func([]byte) ([]byte, error)) (more bool, err error) {
	select {
	case <-a.ctx.Done():
		return false, nil
	default:
	}
	switch {
	case a.rep.Encoding == YAML:
		if i == 0 {
			err = a.openYAML()
		}
		if err == nil {
			err = a.addYAML(item)
		}
	default:
		if i > 0 {
			a.Buf.B = append(a.Buf.B, ',')
		}
		a.Buf.B, err = item(a.Buf.B)
	}
	if err != nil {
		return false, a.aborted(err)
	}
	return a.flush(), nil
}

// End sends the rest of a list, with the end of its JSON.
func (a *Answer) End(rest string) error {
	if a.list == nil {
		a.Buf.B = append(a.Buf.B, rest...)
		return a.Finish()
	}
	a.Buf.B = append(a.Buf.B, a.list.after...)
	if a.sent {
		return a.Finish()
	}
	send(a.w, a.rep, a.code, a.Buf.B)
	return nil
}

// flush sends the buffer if it is large enough. It returns false if the client has disconnected.
func (a *Answer) flush() bool { return len(a.Buf.B) < answerChunkBytes || a.write() }

// write sends the buffer.
func (a *Answer) write() bool {
	if !a.sent {
		a.sent = true
		a.zip = begin(a.w, a.rep, a.code, len(a.Buf.B), false)
	}
	err := a.pass(a.Buf.B)
	a.Buf.B = a.Buf.B[:0]
	return err == nil
}

// pass sends bytes of the body, indented if the client wants that.
func (a *Answer) pass(doc []byte) error {
	if !a.rep.indented() {
		return a.put(doc)
	}
	out := getBuffer()
	defer putBuffer(out)
	for n := 0; len(doc) > 0; doc = doc[n:] {
		out.B, n = a.indent.append(out.B[:0], doc, indentChunkBytes)
		if err := a.put(out.B); err != nil {
			return err
		}
	}
	return nil
}

// put sends bytes, compressed if the client accepts that.
func (a *Answer) put(doc []byte) (err error) {
	if a.zip != nil {
		_, err = a.zip.Write(doc)
	} else {
		_, err = a.w.Write(doc)
	}
	return err
}

// Finish sends the rest. A long answer is indented in parts.
func (a *Answer) Finish() error {
	doc := a.Buf.B
	switch {
	case a.sent:
	case a.rep.Encoding == YAML:
		if err := a.enter(len(doc)); err != nil {
			return err
		}
		out, err := a.conversions.convert(a.ctx, doc)
		if err != nil {
			return err
		}
		send(a.w, a.rep, a.code, out)
		return nil
	case a.rep.indented():
		out := getBuffer()
		defer putBuffer(out)
		var n int
		if out.B, n = a.indent.append(out.B, doc, indentChunkBytes); n == len(doc) {
			send(a.w, a.rep, a.code, out.B)
			return nil
		}
		a.indent = indenter{}
	default:
		send(a.w, a.rep, a.code, doc)
		return nil
	}
	a.write() // an error means that the client has disconnected
	endGzip(a.zip)
	return nil
}

// indentChunkBytes is the size of a part of indented JSON.
const indentChunkBytes = 64 << 10

// WriteDocument sends a complete, small document: JSON, unless the representation is protobuf.
func WriteDocument(w http.ResponseWriter, rep Representation, code int, doc []byte) error {
	switch {
	case rep.Encoding == YAML:
		out, err := yaml.JSONToYAML(doc)
		if err != nil {
			return err
		}
		doc = out
	case rep.indented():
		doc, _ = new(indenter).append(nil, doc, math.MaxInt)
	}
	send(w, rep, code, doc)
	return nil
}

// send sends a complete body.
func send(w http.ResponseWriter, rep Representation, code int, body []byte) {
	if zip := begin(w, rep, code, len(body), true); zip != nil {
		_, _ = zip.Write(body) // best effort: the client may have disconnected
		endGzip(zip)
		return
	}
	_, _ = w.Write(body) // as above
}

var (
	// NoStore is the Cache-Control header of answers that change.
	NoStore = []string{"no-cache, private"}
	newline = []byte("\n")
)

// begin sends the headers of an answer with size bytes or, if whole is false, of one that starts
// with so many. If the answer is compressed, it returns the writer for the body.
func begin(w http.ResponseWriter, rep Representation, code, size int, whole bool) *gzip.Writer {
	h := w.Header()
	h["Content-Type"] = []string{rep.ContentType()}
	if h["Cache-Control"] == nil {
		h["Cache-Control"] = NoStore
	}
	compressed := rep.Gzip && size > gzipFromBytes
	switch {
	case compressed:
		h["Content-Encoding"] = []string{"gzip"}
		h.Add("Vary", "Accept-Encoding")
	case whole:
		h["Content-Length"] = []string{strconv.Itoa(size)}
	}
	w.WriteHeader(code)
	if !compressed {
		return nil
	}
	zip := zips.Get().(*gzip.Writer)
	zip.Reset(w)
	return zip
}

// gzipFromBytes is the size from which an answer is compressed for clients that accept gzip.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go,
// defaultGzipThresholdBytes and defaultGzipContentEncodingLevel
const gzipFromBytes = 128 << 10

var zips = sync.Pool{New: func() any {
	zip, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic("kube: " + err.Error()) // cannot happen: the level is valid
	}
	return zip
}}

func endGzip(zip *gzip.Writer) {
	if zip == nil {
		return
	}
	_ = zip.Close() // fails if the client has disconnected
	zip.Reset(nil)
	zips.Put(zip)
}

// AcceptsGzip reports whether a large answer is compressed: the client accepts gzip, and is not on
// this machine, where compressing a list takes several times as long as sending it. Clients do not
// say so themselves: client-go ignores disable-compression in a kubeconfig for plain HTTP. The header
// must contain exactly the word gzip.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go,
// negotiateContentEncoding
//
// Differs: upstream compresses for clients on the same machine as well.
func AcceptsGzip(req *http.Request) bool {
	h := req.Header["Accept-Encoding"]
	if len(h) == 0 || isLocal(req) {
		return false
	}
	if h[0] == "gzip" {
		return true
	}
	for token := range strings.SplitSeq(h[0], ",") {
		if strings.TrimSpace(token) == "gzip" {
			return true
		}
	}
	return false
}

// isLocal reports whether the client is on this machine. A proxy on this machine adds a header that
// names the client.
func isLocal(req *http.Request) bool {
	from, err := netip.ParseAddrPort(req.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback() && len(req.Header["X-Forwarded-For"]) == 0 && len(req.Header["Forwarded"]) == 0
}
