package api

import (
	"net/http"
	"time"
)

// paced has clients accept answers at some pace: each piece of an answer in time, however many
// there are. A client that does not read would keep a request for ever.
func paced(timeout time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		to, ok := w.(deadlined)
		if !ok {
			next.ServeHTTP(w, req) // a writer without deadlines, as in tests, never blocks
			return
		}
		p := &pacedWriter{ResponseWriter: w, to: to, timeout: timeout}
		if req.ProtoMajor < 2 {
			p.extend() // the last request's deadline is over
		}
		next.ServeHTTP(p, req)
		p.extend() // what is left is sent when the handler has returned
	})
}

// deadlined is what a server's writers can do.
type deadlined interface{ SetWriteDeadline(at time.Time) error }

// pieceBytes is how much a client has to accept in one timeout.
const pieceBytes = 64 << 10

// pacedWriter moves the deadline of a response as it progresses. Whoever sets deadlines of their
// own does so alone from then on: streams, which write now and then.
type pacedWriter struct {
	http.ResponseWriter
	to      deadlined
	timeout time.Duration
	managed bool
}

func (p *pacedWriter) extend() { _ = p.to.SetWriteDeadline(time.Now().Add(p.timeout)) } // it fails when the connection has, as the next write will

// Write writes piece by piece.
func (p *pacedWriter) Write(b []byte) (n int, err error) {
	for !p.managed && len(b) > pieceBytes && err == nil {
		var written int
		p.extend()
		written, err = p.ResponseWriter.Write(b[:pieceBytes])
		n, b = n+written, b[written:]
	}
	if err != nil {
		return n, err
	}
	if !p.managed {
		p.extend()
	}
	rest, err := p.ResponseWriter.Write(b)
	return n + rest, err
}

// FlushError sends what has been written.
func (p *pacedWriter) FlushError() error {
	if !p.managed {
		p.extend()
	}
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// SetWriteDeadline leaves deadlines to the caller.
func (p *pacedWriter) SetWriteDeadline(at time.Time) error {
	p.managed = true
	return p.to.SetWriteDeadline(at)
}

// Unwrap lets http.ResponseController reach what is not here.
func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
