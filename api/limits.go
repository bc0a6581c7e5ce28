package api

import (
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Limits bound what clients can take of a server. A zero field has its default. All times are real.
type Limits struct {
	// Connections may be open at a time, 4,096 unless it says otherwise. A further one takes the
	// place of the oldest whose client has not shown who it is, or waits. Streams is how many
	// requests may be under way on one connection of HTTP/2: 100, as upstream has it.
	Connections, Streams int
	// Mutating, ReadOnly and LongRunning requests may be under way at a time: 200, 400 and 10,000.
	// Long running are watches, logs that are followed, and whoever asks to be kept waiting.
	// Waiting others of each class wait their turn, 2,000, for Patience, five seconds; who comes to
	// no turn gets 429.
	Mutating, ReadOnly, LongRunning int
	Waiting                         int
	Patience                        time.Duration
	// BodyBytes is how much of the bodies of requests is in memory at a time, 256 MiB; further ones
	// get 429. A request takes its place when its body has come.
	BodyBytes int
	// HeaderBytes bound a request's line and headers, 256 KiB; HeaderFields their number, 256;
	// URLBytes the URL, 64 KiB.
	HeaderBytes, HeaderFields, URLBytes int
	// HeaderTimeout is how long headers may take, ten seconds, IdleTimeout how long a connection
	// may wait for its next request, two minutes.
	HeaderTimeout, IdleTimeout time.Duration
	// BodyTimeout is how long a body may take, half a minute, and a second longer for each BodyRate
	// bytes that have come: 16 KiB, so that the largest may take four minutes.
	BodyTimeout time.Duration
	BodyRate    int
	// WriteTimeout is how long a client may take to accept a piece of 64 KiB of an answer: a
	// minute.
	WriteTimeout time.Duration
	// Slow is how long a request may take before the server's log tells of it: two seconds.
	Slow time.Duration
}

// WithDefaults is the limits with defaults for what they do not say.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/config.go, NewConfig, MaxRequestsInFlight and
// MaxMutatingRequestsInFlight; .../pkg/server/secure_serving.go, Serve, MaxConcurrentStreams
func (l Limits) WithDefaults() Limits {
	number := func(to *int, value int) {
		if *to == 0 {
			*to = value
		}
	}
	span := func(to *time.Duration, value time.Duration) {
		if *to == 0 {
			*to = value
		}
	}
	number(&l.Connections, 4096)
	number(&l.Streams, 100)
	number(&l.Mutating, 200)
	number(&l.ReadOnly, 400)
	number(&l.LongRunning, 10_000)
	number(&l.Waiting, 2000)
	span(&l.Patience, 5*time.Second)
	number(&l.BodyBytes, 256<<20)
	number(&l.HeaderBytes, 256<<10)
	number(&l.HeaderFields, 256)
	number(&l.URLBytes, 64<<10)
	span(&l.HeaderTimeout, 10*time.Second)
	span(&l.IdleTimeout, 2*time.Minute)
	span(&l.BodyTimeout, 30*time.Second)
	number(&l.BodyRate, 16<<10)
	span(&l.WriteTimeout, time.Minute)
	span(&l.Slow, 2*time.Second)
	return l
}

// limitHeader refuses requests with too long a URL or too many headers. What all of it may weigh is
// bounded before, by the server.
func limitHeader(l Limits, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		fields := 0
		for _, values := range req.Header {
			fields += len(values)
		}
		switch {
		case len(req.RequestURI) > l.URLBytes:
			writeError(w, req, excessive(http.StatusRequestURITooLong, fmt.Sprintf("the URL is too long: limit is %d", l.URLBytes)))
		case fields > l.HeaderFields:
			writeError(w, req, excessive(http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("there are too many headers: limit is %d", l.HeaderFields)))
		default:
			next.ServeHTTP(w, req)
		}
	})
}

func excessive(code int32, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: metav1.StatusReasonBadRequest, Message: message,
	}}
}
