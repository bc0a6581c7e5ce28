package api

import (
	"net/http"
	"strings"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/fault"
)

// requestOf reads out of a request's path, method and query what a fault goes by: as upstream does for authorization and audit.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go, NewRequestInfo
func requestOf(req *http.Request) *fault.Request {
	r := &fault.Request{UserAgent: req.UserAgent(), User: auth.FromContext(req.Context()).Name, Verb: verbOf[req.Method]}
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		r.Group, parts = parts[1], parts[3:]
	default:
		return r
	}
	watched := parts[0] == "watch" && len(parts) > 1
	if watched {
		parts = parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		r.Namespace = parts[1]
		if len(parts) > 2 && parts[2] != "finalize" && parts[2] != "status" {
			parts = parts[2:]
		}
	}
	r.Resource = parts[0]
	if len(parts) > 1 {
		r.Name = parts[1]
	}
	if len(parts) > 2 {
		r.Subresource = parts[2]
	}
	switch {
	case watched:
		r.Verb = "watch"
	case r.Verb == "get" && r.Name == "" && watches(req):
		r.Verb = "watch"
	case r.Verb == "get" && r.Name == "":
		r.Verb = "list"
	case r.Verb == "delete" && r.Name == "":
		r.Verb = "deletecollection"
	}
	return r
}

var verbOf = map[string]string{
	http.MethodGet: "get", http.MethodHead: "get", http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete",
}

// watches says whether the query asks for a watch.
func watches(req *http.Request) bool {
	if !strings.Contains(req.URL.RawQuery, "watch") {
		return false
	}
	asked := req.URL.Query()["watch"]
	return len(asked) > 0 && asked[0] != "false" && asked[0] != "0"
}

// mayWatch says, at the price of two looks at its address, whether a request may be a watch.
func mayWatch(req *http.Request) bool {
	return req.Method == http.MethodGet && (strings.Contains(req.URL.RawQuery, "watch") || strings.Contains(req.URL.Path, "/watch/"))
}
