package api

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
)

// limitInFlight bounds how many requests are under way, each class of them apart, so that none keeps the others out. Who finds no
// place waits for a while, and then gets 429.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/filters/maxinflight.go, WithMaxInFlightLimit
//
// Differs: requests wait, as they do with upstream's priority and fairness; masters wait like everybody, because everybody is one on a
// server without a login; long-running requests have a bound too; health checks have none, as they tell whether the server is overloaded.
func limitInFlight(l Limits, next http.Handler) http.Handler {
	mutating, readOnly, longRunning := newPlaces(l.Mutating, l), newPlaces(l.ReadOnly, l), newPlaces(l.LongRunning, l)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var p *places
		switch {
		case runsLong(req):
			p = longRunning
		case req.Method != http.MethodGet && req.Method != http.MethodHead:
			p = mutating
		case isHealth(req.URL.Path):
			next.ServeHTTP(w, req)
			return
		default:
			p = readOnly
		}
		if !p.take(req.Context()) {
			writeError(w, req, apierrors.NewTooManyRequests("Too many requests, please try again later.", 1))
			return
		}
		defer p.leave()
		next.ServeHTTP(w, req)
	})
}

// isHealth says whether a path tells how the server is.
func isHealth(path string) bool { return path == "/livez" || path == "/readyz" || path == "/healthz" }

// runsLong says whether a request is meant to last: a watch, a log that is followed, a session in a
// Pod, one that a proxy passes on, ports that are forwarded, or one that asks to be kept waiting. A
// query that hides it, as in w%61tch=1, has its request counted among the others.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/filters/longrunning.go, BasicLongRunningRequestCheck
func runsLong(req *http.Request) bool {
	path, query := req.URL.Path, req.URL.RawQuery
	if strings.HasPrefix(path, "/rowlock/") {
		return strings.Contains(query, "wait=") || strings.Contains(query, "watch=") && auth.Watches(req.URL.Query())
	}
	if strings.Contains(path, "/proxy") && auth.Proxied(auth.Segments(req.URL)) > 0 {
		return true
	}
	if strings.HasSuffix(path, "/portforward") {
		return true
	}
	if strings.HasSuffix(path, "/exec") || strings.HasSuffix(path, "/attach") {
		s := auth.Describe(req).Subresource
		return s == "exec" || s == "attach"
	}
	if req.Method != http.MethodGet {
		return false
	}
	switch {
	case strings.Contains(query, "watch="):
		return auth.Watches(req.URL.Query())
	case strings.Contains(query, "follow="):
		return strings.HasSuffix(path, "/log")
	}
	return strings.Contains(path, "/watch/") && auth.Describe(req).Verb == "watch"
}

// places are how many requests of a class may be under way.
type places struct {
	taken    chan struct{}
	waiting  atomic.Int64
	most     int64 // who may wait at a time
	patience time.Duration
}

func newPlaces(n int, l Limits) *places {
	return &places{taken: make(chan struct{}, n), most: int64(l.Waiting), patience: l.Patience}
}

// take takes a place, if there is one soon.
func (p *places) take(ctx context.Context) bool {
	select {
	case p.taken <- struct{}{}:
		return true
	default:
	}
	defer p.waiting.Add(-1)
	if p.waiting.Add(1) > p.most {
		return false
	}
	enough := time.NewTimer(p.patience)
	defer enough.Stop()
	select {
	case p.taken <- struct{}{}:
		return true
	case <-enough.C:
	case <-ctx.Done():
	}
	return false
}

func (p *places) leave() { <-p.taken }
