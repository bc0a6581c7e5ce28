package connect

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// node returns the Pod's node, nil if it does not exist.
func (h *Handler) node(pod *corev1.Pod) *corev1.Node {
	if v := h.Reader.Get(object.Key{Resource: "nodes", Name: pod.Spec.NodeName}); v != nil {
		return v.Object().(*corev1.Node)
	}
	return nil
}

// cutOff reports whether the Pod's node does not respond.
func (h *Handler) cutOff(pod *corev1.Pod) bool {
	node := h.node(pod)
	return node != nil && outage.Silent(node)
}

// unreachable returns the error of requesting a log from a kubelet that does not respond: a timeout
// if the node is cut off, no route if it is down.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, LogLocation; net/http, Client.Do.
func unreachable(node *corev1.Node, pod *corev1.Pod, container string, o *corev1.PodLogOptions) error {
	address, why := kubeletOut(node)
	location := url.URL{Scheme: "https", Host: address, RawQuery: askedOf(o).Encode(),
		Path: "/containerLogs/" + pod.Namespace + "/" + pod.Name + "/" + container}
	return wire.UnknownFailure(fmt.Sprintf("Get %q: dial tcp %s: %s", location.String(), address, why))
}

// notDialed returns the error of opening a stream to a kubelet that does not respond.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go, DialForUpgrade
func notDialed(node *corev1.Node) error {
	address, why := kubeletOut(node)
	return wire.UnknownFailure(fmt.Sprintf("error dialing backend: dial tcp %s: %s", address, why))
}

// kubeletOut returns the address of a kubelet that does not respond, and the reason.
func kubeletOut(node *corev1.Node) (address, why string) {
	host := node.Name
	for _, a := range node.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			host = a.Address
			break
		}
	}
	why = "i/o timeout"
	if last, had := outage.Last(node); outage.Fault(node) == outage.Failed || had && !last.Over() && last.Fault == outage.Failed {
		why = "connect: no route to host"
	}
	return net.JoinHostPort(host, strconv.Itoa(int(node.Status.DaemonEndpoints.KubeletEndpoint.Port))), why
}

// askedOf returns the options as the query of a request to a kubelet.
func askedOf(o *corev1.PodLogOptions) url.Values {
	q := url.Values{}
	flag := func(name string, is bool) {
		if is {
			q.Add(name, "true")
		}
	}
	number := func(name string, n *int64) {
		if n != nil {
			q.Add(name, strconv.FormatInt(*n, 10))
		}
	}
	flag("follow", o.Follow)
	flag("previous", o.Previous)
	flag("timestamps", o.Timestamps)
	number("sinceSeconds", o.SinceSeconds)
	if o.SinceTime != nil {
		q.Add("sinceTime", o.SinceTime.Format(time.RFC3339))
	}
	number("tailLines", o.TailLines)
	number("limitBytes", o.LimitBytes)
	return q
}
