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

// receive waits for the whole body of a request that does not last, so that a slow client holds no
// place meanwhile. The bodies that have come, of requests that are not over, have l.BodyBytes at
// most together: a request whose body goes beyond gets 429. Snapshots' files are read as they come.
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
			body.failure = err // whoever reads the body says what is wrong with it
		}
		req.Body = &body
		next.ServeHTTP(w, req)
	})
}

var errNoRoom = errors.New("the bodies of other requests take all the memory that there is for bodies")

// bodies is a pool of small buffers for request bodies.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBody(b *bytes.Buffer) {
	if b.Cap() <= 64<<10 {
		b.Reset()
		bodies.Put(b)
	}
}

// received is a body that has come, as far as it came.
type received struct {
	buf     *bytes.Buffer
	failure error // what Read ends with; nil is the end
	counted int64 // bytes
}

// Read reads what has come.
func (r *received) Read(p []byte) (int, error) {
	n, err := r.buf.Read(p)
	if errors.Is(err, io.EOF) && r.failure != nil {
		err = r.failure
	}
	return n, err
}

// Close does nothing: there is nothing to be read any more.
func (r *received) Close() error { return nil }

// counted is a body while it comes. It fails when all bodies together have become too large.
type counted struct {
	io.Reader
	body *received
	all  *atomic.Int64
	most int64
}

// Read counts what is read.
func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.body.counted += int64(n)
	if c.all.Add(int64(n)) > c.most {
		return n, errNoRoom
	}
	return n, err
}
