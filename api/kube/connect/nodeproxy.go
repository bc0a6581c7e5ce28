package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// nodeBackend returns a node's kubelet or, for another port, a port of the node where nothing
// listens.
//
// Source: kubernetes v1.36 pkg/registry/core/node/strategy.go, ResourceLocation
func (h *Handler) nodeBackend(id string) (backend, error) {
	scheme, name, port, valid := utilnet.SplitSchemeNamePort(id)
	if !valid {
		return backend{}, apierrors.NewBadRequest(fmt.Sprintf("invalid node request %q", id))
	}
	v := h.Reader.Get(object.Key{Resource: "nodes", Name: name})
	if v == nil {
		return backend{}, apierrors.NewNotFound(corev1.Resource("nodes"), name)
	}
	node := v.Object().(*corev1.Node)
	host := ""
	for _, a := range node.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			host = a.Address
			break
		}
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsGlobalUnicast() {
		return backend{}, apierrors.NewBadRequest("address not allowed")
	}
	own := strconv.Itoa(int(node.Status.DaemonEndpoints.KubeletEndpoint.Port))
	if port == "" || port == own {
		scheme, port = "https", own
	}
	address := net.JoinHostPort(host, port)
	return backend{url.URL{Scheme: scheme, Host: address}, &nodeTransport{h, node, address, port == own}}, nil
}

// nodeTransport sends HTTP requests to a port of a node.
type nodeTransport struct {
	*Handler
	node    *corev1.Node
	address string
	kubelet bool // it is the kubelet's port
}

// RoundTrip implements http.RoundTripper.
func (t *nodeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case outage.Silent(t.node):
		_, why := kubeletOut(t.node)
		return nil, errors.New("dial tcp " + t.address + ": " + why)
	case !t.kubelet:
		return nil, errors.New("dial tcp " + t.address + ": connect: connection refused")
	}
	code, contentType, body, err := t.answer(req)
	if err != nil {
		return nil, err
	}
	res := &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
	if req.Method == http.MethodHead {
		res.Body = http.NoBody
	}
	return res, nil
}

const textPlain = "text/plain; charset=utf-8"

// answer returns the kubelet's answer to a request.
//
// Source: kubernetes v1.36 pkg/kubelet/server/server.go, InstallDefaultHandlers
// Differs: it serves the part of a kubelet's API that follows from the cluster. The node has no log
// files.
func (t *nodeTransport) answer(req *http.Request) (code int, contentType string, body []byte, err error) {
	asked := strings.TrimSuffix(req.URL.Path, "/")
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		return http.StatusMethodNotAllowed, textPlain, []byte("405: Method Not Allowed"), nil
	}
	switch asked {
	case "/healthz", "/healthz/ping", "/healthz/syncloop":
		return http.StatusOK, textPlain, []byte("ok"), nil
	case "/pods":
		body, err = t.podList()
		return http.StatusOK, wire.MediaJSON, body, err
	case "/stats/summary":
		body, err = json.MarshalIndent(t.summary(), "", " ")
		return http.StatusOK, wire.MediaJSON, body, err
	case "/metrics":
		return http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", t.figures(), nil
	case "/logs":
		return http.StatusOK, "text/html; charset=utf-8", []byte("<!doctype html>\n<meta name=\"viewport\" content=\"width=device-width\">\n<pre>\n</pre>\n"), nil
	}
	body = fmt.Appendf(nil, "404 page not found: "+
		"rowlock emulates /healthz, /logs/, /metrics, /pods and /stats/summary of a kubelet, and not %s\n", asked)
	return http.StatusNotFound, textPlain, body, nil
}

// pods returns the Pods of the node, in order of namespace and name.
//
// Cost: these Pods.
func (t *nodeTransport) pods() (all []*corev1.Pod) {
	if t.Read != nil {
		t.Read(func(c kind.Cluster) { all = metrics.PodsOn(c, t.node.Name) })
	}
	return all
}

func (t *nodeTransport) podList() ([]byte, error) {
	list := corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}, Items: []corev1.Pod{}}
	for _, pod := range t.pods() {
		list.Items = append(list.Items, *pod)
	}
	return json.Marshal(&list)
}

// figures returns some of a kubelet's metrics: what runs on the node.
//
// Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go, RunningPodCount, RunningContainerCount and NodeName
func (t *nodeTransport) figures() []byte {
	pods := 0
	var running, exited int
	for _, pod := range t.pods() {
		before := running
		for _, s := range pod.Status.ContainerStatuses {
			switch {
			case s.State.Running != nil:
				running++
			case s.State.Terminated != nil:
				exited++
			}
		}
		if running > before {
			pods++
		}
	}
	return fmt.Appendf(nil, `# HELP kubelet_node_name [ALPHA] The node's name. The count is always 1.
# TYPE kubelet_node_name gauge
kubelet_node_name{node=%q} 1
# HELP kubelet_running_containers [ALPHA] Number of containers currently running
# TYPE kubelet_running_containers gauge
kubelet_running_containers{container_state="exited"} %d
kubelet_running_containers{container_state="running"} %d
# HELP kubelet_running_pods [ALPHA] Number of pods that have a running pod sandbox
# TYPE kubelet_running_pods gauge
kubelet_running_pods %d
`, t.node.Name, exited, running, pods)
}
