package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/visit"
)

// Sessions join clients to processes in Pods.
type Sessions interface {
	// Run joins streams to a process until that ends, the client goes, which ends ctx, or the
	// streams fail. The error is a
	// *visit.ExitError for a command that ended with another code than 0.
	Run(ctx context.Context, pod types.UID, start visit.Start, streams visit.Streams) error
}

// The queries of exec and attach.
var (
	attachQuery = []string{"container", "stdin", "stdout", "stderr", "tty"}
	execQuery   = append([]string{"command"}, attachQuery...)
)

// asked is what a request for a session asks for.
type asked struct {
	start          visit.Start
	stdout, stderr bool
}

// sessionOptions reads the query of exec or attach.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/conversion.go and staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/httpstream.go, NewOptions
func sessionOptions(req *http.Request, executes bool) (a asked, err error) {
	q := req.URL.Query()
	is := func(name string) bool { return truthy(q.Get(name)) }
	a = asked{start: visit.Start{Container: q.Get("container"), Stdin: is("stdin"), TTY: is("tty")}, stdout: is("stdout"), stderr: is("stderr") && !is("tty")}
	if executes {
		if a.start.Command = slices.DeleteFunc(q["command"], func(s string) bool { return s == "" && len(q["command"]) == 1 }); len(a.start.Command) == 0 {
			return a, apierrors.NewBadRequest("you must specify at least one command for the container")
		}
	}
	if !a.start.Stdin && !a.stdout && !a.stderr {
		return a, apierrors.NewBadRequest("you must specify at least 1 of stdin, stdout, stderr")
	}
	return a, nil
}

// truthy is how a query's booleans are read.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/converter.go, Convert_Slice_string_To_bool
func truthy(s string) bool {
	return s != "" && s != "false" && s != "0" && s != "False" && s != "FALSE"
}

// exec serves a Pod's /exec.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, ExecREST; pkg/registry/core/pod/strategy.go, ExecLocation
func (r *resource) exec(w http.ResponseWriter, req *http.Request) error {
	return r.session(w, req, true)
}

// attach serves a Pod's /attach.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, AttachREST; pkg/registry/core/pod/strategy.go, AttachLocation
func (r *resource) attach(w http.ResponseWriter, req *http.Request) error {
	return r.session(w, req, false)
}

func (r *resource) session(w http.ResponseWriter, req *http.Request, executes bool) error {
	a, err := sessionOptions(req, executes)
	if err != nil {
		return err
	}
	v, err := r.read(req)
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
	node := r.node(pod)
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
	ctx = klog.NewContext(ctx, logr.Discard()) // the libraries log each client that goes
	serveSession(c, req.WithContext(ctx), a, func(ctx context.Context, streams visit.Streams) error {
		return worded(a, r.Sessions.Run(ctx, v.UID, a.start, streams))
	})
	return nil
}

// terminalOf says what the main process of a container has.
func terminalOf(pod *corev1.Pod, container string) (tty, stdin bool) {
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if c.Name == container {
			return c.TTY, c.Stdin
		}
	}
	for i := range pod.Spec.EphemeralContainers {
		if c := &pod.Spec.EphemeralContainers[i]; c.Name == container {
			return c.TTY, c.Stdin
		}
	}
	return false, false
}

// worded says why a session could not begin as a container runtime does.
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
