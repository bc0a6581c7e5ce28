package kube

import (
	"bytes"
	"encoding/json"
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

// answer is a response that leaves in pieces if it is long: JSON or protobuf, appended to buf. Whoever makes one frees it.
type answer struct {
	w    http.ResponseWriter
	rep  representation
	code int
	buf  *bytesBuffer
	// sent is true once the headers have left, and out where the body goes.
	sent bool
	zip  *gzip.Writer // nil where the body is not compressed
}

func newAnswer(w http.ResponseWriter, rep representation, code int) *answer {
	return &answer{w: w, rep: rep, code: code, buf: getBuffer()}
}

func (a *answer) free() { putBuffer(a.buf) }

// flush sends what has come together if that is enough and the representation allows it. It returns false if the client is gone.
func (a *answer) flush() bool {
	if len(a.buf.b) < answerChunkBytes || a.rep.encoding == asYAML || a.rep.pretty && a.rep.encoding == asJSON {
		return true
	}
	return a.write()
}

func (a *answer) write() bool {
	if !a.sent {
		a.sent = true
		a.zip = begin(a.w, a.rep, a.code, len(a.buf.b), false)
	}
	var err error
	if a.zip != nil {
		_, err = a.zip.Write(a.buf.b)
	} else {
		_, err = a.w.Write(a.buf.b)
	}
	a.buf.b = a.buf.b[:0]
	return err == nil
}

// finish sends the rest.
func (a *answer) finish() error {
	if !a.sent {
		return writeDocument(a.w, a.rep, a.code, a.buf.b)
	}
	a.write() // a client that is gone need not be told
	endGzip(a.zip)
	return nil
}

// writeDocument sends a complete document, JSON unless the representation is protobuf.
func writeDocument(w http.ResponseWriter, rep representation, code int, doc []byte) error {
	switch {
	case rep.encoding == asYAML:
		out, err := yaml.JSONToYAML(doc)
		if err != nil {
			return err
		}
		doc = out
	case rep.encoding == asJSON && rep.pretty:
		var out bytes.Buffer
		if err := json.Indent(&out, bytes.TrimSuffix(doc, newline), "", "  "); err != nil {
			return err
		}
		doc = out.Bytes()
	}
	if zip := begin(w, rep, code, len(doc), true); zip != nil {
		_, _ = zip.Write(doc) // the client is gone; nobody is left to be told
		endGzip(zip)
		return nil
	}
	_, _ = w.Write(doc) // as above
	return nil
}

var (
	noStore = []string{"no-cache, private"}
	newline = []byte("\n")
)

// begin sends the headers of an answer of so many bytes or, if it is not whole, of one that begins with so many.
// It returns where to write it to if it is to be compressed.
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
