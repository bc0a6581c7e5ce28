package kube

import (
	"strings"

	"github.com/rowlock/rowlock/api/kube/route"
)

// proxyRoutes lists the forwarded paths below an object.
func (r *resource) proxyRoutes(object, about string) []route.Route {
	serve := r.reaching().Proxy
	var out []route.Route
	for _, method := range route.ProxyMethods {
		verb := "connect" + route.Title(strings.ToLower(method))
		summary := "connect " + method + " requests to proxy of " + r.Kind.Kind
		out = append(out,
			route.Route{Method: method, Path: object + "/proxy", Verb: verb, Name: about + "Proxy", Summary: summary, Any: true, Serve: serve},
			route.Route{Method: method, Path: object + "/proxy/{path}", Verb: verb, Name: about + "ProxyWithPath", Summary: summary, Any: true, Rest: true, Serve: serve},
		)
	}
	return out
}
