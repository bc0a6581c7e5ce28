package chaos_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// execute executes a script in a Pod through one replica.
func (r *replica) execute(ctx context.Context, pod, script string, tty bool, streams remotecommand.StreamOptions) error {
	r.mu.Lock()
	url, client := r.url, r.client
	r.mu.Unlock()
	req := client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("exec").VersionedParams(
		&corev1.PodExecOptions{Command: []string{"sh", "-c", script}, Stdin: streams.Stdin != nil, Stdout: true, Stderr: !tty, TTY: tty}, scheme.ParameterCodec)
	e, err := remotecommand.NewWebSocketExecutor(&rest.Config{Host: url}, http.MethodGet, req.URL().String())
	if err != nil {
		return err
	}
	streams.Tty = tty
	return e.StreamWithContext(ctx, streams)
}

// output returns the output of a script that is executed through one replica.
func (r *replica) output(ctx context.Context, pod, script string) string {
	r.t.Helper()
	var out, stderr bytes.Buffer
	if err := r.execute(ctx, pod, script, false, remotecommand.StreamOptions{Stdout: &out, Stderr: &stderr}); err != nil {
		r.t.Errorf("%s: %s: %v, %s", r.name, script, err, stderr.String())
	}
	return out.String()
}

// screen is what a client has seen of a session.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

// await waits until it shows a text.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	seen := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		seen = s.text.String()
		s.mu.Unlock()
		if strings.Contains(seen, text) {
			return
		}
	}
	t.Fatalf("a client sees %q, never %q", seen, text)
}

// TestKill_SessionsEnd: sessions end with the process that has their clients, and no others do.
// Before that, a session at another replica sees what one session does, and the same command runs
// once for each client that requests it.
func TestKill_SessionsEnd(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 2))
	do(c, "pods", func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		return client.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "box"}, Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "c", Image: "busybox", Command: []string{"sleep", "100000"}}},
		}}, metav1.CreateOptions{})
	})
	do(c, "pods", func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		for {
			pod, err := client.CoreV1().Pods(namespace).Get(ctx, "box", metav1.GetOptions{})
			if err != nil || pod.Status.Phase == corev1.PodRunning {
				return pod, err
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	begin := func(r *replica, script string, tty bool) *screen {
		s := &screen{}
		in, _ := io.Pipe()
		running.Go(func() {
			_ = r.execute(ctx, "box", script, tty, remotecommand.StreamOptions{Stdin: in, Stdout: s})
		})
		running.Go(func() { <-ctx.Done(); _ = in.Close() })
		s.await(t, "ready")
		return s
	}
	first, second := c.replicas[0], c.replicas[1]
	doomed := begin(first, "trap 'echo told' USR1; echo $$ >/tmp/doomed; echo ready; while :; do sleep 54321 & wait; done", true)
	lives := begin(second, "trap 'echo told' USR1; echo $$ >/tmp/lives; echo ready; while :; do sleep 12345 & wait; done", true)
	second.output(ctx, "box", "kill -USR1 $(cat /tmp/doomed)")
	doomed.await(t, "told")

	var both sync.WaitGroup
	for _, r := range c.replicas {
		both.Go(func() {
			for range 10 {
				r.output(ctx, "box", "echo line >>/tmp/lines")
			}
		})
	}
	both.Wait()
	if n := strings.TrimSpace(second.output(ctx, "box", "wc -l </tmp/lines")); n != fmt.Sprint(20) {
		t.Errorf("twenty commands have written %s lines", n)
	}

	first.kill()
	for strings.Contains(second.output(ctx, "box", "ps"), "54321") && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	second.output(ctx, "box", "kill -USR1 $(cat /tmp/lives)")
	lives.await(t, "told")
}
