package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind"
)

// notFound serves custom resources, which have no routes, and answers requests for unknown paths:
// with a Status below served paths of Kubernetes' and Rowlock's APIs, with plain text elsewhere, by
// which clients detect that a group does not exist.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/handler.go, director.ServeHTTP
func notFound(c *kind.Catalogue, custom interface {
	ServeCustom(w http.ResponseWriter, req *http.Request) bool
}) http.HandlerFunc {
	groups := map[string]bool{}
	for _, k := range c.All() {
		groups[k.Group] = true
	}
	return func(w http.ResponseWriter, req *http.Request) {
		if custom.ServeCustom(w, req) {
			return
		}
		parts := strings.SplitN(req.URL.Path, "/", 4)
		switch of := parts[1]; {
		case of == "api", of == "rowlock", of == "forks", of == "apis" && len(parts) > 2 && groups[parts[2]]:
			writeError(w, req, errNotFound)
		default:
			http.NotFound(w, req)
		}
	}
}

// trimSlash removes a trailing slash from the path, unless a proxy forwards it.
func trimSlash(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if path := req.URL.Path; len(path) > 1 && path[len(path)-1] == '/' && auth.Proxied(auth.Segments(req.URL)) == 0 {
			trimmed := *req.URL
			trimmed.Path, trimmed.RawPath = strings.TrimRight(path, "/"), strings.TrimRight(trimmed.RawPath, "/")
			req = req.Clone(req.Context())
			req.URL = &trimmed
		}
		next.ServeHTTP(w, req)
	})
}

// forked passes requests for forks to the handler of forks.
func forked(forks, next http.Handler) http.Handler {
	if forks == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasPrefix(req.URL.Path, v1.ForkPrefix) {
			forks.ServeHTTP(w, req)
			return
		}
		next.ServeHTTP(w, req)
	})
}

// limitBody limits the size of bodies and the time to receive them. It allows one byte more than
// handlers do, so that they can detect the excess and answer 413.
func limitBody(l Limits, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if _, come := req.Body.(*received); !come && req.Body != nil && req.Body != http.NoBody {
			ctl := http.NewResponseController(w)
			// A writer without deadlines, as in tests, cannot have a slow client.
			until, most := time.Now().Add(l.BodyTimeout), int64(wire.MaxBodyBytes)
			_ = ctl.SetReadDeadline(until)
			body := &timedBody{ReadCloser: req.Body, ctl: ctl, until: until, perByte: time.Second / time.Duration(l.BodyRate)}
			if inner, _ := inCluster(req); control.IsUpload(inner) {
				body.patience, most = l.BodyTimeout, control.MaxUploadBytes
			}
			req.Body = http.MaxBytesReader(w, body, most+1)
		}
		next.ServeHTTP(w, req)
	})
}

// timedBody is a body with a read deadline. The deadline is lifted at the end of the body, so that
// it does not cut off a long answer.
type timedBody struct {
	io.ReadCloser
	ctl     *http.ResponseController
	until   time.Time
	perByte time.Duration // extends the deadline
	// patience, if not zero, is the time for each read of the body, instead of for the whole body.
	patience time.Duration
}

// Read extends the deadline for the bytes read, and lifts it at the end.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case errors.Is(err, io.EOF):
		_ = b.ctl.SetReadDeadline(time.Time{}) // best effort, as where it was set
	case b.patience > 0 && n > 0:
		_ = b.ctl.SetReadDeadline(time.Now().Add(b.patience)) // likewise
	case err == nil:
		b.until = b.until.Add(time.Duration(n) * b.perByte)
		_ = b.ctl.SetReadDeadline(b.until)
	}
	return n, err
}

// recoverPanic turns a panic into a 500, or closes the connection if the answer has started.
func recoverPanic(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		rec := recording(w)
		defer func() {
			p := recover()
			if err, ok := p.(error); p == nil || ok && errors.Is(err, http.ErrAbortHandler) {
				if p != nil {
					panic(p)
				}
				return
			}
			log.ErrorContext(req.Context(), "panic", "method", req.Method, "path", req.URL.Path, "panic", p, "stack", string(debug.Stack()))
			if rec.code != 0 {
				panic(http.ErrAbortHandler)
			}
			writeError(w, req, errPanic)
		}()
		next.ServeHTTP(rec, req)
	})
}

// recorder records the status code of an answer.
type recorder struct {
	http.ResponseWriter
	code int
}

// recording returns the recorder of a response. All middleware shares one.
func recording(w http.ResponseWriter) *recorder {
	if r, ok := w.(*recorder); ok {
		return r
	}
	return &recorder{ResponseWriter: w}
}

// WriteHeader records the code.
func (r *recorder) WriteHeader(code int) {
	if r.code == 0 {
		r.code = code
	}
	r.ResponseWriter.WriteHeader(code)
}

// Write records 200 if no code has been set.
func (r *recorder) Write(b []byte) (int, error) {
	if r.code == 0 {
		r.code = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap gives http.ResponseController access to flushing and deadlines.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// requestID is the header with a request's ID in the log. A client may send its own.
const requestID = "Audit-Id"

// logged gives each request an ID and logs it when it ends: at debug level, or at info level if it
// took at least slow and is not long-running. It does not handle panics.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit_init.go, withAuditInit
//
// Differs: the ID in the log is never the client's, which could be that of another request. The
// client's ID is logged in addition.
func logged(log *slog.Logger, slow time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if kube.RequestID(req.Context()) != "" { // a fork's request: the server around it logs it
			next.ServeHTTP(w, req)
			return
		}
		given := req.Header.Get(requestID)
		if len(given) > 64 {
			given = ""
		}
		id := uuid.NewString()
		w.Header()[requestID] = []string{cmp.Or(given, id)}
		started := time.Now() // real time: the log is for operators
		rec, user := recording(w), auth.Anonymous
		next.ServeHTTP(rec, req.WithContext(context.WithValue(kube.WithRequestID(req.Context(), id), noted{}, &user)))
		level, took := slog.LevelDebug, time.Since(started)
		if took >= slow {
			if inner, _ := inCluster(req); !runsLong(inner) {
				level = slog.LevelInfo
			}
		}
		if !log.Enabled(req.Context(), level) {
			return
		}
		attributes := []any{
			"id", id, "user", user.Name, "method", req.Method, "path", req.URL.RequestURI(), "code", rec.code, "duration", took,
			"agent", req.UserAgent(),
		}
		if given != "" {
			attributes = append(attributes, "clientID", given)
		}
		if level == slog.LevelInfo {
			log.InfoContext(req.Context(), "slow request", attributes...)
		} else {
			log.DebugContext(req.Context(), "request", attributes...)
		}
	})
}

// noSniffing keeps browsers from guessing the type of an answer. Most answers contain what others
// have written, such as logs, on the dashboard's origin.
func noSniffing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header()["X-Content-Type-Options"] = noSniff
		next.ServeHTTP(w, req)
	})
}

// noSniff is shared by all answers and never changed.
var noSniff = []string{"nosniff"}

// noted is the context key of the user of a logged request, which authentication fills in later.
type noted struct{}

// noteUser sets the user that the log entry of a request names.
func noteUser(ctx context.Context, u *auth.User) {
	if waiting, ok := ctx.Value(noted{}).(**auth.User); ok {
		*waiting = u
	}
}
