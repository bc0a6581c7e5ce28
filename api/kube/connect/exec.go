package connect

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/visit"
)

// Exec serves a Pod's /exec.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, ExecREST; pkg/registry/core/pod/strategy.go, ExecLocation
func (h *Handler) Exec(w http.ResponseWriter, req *http.Request) error {
	return h.session(w, req, true)
}

// Attach serves a Pod's /attach.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, AttachREST; pkg/registry/core/pod/strategy.go, AttachLocation
func (h *Handler) Attach(w http.ResponseWriter, req *http.Request) error {
	return h.session(w, req, false)
}

func (h *Handler) session(w http.ResponseWriter, req *http.Request, executes bool) error {
	a, err := sessionOptions(req, executes)
	if err != nil {
		return err
	}
	v, err := h.Target(req)
	if err != nil {
		return err
	}
	pod := v.Object().(*corev1.Pod)
	if a.start.Container, err = logContainer(a.start.Container, pod); err != nil {
		return err
	}
	if pod.Spec.NodeName == "" {
		return apierrors.NewBadRequest("pod " + pod.Name + " does not have a host assigned")
	}
	node := h.node(pod)
	if node == nil {
		return apierrors.NewNotFound(corev1.Resource("nodes"), pod.Spec.NodeName)
	}
	if outage.Silent(node) {
		return notDialed(node)
	}
	status, ok := containerStatus(pod, a.start.Container)
	if !ok || status.State.Running == nil {
		return apierrors.NewInternalError(fmt.Errorf("unable to upgrade connection: container not found (%q)", a.start.Container))
	}
	if !httpstream.IsUpgradeRequest(req) {
		return apierrors.NewBadRequest("Upgrade request required")
	}
	if a.start.Command == nil {
		tty, stdin := terminalOf(pod, a.start.Container)
		a.start.TTY, a.start.Stdin = tty, a.start.Stdin && stdin
		a.stderr = a.stderr && !tty
	}
	c := &client{ResponseWriter: w, socket: wire.WantsSocket(req)}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	c.gone = cancel
	ctx = klog.NewContext(ctx, logr.Discard()) // the libraries would log every disconnect
	serveSession(c, req.WithContext(ctx), a, func(ctx context.Context, streams visit.Streams) error {
		return worded(a, h.Sessions.Run(ctx, v.UID, a.start, streams))
	})
	return nil
}

// worded returns a session's start error with a container runtime's text.
func worded(a asked, err error) error {
	var start *emulator.StartError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return nil
	case errors.As(err, &start) && a.start.Command != nil:
		return fmt.Errorf("failed to exec in container: failed to start exec: %w", start)
	case errors.Is(err, visit.ErrGone), errors.Is(err, visit.ErrNotRunning):
		return fmt.Errorf("container not running (%s)", a.start.Container)
	}
	var exit *visit.ExitError
	if !errors.As(err, &exit) && !errors.As(err, &start) && !errors.Is(err, emulator.ErrSessions) {
		runtime.HandleError(err)
	}
	return err
}
