package connect

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	utilproxy "k8s.io/apimachinery/pkg/util/proxy"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// backend is where a proxy forwards a request to.
type backend struct {
	location  url.URL // without a path
	transport http.RoundTripper
}

// Proxy forwards a request to a Pod, a Service or a node, and returns the answer with links and
// redirects rewritten to lead through the proxy.
//
// Source: kubernetes v1.36 pkg/registry/core/{pod/rest/subresources.go,service/proxy.go,node/rest/proxy.go}, Connect
// Differs: a content security policy gives pages an origin of their own, so that their scripts cannot
// use this API as the user who views them. Browsers get no cookies and no other headers that affect
// this server's origin (ofOrigin). A kubelet's port is emulated in process.
func (h *Handler) Proxy(w http.ResponseWriter, req *http.Request) error {
	if err := h.Reader.Fresh(req.Context()); err != nil {
		return h.Failure("get", wire.PathValue(req, "namespace"), wire.PathValue(req, "name"), err)
	}
	to, err := h.backend(req)
	if err != nil {
		return err
	}
	to.location.Path = utilnet.JoinPreservingTrailingSlash(to.location.Path, passedOn(req))
	passed := req.Clone(req.Context())
	if err := bound(passed); err != nil {
		return err
	}
	passed.URL.Path = baseOf(req.Context()) + auth.ProxiedPath(req.Context(), req.URL.Path)
	for name := range passed.Header {
		if name == "Authorization" || strings.HasPrefix(name, "Impersonate-") {
			passed.Header.Del(name) // meant for this server only
		}
	}
	reply := &proxyReply{Handler: h}
	if httpstream.IsUpgradeRequest(passed) {
		to.transport = &noUpgrade{to.transport, passed.Header.Get("Upgrade"), reply}
		passed.Header.Del("Upgrade")
		passed.Header.Del("Connection")
	}
	w.Header().Del("X-Content-Type-Options") // the Pod decides
	w.Header().Set("Content-Security-Policy", "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts")
	utilproxy.NewUpgradeAwareHandler(&to.location, to.transport, true, false, reply).ServeHTTP(w, passed)
	return nil
}

// backend returns the target of a request, from the resource and the name in its path.
func (h *Handler) backend(req *http.Request) (backend, error) {
	namespace, id := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
	switch h.Resource {
	case "pods":
		return h.podBackend(namespace, id)
	case "services":
		return h.serviceBackend(namespace, id)
	}
	return h.nodeBackend(id)
}

// passedOn returns the part of the path that is forwarded: "" or a path with a leading slash.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go, getRequestOptions
func passedOn(req *http.Request) string {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	p := strings.Join(parts[min(auth.Proxied(parts), len(parts)):], "/")
	if p != "" && !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	if strings.HasSuffix(req.URL.Path, "/") && !strings.HasSuffix(p, "/") {
		p += "/"
	}
	return p
}

// podBackend returns a port of a Pod by number; without a number, the first port that the Pod
// declares, or 80 or 443.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, ResourceLocation
func (h *Handler) podBackend(namespace, id string) (backend, error) {
	scheme, name, port, valid := utilnet.SplitSchemeNamePort(id)
	if !valid {
		return backend{}, apierrors.NewBadRequest(fmt.Sprintf("invalid pod request %q", id))
	}
	v := h.Reader.Get(object.Key{Resource: "pods", Namespace: namespace, Name: name})
	if v == nil {
		return backend{}, apierrors.NewNotFound(corev1.Resource("pods"), name)
	}
	pod := v.Object().(*corev1.Pod)
	for i := 0; port == "" && i < len(pod.Spec.Containers); i++ {
		if ports := pod.Spec.Containers[i].Ports; len(ports) > 0 {
			port = strconv.Itoa(int(ports[0].ContainerPort))
		}
	}
	return h.toPod(v, scheme, port)
}

