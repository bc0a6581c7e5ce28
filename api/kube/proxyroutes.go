package kube

import (
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
)

// proxyMethods are those that a proxy passes on.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, proxyMethods
var proxyMethods = []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPatch, http.MethodPost, http.MethodPut}

// proxyOptionsOf are the options of the resources whose objects have a proxy, as documents describe
// them.
var proxyOptionsOf = map[string]any{"pods": &corev1.PodProxyOptions{}, "services": &corev1.ServiceProxyOptions{}, "nodes": &corev1.NodeProxyOptions{}}

// hasProxy says whether what is sent to an object's proxy is passed on.
func hasProxy(resource string) bool { return proxyOptionsOf[resource] != nil }

// proxyOptions is the kind by which discovery tells of an object's proxy.
func proxyOptions(k *kind.Kind) schema.GroupVersionKind {
	return k.GroupVersion().WithKind(k.Kind + "ProxyOptions")
}

// proxyRoutes lists the paths below an object that are passed on.
func (r *resource) proxyRoutes(object, about string) []route {
	serve := r.reaching().Proxy
	var out []route
	for _, method := range proxyMethods {
		verb := "connect" + title(strings.ToLower(method))
		summary := "connect " + method + " requests to proxy of " + r.kind.Kind
		out = append(out,
			route{method: method, path: object + "/proxy", verb: verb, name: about + "Proxy", summary: summary, any: true, serve: serve},
			route{method: method, path: object + "/proxy/{path}", verb: verb, name: about + "ProxyWithPath", summary: summary, any: true, rest: true, serve: serve},
		)
	}
	return out
}
