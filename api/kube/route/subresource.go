package route

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
)

// ProxyMethods are the methods that a proxy forwards.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, proxyMethods
var ProxyMethods = []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPatch, http.MethodPost, http.MethodPut}

// ProxyOptions are the options of the resources whose objects have a proxy, as documents describe
// them.
var ProxyOptions = map[string]any{"pods": &corev1.PodProxyOptions{}, "services": &corev1.ServiceProxyOptions{}, "nodes": &corev1.NodeProxyOptions{}}

// HasProxy reports whether a resource has a proxy.
func HasProxy(resource string) bool { return ProxyOptions[resource] != nil }

// ProxyKind returns the kind of an object's proxy in discovery.
func ProxyKind(k *kind.Kind) schema.GroupVersionKind {
	return k.GroupVersion().WithKind(k.Kind + "ProxyOptions")
}

// ReturnsDeleted lists the resources whose DELETE returns the object's last state instead of a
// Status.
//
// Source: kubernetes v1.36 pkg/registry, ReturnDeletedObject
var ReturnsDeleted = map[string]bool{
	"namespaces": true, "persistentvolumes": true, "persistentvolumeclaims": true, "pods": true, "podtemplates": true,
	"resourcequotas": true, "serviceaccounts": true, "services": true, "storageclasses.storage.k8s.io": true,
	"csidrivers.storage.k8s.io": true, "csinodes.storage.k8s.io": true, "volumeattachments.storage.k8s.io": true,
	"volumeattributesclasses.storage.k8s.io": true,
}
