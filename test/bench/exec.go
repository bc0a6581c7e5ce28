package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
)

// execPods is how many Pods the commands are executed in: the clients share the first, or go from
// one to the next.
const execPods = 16

// measureExec makes clients execute `true` over WebSockets: in one Pod, and in several.
func measureExec(ctx context.Context, o options, r *report) error {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return err
	}
	if err := runBoxes(ctx, s, execPods); err != nil {
		return err
	}
	for _, pods := range []int{1, execPods} {
		used := s.cpu()
		each, took, err := together(ctx, o.clients, o.execs, func(ctx context.Context, i int) error {
			return s.execute(ctx, fmt.Sprintf("%s-%d", name, i%pods), "true")
		})
		if err != nil {
			return err
		}
		r.rateOf(fmt.Sprintf("exec of true in %d Pods, %d clients", pods, o.clients), each, took, s.cpu().minus(used))
	}
	return s.stop()
}

// runBoxes creates Pods to execute commands in, and waits until they run.
func runBoxes(ctx context.Context, s *instance, n int) error {
	if err := defaultServiceAccount(ctx, s.client, namespace); err != nil {
		return err
	}
	pods := s.client.CoreV1().Pods(namespace)
	for i := range n {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, i)}}
		pod.Spec.Containers = []corev1.Container{{Name: "main", Image: "busybox", Command: []string{"sleep", "1000000"}}}
		if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for {
		list, err := pods.List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Running"})
		if err != nil || len(list.Items) == n {
			return err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// execute executes a command in a Pod and waits for its end.
func (s *instance) execute(ctx context.Context, pod string, command ...string) error {
	req := s.client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Command: command, Stdout: true, Stderr: true}, scheme.ParameterCodec)
	e, err := remotecommand.NewWebSocketExecutor(&rest.Config{Host: s.url}, http.MethodGet, req.URL().String())
	if err != nil {
		return err
	}
	return e.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: io.Discard, Stderr: io.Discard})
}
