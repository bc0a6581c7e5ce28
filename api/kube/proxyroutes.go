package kube

import "github.com/rowlock/rowlock/api/kube/route"

// proxyRoutes lists the forwarded paths below an object.
func (r *resource) proxyRoutes(object route.Place) []route.Route {
	serve, proxy := r.reaching().Proxy, object.Below("proxy")
	to := "proxy of " + r.Kind.Kind
	var out []route.Route
	for _, method := range route.ProxyMethods {
		out = append(out,
			proxy.Connect(method, to, nil, serve),
			proxy.WithPath().Connect(method, to, nil, serve),
		)
	}
	return out
}
