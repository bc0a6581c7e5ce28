package connect

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// Limits of a port-forward session, in real time.
//
// Source: kubernetes v1.36 staging/src/k8s.io/cri-streaming/pkg/streaming/server.go, DefaultConfig
const (
	forwardIdleTimeout     = 4 * time.Hour
	forwardCreationTimeout = 30 * time.Second
	// forwardCheck is how often a session checks that its Pod still exists.
	forwardCheck = 10 * time.Second
	// maxForwarded limits the concurrent connections of a session.
	maxForwarded = 256
)

// Forward serves a Pod's /portforward: connections to the Pod's programs, over SPDY, over SPDY in a
// websocket, or over a websocket's channels.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, PortForwardREST
func (h *Handler) Forward(w http.ResponseWriter, req *http.Request) error {
	if err := h.mayCreate(req); err != nil {
		return err
	}
	v, err := h.Target(req)
	if err != nil {
		return err
	}
	pod := v.Object().(*corev1.Pod)
	if pod.Spec.NodeName == "" {
		return apierrors.NewBadRequest(fmt.Sprintf("pod %s does not have a host assigned", pod.Name))
	}
	node := h.node(pod)
	if node == nil {
		return apierrors.NewNotFound(corev1.Resource("nodes"), pod.Spec.NodeName)
	}
	if outage.Silent(node) {
		return notDialed(node)
	}
	if !httpstream.IsUpgradeRequest(req) || req.ProtoMajor != 1 {
		return apierrors.NewBadRequest("Upgrade request required")
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	s := &session{Handler: h, pod: v.Key(), uid: string(v.UID), ctx: ctx, connections: make(chan struct{}, maxForwarded)}
	conn := &hijacked{ResponseWriter: w, ctl: http.NewResponseController(w), slow: h.SlowAfter, socket: wire.WantsSocket(req)}
	defer context.AfterFunc(ctx, conn.end)()
	go s.watch(cancel)
	if !wire.WantsSocket(req) {
		s.serve(conn, req, &portforward.V4Options{})
		return nil
	}
	if protocol := tunnelProtocol(req); protocol != "" {
		tunnel(conn, req, protocol, func(w http.ResponseWriter, req *http.Request) { s.serve(w, req, &portforward.V4Options{}) })
		return nil
	}
	opts, err := portforward.NewV4Options(req)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if len(opts.Ports) > maxForwarded {
		return apierrors.NewBadRequest(fmt.Sprintf("too many ports: limit is %d", maxForwarded))
	}
	s.serve(conn, req, opts)
	return nil
}

// mayCreate authorizes a GET that becomes a stream as a create.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, ensureAuthorizedForVerb
func (h *Handler) mayCreate(req *http.Request) error {
	about := auth.Describe(req)
	about.Verb = "create"
	return auth.Check(h.Authorizer, auth.FromContext(req.Context()), about)
}

// session forwards ports of one Pod for one client.
type session struct {
	*Handler
	pod         object.Key
	uid         string
	ctx         context.Context //nolint:containedctx // the library passes none to PortForward
	connections chan struct{}   // a slot for each open connection
}

func (s *session) serve(w http.ResponseWriter, req *http.Request, opts *portforward.V4Options) {
	portforward.ServePortForward(w, req, s, s.pod.Name, s.uid, opts, forwardIdleTimeout, forwardCreationTimeout, []string{portforward.ProtocolV1Name})
}

// watch ends the session when its Pod has ended.
func (s *session) watch(end func()) {
	tick := time.NewTicker(forwardCheck)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			if _, err := s.current(); err != nil {
				end()
				return
			}
		}
	}
}

// current returns the newest version of the Pod, or an error if it no longer runs.
func (s *session) current() (*object.Version, error) {
	v := s.Reader.Get(s.pod)
	if v == nil || string(v.UID) != s.uid {
		return nil, fmt.Errorf("pod not found (%q)", s.pod.Name+"_"+s.pod.Namespace)
	}
	pod := v.Object().(*corev1.Pod)
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return nil, fmt.Errorf("pod %q is not running", s.pod.Name+"_"+s.pod.Namespace)
	}
	if s.cutOff(pod) {
		return nil, fmt.Errorf("node %q does not answer", pod.Spec.NodeName)
	}
	return v, nil
}

// PortForward implements portforward.PortForwarder: it serves one connection until it ends. The
// error is sent to the client.
//
// Source: containerd v2.1 internal/cri/server/sandbox_portforward_linux.go, portForward
func (s *session) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	select {
	case s.connections <- struct{}{}:
		defer func() { <-s.connections }()
	default:
		return fmt.Errorf("too many connections: limit is %d", maxForwarded)
	}
	ask := func(q emulator.Query) (emulator.Answer, error) {
		v, err := s.current()
		if err != nil {
			return emulator.Answer{}, err
		}
		q.Address = "127.0.0.1"
		return s.Inside.Serve(s.ctx, v, q)
	}
	a, err := ask(emulator.Query{Kind: emulator.QueryTCP, Port: int(port)})
	switch {
	case err != nil:
		return err
	case a.Outcome != emulator.OutcomeOK:
		return fmt.Errorf("failed to execute portforward in network namespace %q: failed to connect to localhost:%d inside namespace %q, "+
			"IPv4: dial tcp4 127.0.0.1:%d: connect: connection refused IPv6 dial tcp6 [::1]:%d: connect: connection refused ",
			"/var/run/netns/cni-"+s.uid, port, strings.ReplaceAll(s.uid, "-", ""), port, port)
	case a.Raw:
		return converseRaw(stream, int(port), a, ask)
	}
	return converse(stream, int(port), ask)
}
