package api

import (
	"net/http"
	"strings"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/fault"
)

// requestOf returns the attributes by which faults match a request, as authorized, and its sender.
func requestOf(req *http.Request) *fault.Request {
	a := auth.Describe(req)
	return &fault.Request{
		Verb: a.Verb, Group: a.Group, Resource: a.Resource, Subresource: a.Subresource, Namespace: a.Namespace, Name: a.Name,
		UserAgent: req.UserAgent(), User: auth.FromContext(req.Context()).Name,
	}
}

// mayWatch reports whether a request may be a watch, with two cheap string searches.
func mayWatch(req *http.Request) bool {
	return req.Method == http.MethodGet && (strings.Contains(req.URL.RawQuery, "watch") || strings.Contains(req.URL.Path, "/watch/"))
}
