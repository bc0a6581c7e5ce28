package connect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// leastLogPause is the shortest time between two reads of a log without a change.
const leastLogPause = 50 * time.Millisecond

// Log serves GET of a Pod's /log: what a container has written and, with follow, what it writes
// from then on.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/log.go and pkg/registry/core/pod/strategy.go, LogLocation
// Differs: stream is supported, as with the feature gate PodLogsQuerySplitStreams.
func (h *Handler) Log(w http.ResponseWriter, req *http.Request) error {
	name := wire.PathValue(req, "name")
	opts, err := LogOptions(req, name)
	if err != nil {
		return err
	}
	v, err := h.Target(req)
	if err != nil {
		return err
	}
	pod := v.Object().(*corev1.Pod)
	container, err := logContainer(opts.Container, pod)
	if err != nil {
		return err
	}
	if pod.Spec.NodeName == "" {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	node := h.node(pod)
	if node == nil {
		return apierrors.NewNotFound(corev1.Resource("nodes"), pod.Spec.NodeName)
	}
	if outage.Silent(node) {
		return unreachable(node, pod, container, opts)
	}
	id, err := logRun(pod, container, opts.Previous)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	log := h.Logs.Log(container, id)
	page, err := log.Read(req.Context(), v)
	if err != nil {
		return h.Failure("get", pod.Namespace, name, err)
	}
	send := func(ctx context.Context, w http.ResponseWriter) {
		out := newLogWriter(w, opts, h.Now(), h.SlowAfter)
		out.begin(page)
		if opts.Follow && !page.Ended {
			h.followLog(ctx, log, v, page, out)
			return
		}
		_ = out.write(page) // the client has disconnected, or has enough
		_ = out.flush()
	}
	if wire.WantsSocket(req) {
		textOverSocket(w, req, send)
		return nil
	}
	send(req.Context(), w)
	return nil
}

// followLog writes what the run writes from now on, until the run ends, the Pod is deleted, the
// client has enough or disconnects, or the server stops.
func (h *Handler) followLog(ctx context.Context, log Log, pod *object.Version, page LogPage, out *logWriter) {
	changes, err := h.Reader.Follow(pod.Type.Resource(), pod.Namespace, pod.Revision)
	if err != nil {
		return // nothing more can be sent
	}
	defer changes.Close()
	for {
		if out.write(page) != nil || out.flush() != nil || page.Ended || pod.Verb == object.Deleted {
			return
		}
		if pod, err = nextOf(ctx, changes, pod, max(page.Again, leastLogPause)); err != nil {
			return
		}
		if pod.Verb == object.Deleted {
			page.Ended = true
			continue
		}
		if p, ok := pod.Object().(*corev1.Pod); ok && h.cutOff(p) {
			continue // no logs until the node recovers
		}
		next, err := log.Read(ctx, pod)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			page = next
		}
		// The database may be unreachable for a while; continue when it is back.
	}
}

// nextOf waits for a change of the Pod, for at most the given time, and returns its newest version.
func nextOf(ctx context.Context, changes Follow, pod *object.Version, most time.Duration) (*object.Version, error) {
	wait, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		e, err := changes.Next(wait)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return pod, nil
		case err != nil:
			return nil, err
		case e.New.UID == pod.UID:
			return e.New, nil
		}
	}
}

// logRun returns the ID of the container run whose log is shown: the current one or, if none is
// running, the last. The error says why there is none.
//
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, validateContainerLogStatus
func logRun(pod *corev1.Pod, container string, previous bool) (id string, err error) {
	s, ok := containerStatus(pod, container)
	if !ok {
		return "", fmt.Errorf("container %q in pod %q is not available", container, pod.Name)
	}
	last := ""
	if t := s.LastTerminationState.Terminated; t != nil {
		last = t.ContainerID
	}
	switch {
	case previous:
		if last == "" {
			return "", fmt.Errorf("previous terminated container %q in pod %q not found", container, pod.Name)
		}
		return last, nil
	case s.State.Running != nil:
		return s.ContainerID, nil
	case s.State.Terminated != nil && s.State.Terminated.ContainerID != "":
		return s.State.Terminated.ContainerID, nil
	case last != "":
		return last, nil
	case s.State.Terminated != nil || s.LastTerminationState.Terminated != nil:
		return "", fmt.Errorf("container %q in pod %q is terminated", container, pod.Name)
	case s.State.Waiting == nil:
		return "", fmt.Errorf("container %q in pod %q is waiting to start - no logs yet", container, pod.Name)
	}
	reason := s.State.Waiting.Reason
	switch reason {
	case "ErrImagePull":
		reason = "image can't be pulled"
	case "ImagePullBackOff":
		reason = "trying and failing to pull image"
	}
	return "", fmt.Errorf("container %q in pod %q is waiting to start: %s", container, pod.Name, reason)
}
