package api

import (
	"net/http"
	"strconv"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/api/v1"
)

// limitInFlight limits the number of concurrent requests, separately for each class, so that no
// class blocks another. Requests that wait longer than Patience for a slot get 429.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/filters/maxinflight.go, WithMaxInFlightLimit
//
// Differs: requests wait, as with upstream's priority and fairness. Masters wait like others,
// because every user of a server without a login is one. Long-running requests are limited too.
// Health checks are not, because they report whether the server is overloaded.
func limitInFlight(l Limits, m *metrics, next http.Handler) http.Handler {
	mutating, readOnly, longRunning := newQueue(l.Mutating, l), newQueue(l.ReadOnly, l), newQueue(l.LongRunning, l)
	m.watch(mutating, readOnly, longRunning)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		inner, fork := inCluster(req)
		key := flowOf(inner)
		key.fork = fork
		var q *queue
		switch {
		case runsLong(inner):
			q, key.level = longRunning, forSystem // slots are held for hours: no priorities
		case req.Method != http.MethodGet && req.Method != http.MethodHead:
			q = mutating
		case isHealth(req.URL.Path):
			next.ServeHTTP(w, req)
			return
		default:
			q = readOnly
		}
		leave := q.take(req.Context(), key)
		if leave == nil {
			writeError(w, req, apierrors.NewTooManyRequests("Too many requests, please try again later.", 1))
			return
		}
		defer leave()
		next.ServeHTTP(w, req)
	})
}

// inCluster returns a request as the cluster that serves it sees it: without the prefix of a fork's
// path. It also returns the fork's name, "" for the server itself.
func inCluster(req *http.Request) (inner *http.Request, fork string) {
	below, is := strings.CutPrefix(req.URL.Path, v1.ForkPrefix)
	if !is {
		return req, ""
	}
	fork, path, _ := strings.Cut(below, "/")
	at, copied := *req.URL, *req
	at.Path, at.RawPath, copied.URL = "/"+path, "", &at
	return &copied, fork
}

// flowOf returns the flow and level in which a request waits. Without a login, all users are one,
// so the flow depends on the User-Agent.
func flowOf(req *http.Request) flowKey {
	about, user := auth.Describe(req), auth.FromContext(req.Context()).Name
	agent, _, _ := strings.Cut(req.UserAgent(), "/")
	key := flowKey{level: forObjects, user: user, agent: agent, namespace: about.Namespace}
	switch {
	case about.Group == coordinationv1.GroupName && about.Name != "", isSystem(user):
		key.level = forSystem
	case about.Verb == "deletecollection", about.Verb == "list" && about.Name == "" && !pagedList(req), control.IsUpload(req):
		key.level = forBulk
	}
	return key
}

// isSystem reports whether a user is a component of the cluster.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go, SuggestedFlowSchemaSystemNodes,
// SuggestedFlowSchemaKubeControllerManager, SuggestedFlowSchemaKubeScheduler and
// SuggestedFlowSchemaKubeSystemServiceAccounts
func isSystem(user string) bool {
	return strings.HasPrefix(user, "system:node:") || strings.HasPrefix(user, "system:kube-") ||
		strings.HasPrefix(user, "system:serviceaccount:kube-system:")
}

// mostOfPage is the largest limit of a list that does not count as a whole list: kubectl's page
// size.
const mostOfPage = 500

// pagedList reports whether a list asks for a page.
func pagedList(req *http.Request) bool {
	if !strings.Contains(req.URL.RawQuery, "limit=") {
		return false
	}
	n, err := strconv.Atoi(req.URL.Query().Get("limit"))
	return err == nil && n > 0 && n <= mostOfPage
}

// isHealth reports whether a path is a health check.
func isHealth(path string) bool { return path == "/livez" || path == "/readyz" || path == "/healthz" }

// runsLong reports whether a request is long-running: a watch, a log with follow, a session in a
// Pod, a proxied request, port forwarding, or a request that waits. A query that hides it, such as
// w%61tch=1, makes the request count as an ordinary one.
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
