package api

import (
	"net/http"
	"strings"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/fault"
)

// requestOf is what a fault goes by: what a request is about, as it is authorized, and who sends
// it.
func requestOf(req *http.Request) *fault.Request {
	a := auth.Describe(req)
	return &fault.Request{
		Verb: a.Verb, Group: a.Group, Resource: a.Resource, Subresource: a.Subresource, Namespace: a.Namespace, Name: a.Name,
		UserAgent: req.UserAgent(), User: auth.FromContext(req.Context()).Name,
	}
}

// mayWatch says, at the price of two looks at its address, whether a request may be a watch.
func mayWatch(req *http.Request) bool {
	return req.Method == http.MethodGet && (strings.Contains(req.URL.RawQuery, "watch") || strings.Contains(req.URL.Path, "/watch/"))
}
