package api

import (
	"net/http"
	"time"
)

// paced gives the client a deadline for each part of an answer, however many there are. Otherwise a
// client that does not read would keep a request for ever.
func paced(timeout time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		to, ok := w.(deadlined)
		if !ok {
			next.ServeHTTP(w, req) // a writer without deadlines, as in tests, does not block
			return
		}
		p := &pacedWriter{ResponseWriter: w, to: to, timeout: timeout}
		if req.ProtoMajor < 2 {
			p.extend() // replaces the previous request's deadline
		}
		next.ServeHTTP(p, req)
		p.extend() // the rest is sent after the handler returns
	})
}

// deadlined is what a server's writers implement.
type deadlined interface{ SetWriteDeadline(at time.Time) error }

// pieceBytes is the number of bytes that a client must accept within one timeout.
const pieceBytes = 64 << 10

// pacedWriter extends the write deadline as the answer progresses. A handler that sets a deadline
// takes over: streams do so, because they write only now and then.
type pacedWriter struct {
	http.ResponseWriter
	to      deadlined
	timeout time.Duration
	managed bool
	set     time.Time // when the deadline was last set; zero if not yet
}

// extend gives the client its whole time again, unless it was given less than a hundredth of that
// time ago: most answers consist of several writes in quick succession.
func (p *pacedWriter) extend() {
	now := time.Now()
	if !p.set.IsZero() && now.Sub(p.set) < p.timeout/100 {
		return
	}
	p.set = now
	_ = p.to.SetWriteDeadline(now.Add(p.timeout)) // if the connection is broken, the next write reports it
}

// Write writes pieceBytes at a time.
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

// SetWriteDeadline hands deadlines over to the caller.
func (p *pacedWriter) SetWriteDeadline(at time.Time) error {
	p.managed, p.set = true, time.Time{}
	return p.to.SetWriteDeadline(at)
}

// Unwrap gives http.ResponseController access to the rest.
func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
