package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
)

// execPods is how many Pods the commands are executed in: the clients share the first, or go from one to the next.
const execPods = 16

// measureExec has clients execute `true` over WebSockets: in one Pod, and in several. Besides the rate it shows what one costs in CPU time,
// of the server with its PostgreSQL, and of the client.
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
		servers, client := s.cpu(), ownCPU()
		each, took, err := together(ctx, o.clients, o.execs, func(ctx context.Context, i int) error {
			return s.execute(ctx, fmt.Sprintf("%s-%d", name, i%pods), "true")
		})
		if err != nil {
			return err
		}
		n := time.Duration(o.execs)
		r.rateOf(fmt.Sprintf("exec of true in %d Pods, %d clients", pods, o.clients), each, took)
		r.duration(fmt.Sprintf("  CPU time of the server and PostgreSQL for each, %d Pods", pods), (s.cpu()-servers)/n)
		r.duration(fmt.Sprintf("  CPU time of the client for each, %d Pods", pods), (ownCPU()-client)/n)
	}
	return s.stop()
}

// runBoxes makes Pods to execute commands in, and waits until they run.
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

// ownCPU is the CPU time that this process has used.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpu is the CPU time that the server has used with all processes below it, as Linux tells; 0 elsewhere. Of processes that have ended, it
// counts those that somebody has waited for.
func (s *instance) cpu() time.Duration {
	const tick = 10 * time.Millisecond
	parents, times := map[int]int{}, map[int]time.Duration{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		_, rest, _ := strings.Cut(string(b), ") ")
		f := strings.Fields(rest)
		if len(f) < 15 {
			continue
		}
		parents[pid], _ = strconv.Atoi(f[1])
		for _, field := range f[11:15] {
			n, _ := strconv.Atoi(field)
			times[pid] += time.Duration(n) * tick
		}
	}
	all := time.Duration(0)
	for pid, t := range times {
		for p := pid; p > 1; p = parents[p] {
			if p == s.command.Process.Pid {
				all += t
				break
			}
		}
	}
	return all
}