// toPod returns a port of a Pod; "" is the default port of the scheme.
func (h *Handler) toPod(v *object.Version, scheme, port string) (backend, error) {
	pod := v.Object().(*corev1.Pod)
	if ip, err := netip.ParseAddr(pod.Status.PodIP); err != nil || !ip.IsGlobalUnicast() {
		return backend{}, apierrors.NewBadRequest("address not allowed")
	}
	number, err := portOf(port, scheme == "https")
	if err != nil {
		return backend{}, apierrors.NewServiceUnavailable("error trying to reach service: " + err.Error())
	}
	host := pod.Status.PodIP
	if port != "" {
		host = net.JoinHostPort(host, strconv.Itoa(number))
	}
	return backend{url.URL{Scheme: scheme, Host: host}, &podTransport{h, v, number}}, nil
}

// serviceBackend returns a ready endpoint of a Service's port, by number or name; "" is the unnamed
// port.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, ResourceLocation
func (h *Handler) serviceBackend(namespace, id string) (backend, error) {
	scheme, name, port, valid := utilnet.SplitSchemeNamePort(id)
	if !valid {
		return backend{}, apierrors.NewBadRequest(fmt.Sprintf("invalid service request %q", id))
	}
	if number, err := strconv.ParseInt(port, 10, 64); err == nil {
		service := h.Reader.Get(object.Key{Resource: "services", Namespace: namespace, Name: name})
		if service == nil {
			return backend{}, apierrors.NewNotFound(corev1.Resource("services"), name)
		}
		ports := service.Object().(*corev1.Service).Spec.Ports
		i := slices.IndexFunc(ports, func(p corev1.ServicePort) bool { return int64(p.Port) == number })
		if i < 0 {
			return backend{}, apierrors.NewServiceUnavailable(fmt.Sprintf("no service port %d found for service %q", number, name))
		}
		port = ports[i].Name
	}
	v := h.Reader.Get(object.Key{Resource: "endpoints", Namespace: namespace, Name: name})
	if v == nil {
		return backend{}, apierrors.NewNotFound(corev1.Resource("endpoints"), name)
	}
	subsets := v.Object().(*corev1.Endpoints).Subsets
	if len(subsets) == 0 {
		return backend{}, apierrors.NewServiceUnavailable(fmt.Sprintf("no endpoints available for service %q", name))
	}
	first := h.draw(len(subsets))
	for i := range subsets {
		subset := &subsets[(first+i)%len(subsets)]
		at := slices.IndexFunc(subset.Ports, func(p corev1.EndpointPort) bool { return p.Name == port })
		if at < 0 {
			continue
		}
		if pod := h.oneOf(namespace, subset.Addresses); pod != nil {
			return h.toPod(pod, scheme, strconv.Itoa(int(subset.Ports[at].Port)))
		}
	}
	return backend{}, apierrors.NewServiceUnavailable(fmt.Sprintf("no endpoints available for service %q", id))
}

// draw returns a random number below n.
func (h *Handler) draw(n int) int { return min(int(h.Jitter()*float64(n)), n-1) }

// oneOf returns a random Pod among those with these addresses, nil if none belongs to a Pod.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, isValidAddress
func (h *Handler) oneOf(namespace string, addresses []corev1.EndpointAddress) *object.Version {
	first := 0
	if len(addresses) > 0 {
		first = h.draw(len(addresses))
	}
	for i := range addresses {
		a := &addresses[(first+i)%len(addresses)]
		if a.TargetRef == nil || a.TargetRef.Namespace != namespace {
			continue
		}
		v := h.Reader.Get(object.Key{Resource: "pods", Namespace: namespace, Name: a.TargetRef.Name})
		if v == nil {
			continue
		}
		if slices.Contains(v.Object().(*corev1.Pod).Status.PodIPs, corev1.PodIP{IP: a.IP}) {
			return v
		}
	}
	return nil
}
