package api

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/control"
)

// receive reads the whole body of a request that is not long-running before it takes a slot, so
// that slow clients hold none. The bodies of running requests may have l.BodyBytes in total; a
// request that exceeds that gets 429. Snapshot files are streamed.
func receive(l Limits, next http.Handler) http.Handler {
	var held atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		inner, _ := inCluster(req)
		if req.Body == nil || req.Body == http.NoBody || runsLong(inner) || control.IsUpload(inner) {
			next.ServeHTTP(w, req)
			return
		}
		body := received{buf: bodies.Get().(*bytes.Buffer)}
		defer func() { putBody(body.buf); held.Add(-body.counted) }()
		from := counted{req.Body, &body, &held, int64(l.BodyBytes)}
		if _, err := body.buf.ReadFrom(from); errors.Is(err, errNoRoom) {
			writeError(w, req, apierrors.NewTooManyRequests("Too many requests with large bodies, please try again later.", 1))
			return
		} else if err != nil {
			body.failure = err // the reader of the body reports it
		}
		req.Body = &body
		next.ServeHTTP(w, req)
	})
}

var errNoRoom = errors.New("the bodies of other requests use all the memory for bodies")

// bodies is a pool of small buffers for request bodies.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBody(b *bytes.Buffer) {
	if b.Cap() <= 64<<10 {
		b.Reset()
		bodies.Put(b)
	}
}

// received is a body that has been read into memory, as far as that succeeded.
type received struct {
	buf     *bytes.Buffer
	failure error // returned by Read at the end; nil means io.EOF
	counted int64 // bytes
}

// Read reads the received bytes.
func (r *received) Read(p []byte) (int, error) {
	n, err := r.buf.Read(p)
	if errors.Is(err, io.EOF) && r.failure != nil {
		err = r.failure
	}
	return n, err
}

// Close does nothing: everything has been read.
func (r *received) Close() error { return nil }

// counted is a body being received. It fails when the total of all bodies exceeds the limit.
type counted struct {
	io.Reader
	body *received
	all  *atomic.Int64
	most int64
}

// Read counts the bytes that it reads.
func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.body.counted += int64(n)
	if c.all.Add(int64(n)) > c.most {
		return n, errNoRoom
	}
	return n, err
}
