package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fault"
)

// Faults decides which requests injected faults affect. It is implemented by injector.Injector.
type Faults interface {
	// Rules returns the API faults in order of creation. It is cheap when there are none.
	Rules() []*fault.Rule
	// Take counts a request that matches a rule and reports whether the fault affects it.
	Take(ctx context.Context, r *fault.Rule) bool
	// Lives reports whether a fault is still in force.
	Lives(uid types.UID) bool
	// Watched registers f, which is called with each new fault of watches.
	Watched(f func(*fault.Rule))
}

// faultHeader names the fault that caused an answer.
const faultHeader = "Rowlock-Fault"

// flaky is the middleware that applies faults to requests of the Kubernetes API. It runs after
// authentication and authorization, and before any effects, like a failing server: a request that a
// fault answers has no effect; one whose answer a fault cuts off has had its effect. Faults apply
// in order of creation; delays add up, and the first fault that ends a request wins.
//
// It keeps a list of open watches, so that later faults affect them too.
type flaky struct {
	faults  Faults
	next    http.Handler
	watches openWatches
}

func newFlaky(faults Faults, next http.Handler) http.Handler {
	f := &flaky{faults: faults, next: next, watches: openWatches{open: map[*openWatch]struct{}{}}}
	faults.Watched(f.sweep)
	return f
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	rules, watch := f.faults.Rules(), mayWatch(req)
	if len(rules) == 0 && !watch || !vulnerable(req.URL.Path) {
		f.next.ServeHTTP(w, req)
		return
	}
	about := requestOf(req)
	if about.Verb == "watch" {
		f.serveWatch(w, req, about)
		return
	}
	for _, r := range rules {
		if r.API.Watch != "" || !r.Concerns(about, time.Now()) || !f.faults.Take(req.Context(), r) {
			continue
		}
		w.Header().Add(faultHeader, r.Name)
		if r.Delay > 0 {
			readAhead(req)
		}
		if !pause(req.Context(), r.Delay) {
			return // the client has disconnected
		}
		switch {
		case r.API.Drop == fault.Before:
			panic(http.ErrAbortHandler)
		case r.API.Drop == fault.After:
			f.next.ServeHTTP(&cutWriter{ResponseWriter: w}, req)
			panic(http.ErrAbortHandler)
		case r.API.Conflict || r.API.Status != 0:
			writeError(w, req, statusOf(r, about))
			return
		}
	}
	f.next.ServeHTTP(w, req)
}

// vulnerable reports whether faults may affect a path: those of the Kubernetes API, except health
// checks and the operations that end faults.
func vulnerable(path string) bool {
	return path == "/api" || path == "/apis" || path == "/version" ||
		strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/apis/") || strings.HasPrefix(path, "/openapi/")
}

// pause waits in real time. It returns false if the client disconnects first.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// readAhead reads the body before a delay, because the client's deadline for sending it keeps
// running, and a disconnect is noticed only after the body is read. The next reader of the body
// gets any error.
func readAhead(req *http.Request) {
	if req.Body == nil || req.Body == http.NoBody {
		return
	}
	body, err := io.ReadAll(req.Body)
	rest := io.Reader(bytes.NewReader(body))
	if err != nil {
		rest = io.MultiReader(rest, failing{err})
	}
	req.Body = struct {
		io.Reader
		io.Closer
	}{rest, req.Body}
}

// failing is a reader that always fails.
type failing struct{ error }

// Read returns the error.
func (f failing) Read([]byte) (int, error) { return 0, f.error }

// cutWriter passes the header of an answer and the first half of its first write, and drops the
// rest.
type cutWriter struct {
	http.ResponseWriter
	cut bool
}

// Write drops data after the cut.
func (c *cutWriter) Write(p []byte) (int, error) {
	if !c.cut {
		c.cut = true
		if _, err := c.ResponseWriter.Write(p[:len(p)/2]); err == nil {
			_ = http.NewResponseController(c.ResponseWriter).Flush() // the answer is about to be cut off anyway
		}
	}
	return len(p), nil
}

// Unwrap gives http.ResponseController access to deadlines.
func (c *cutWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// statusOf returns a rule's error, with the text of the component that would return it.
func statusOf(r *fault.Rule, about *fault.Request) *apierrors.StatusError {
	resource := schema.GroupResource{Group: about.Group, Resource: about.Resource}
	if r.API.Conflict {
		return apierrors.NewConflict(resource, about.Name, errOptimisticLock)
	}
	s := metav1.Status{
		Status: metav1.StatusFailure, Code: int32(r.API.Status), Reason: reasonOf[r.API.Status], Message: r.API.Message,
		Details: &metav1.StatusDetails{Group: about.Group, Kind: about.Resource, Name: about.Name},
	}
	if s.Message == "" {
		s.Message = "fault " + r.Name + ": " + messageOf(r.API.Status)
	}
	seconds := int32(r.RetryAfter / time.Second)
	if seconds == 0 && r.API.Status == http.StatusTooManyRequests {
		seconds = 1
	}
	s.Details.RetryAfterSeconds = seconds
	return &apierrors.StatusError{ErrStatus: s}
}

// reasonOf maps codes to the reasons by which clients recognize errors.
var reasonOf = map[int]metav1.StatusReason{
	http.StatusBadRequest:            metav1.StatusReasonBadRequest,
	http.StatusUnauthorized:          metav1.StatusReasonUnauthorized,
	http.StatusForbidden:             metav1.StatusReasonForbidden,
	http.StatusNotFound:              metav1.StatusReasonNotFound,
	http.StatusMethodNotAllowed:      metav1.StatusReasonMethodNotAllowed,
	http.StatusNotAcceptable:         metav1.StatusReasonNotAcceptable,
	http.StatusConflict:              metav1.StatusReasonConflict,
	http.StatusGone:                  metav1.StatusReasonExpired,
	http.StatusRequestEntityTooLarge: metav1.StatusReasonRequestEntityTooLarge,
	http.StatusUnsupportedMediaType:  metav1.StatusReasonUnsupportedMediaType,
	http.StatusUnprocessableEntity:   metav1.StatusReasonInvalid,
	http.StatusTooManyRequests:       metav1.StatusReasonTooManyRequests,
	http.StatusInternalServerError:   metav1.StatusReasonInternalError,
	http.StatusServiceUnavailable:    metav1.StatusReasonServiceUnavailable,
	http.StatusGatewayTimeout:        metav1.StatusReasonTimeout,
}

func messageOf(code int) string {
	if text := http.StatusText(code); text != "" {
		return text
	}
	return strconv.Itoa(code)
}
