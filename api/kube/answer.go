package kube

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"sigs.k8s.io/yaml"
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

// answerChunkBytes is how much of an answer is put together before it is sent.
const answerChunkBytes = 256 << 10

// answer is a response that leaves in pieces if it is long: JSON, made readable or into YAML where
// the client wants that, or protobuf. It is appended to buf. Whoever makes one frees it.
type answer struct {
	conversions *converter      // nil for protobuf
	ctx         context.Context //nolint:containedctx // an answer is part of one request
	w           http.ResponseWriter
	rep         representation
	code        int
	buf         *bytesBuffer
	// wrote is true for the answer to a request that has changed something, and must not be refused
	// any more.
	wrote bool
	// entered is true if it has one of the places for YAML.
	entered bool
	list    *yamlList // for lists in YAML, from the first object on
	indent  indenter
	// sent is true once the headers have left, and out where the body goes.
	sent bool
	zip  *gzip.Writer // nil where the body is not compressed
}

func newAnswer(conversions *converter, w http.ResponseWriter, req *http.Request, rep representation, code int) *answer {
	wrote := req.Method != http.MethodGet && req.Method != http.MethodHead
	return &answer{conversions: conversions, ctx: req.Context(), w: w, rep: rep, code: code, buf: getBuffer(), wrote: wrote}
}

func (a *answer) free() {
	putBuffer(a.buf)
	if a.entered {
		a.conversions.leave()
	}
}

// item adds the object number i, which append appends as JSON, to a list whose beginning is in buf.
// It returns false if the client is gone, and part of the answer with it.
func (a *answer) item(i int, item func([]byte) ([]byte, error)) (more bool, err error) {
	select {
	case <-a.ctx.Done():
		return false, nil
	default:
	}
	switch {
	case a.rep.encoding == asYAML:
		if i == 0 {
			err = a.openYAML()
		}
		if err == nil {
			err = a.addYAML(item)
		}
	default:
		if i > 0 {
			a.buf.b = append(a.buf.b, ',')
		}
		a.buf.b, err = item(a.buf.b)
	}
	if err != nil {
		return false, a.aborted(err)
	}
	return a.flush(), nil
}

// end sends the rest of a list, with the end of its JSON.
func (a *answer) end(rest string) error {
	if a.list == nil {
		a.buf.b = append(a.buf.b, rest...)
		return a.finish()
	}
	a.buf.b = append(a.buf.b, a.list.after...)
	if a.sent {
		return a.finish()
	}
	send(a.w, a.rep, a.code, a.buf.b)
	return nil
}

// flush sends what has come together if that is enough. It returns false if the client is gone.
func (a *answer) flush() bool { return len(a.buf.b) < answerChunkBytes || a.write() }

// write sends what has come together.
func (a *answer) write() bool {
	if !a.sent {
		a.sent = true
		a.zip = begin(a.w, a.rep, a.code, len(a.buf.b), false)
	}
	err := a.pass(a.buf.b)
	a.buf.b = a.buf.b[:0]
	return err == nil
}

// pass sends bytes of the body, which may become more on the way.
func (a *answer) pass(doc []byte) error {
	if !a.rep.indented() {
		return a.put(doc)
	}
	out := getBuffer()
	defer putBuffer(out)
	for n := 0; len(doc) > 0; doc = doc[n:] {
		out.b, n = a.indent.append(out.b[:0], doc, indentChunkBytes)
		if err := a.put(out.b); err != nil {
			return err
		}
	}
	return nil
}

// put sends bytes as they are, but for compression.
func (a *answer) put(doc []byte) (err error) {
	if a.zip != nil {
		_, err = a.zip.Write(doc)
	} else {
		_, err = a.w.Write(doc)
	}
	return err
}

// finish sends the rest. A long answer is made readable in pieces.
func (a *answer) finish() error {
	doc := a.buf.b
	switch {
	case a.sent:
	case a.rep.encoding == asYAML:
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
		if out.b, n = a.indent.append(out.b, doc, indentChunkBytes); n == len(doc) {
			send(a.w, a.rep, a.code, out.b)
			return nil
		}
		a.indent = indenter{}
	default:
		send(a.w, a.rep, a.code, doc)
		return nil
	}
	a.write() // a client that is gone need not be told
	endGzip(a.zip)
	return nil
}

// indentChunkBytes is how much readable JSON is put together before it is sent.
const indentChunkBytes = 64 << 10

// writeDocument sends a complete document that is not large, JSON unless the representation is
// protobuf.
func writeDocument(w http.ResponseWriter, rep representation, code int, doc []byte) error {
	switch {
	case rep.encoding == asYAML:
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
func send(w http.ResponseWriter, rep representation, code int, body []byte) {
	if zip := begin(w, rep, code, len(body), true); zip != nil {
		_, _ = zip.Write(body) // the client is gone; nobody is left to be told
		endGzip(zip)
		return
	}
	_, _ = w.Write(body) // as above
}

var (
	noStore = []string{"no-cache, private"}
	newline = []byte("\n")
)

// begin sends the headers of an answer of so many bytes or, if it is not whole, of one that begins
// with so many. It returns where to write it to if it is to be compressed.
func begin(w http.ResponseWriter, rep representation, code, size int, whole bool) *gzip.Writer {
	h := w.Header()
	h["Content-Type"] = []string{rep.contentType()}
	if h["Cache-Control"] == nil {
		h["Cache-Control"] = noStore
	}
	compressed := rep.gzip && size > gzipFromBytes
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

// gzipFromBytes is the size beyond which an answer is compressed for clients that take that.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go,
// defaultGzipThresholdBytes and defaultGzipContentEncodingLevel
const gzipFromBytes = 128 << 10

var zips = sync.Pool{New: func() any {
	zip, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic("kube: " + err.Error()) // the level is known
	}
	return zip
}}

func endGzip(zip *gzip.Writer) {
	if zip == nil {
		return
	}
	_ = zip.Close() // fails if the client is gone
	zip.Reset(nil)
	zips.Put(zip)
}

// acceptsGzip says whether the client takes gzip. It must say so in this very word.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go,
// negotiateContentEncoding
func acceptsGzip(req *http.Request) bool {
	h := req.Header["Accept-Encoding"]
	if len(h) == 0 {
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
