package api

import (
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Limits bound the resources that clients use. A zero field means its default. All durations are in
// real time.
type Limits struct {
	// Connections is the maximum number of open connections, by default 4,096. A further connection
	// replaces the oldest whose client has not authenticated, or waits. Streams is the maximum
	// number of concurrent requests on one HTTP/2 connection, by default 100 as upstream.
	Connections, Streams int
	// Mutating, ReadOnly and LongRunning are the maximum numbers of concurrent requests, by default
	// 200, 400 and 10,000. Watches, logs with follow and requests that wait are long-running. In
	// each class, up to Waiting further requests, by default 2,000, wait for up to Patience, by
	// default five seconds. Requests that get no slot are answered with 429.
	Mutating, ReadOnly, LongRunning int
	Waiting                         int
	Patience                        time.Duration
	// BodyBytes is the maximum total size of request bodies in memory, by default 256 MiB; further
	// requests get 429. A request takes a slot only when its body has arrived.
	BodyBytes int
	// HeaderBytes limits a request's line and headers, by default 256 KiB; HeaderFields their
	// number, 256; URLBytes the URL, 64 KiB.
	HeaderBytes, HeaderFields, URLBytes int
	// HeaderTimeout is the time to receive headers, by default ten seconds; IdleTimeout is how long
	// a connection may wait for its next request, two minutes.
	HeaderTimeout, IdleTimeout time.Duration
	// BodyTimeout is the time to receive a body, by default half a minute. It grows by one second
	// for each BodyRate bytes received, by default 16 KiB, so that the largest body may take four
	// minutes.
	BodyTimeout time.Duration
	BodyRate    int
	// WriteTimeout is how long a client may take to accept 64 KiB of an answer, by default one
	// minute.
	WriteTimeout time.Duration
	// Slow is the duration from which a request is logged as slow, by default two seconds.
	Slow time.Duration
}

// WithDefaults returns the limits with zero fields set to their defaults.
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

// limitHeader rejects requests whose URL is too long or that have too many headers. The server
// itself limits their total size.
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
