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

// Faults decides which faults on purpose happen to requests; it is injector.Injector.
type Faults interface {
	// Rules are the faults of the API that there are, in order. Without any it costs next to
	// nothing.
	Rules() []*fault.Rule
	// Take takes a turn of a rule for a request that it concerns, and says whether the fault
	// happens to it.
	Take(ctx context.Context, r *fault.Rule) bool
	// Lives says whether a fault has not ended.
	Lives(uid types.UID) bool
	// Watched has f called with each new fault of watches.
	Watched(f func(*fault.Rule))
}

// faultHeader names the fault that an answer is owed to.
const faultHeader = "Rowlock-Fault"

// flaky is the middleware that lets faults happen to requests of the Kubernetes API. It stands
// behind the login and before everything that does something, where a server that fails would: what
// a fault answers has not been done, and what it cuts off on its way back has. Faults are asked in
// the order of their making; delays add up, and the first that ends a request has.
//
// Open watches are kept in a list, so that faults that come later find them.
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
			return // there is nobody left to answer
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

// vulnerable says whether faults may happen to a path: to the Kubernetes API, and not to what says
// whether the server is well, nor to what ends faults.
func vulnerable(path string) bool {
	return path == "/api" || path == "/apis" || path == "/version" ||
		strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/apis/") || strings.HasPrefix(path, "/openapi/")
}

// pause waits in real time; false if the client went away meanwhile.
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

// readAhead reads the body before a delay: the time in which a client has to send it goes by
// meanwhile, and only then is it noticed that a client has gone. What fails is found by whoever
// reads the body next.
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

// failing is a reader that fails.
type failing struct{ error }

// Read fails.
func (f failing) Read([]byte) (int, error) { return 0, f.error }

// cutWriter lets through the head of an answer and the first half of its first piece, and swallows
// the rest.
type cutWriter struct {
	http.ResponseWriter
	cut bool
}

// Write swallows what comes after the cut.
func (c *cutWriter) Write(p []byte) (int, error) {
	if !c.cut {
		c.cut = true
		if _, err := c.ResponseWriter.Write(p[:len(p)/2]); err == nil {
			_ = http.NewResponseController(c.ResponseWriter).Flush() // the answer is about to be cut off anyway
		}
	}
	return len(p), nil
}

// Unwrap lets http.ResponseController reach deadlines.
func (c *cutWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// statusOf is the error that a rule answers, in the words of the server that would.
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

// reasonOf are the reasons by which clients know errors.
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
