package visit_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/visit"
)

// world is a Pod with one container, box, in a cluster whose clock stands still.
type world struct {
	*visit.Source
	mu     sync.Mutex
	memory []byte
	gone   bool
	now    time.Time
	visits int
}

func newWorld() *world {
	w := &world{now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	images := emulator.NewCatalogue()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "box", Namespace: "default", UID: "box"}}
	pod.Spec = corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "box", Image: "busybox", Command: []string{"sleep", "3600"}}}}
	started := metav1.NewTime(w.now.Add(-time.Minute))
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, StartTime: &started, PodIP: "10.0.0.1",
		ContainerStatuses: []corev1.ContainerStatus{{Name: "box", ContainerID: "c1", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}}},
	}
	w.Source = &visit.Source{
		Visit: w.visit, Kubelet: "kubelet", Real: time.Now,
		WaitFor: func(context.Context, object.Revision) error { return nil },
		Snapshot: func(_ types.UID, memory []byte, now time.Time) kubelet.Snapshot {
			return kubelet.Snapshot{Pod: pod, Node: &corev1.Node{}, Images: images, Now: now, Memory: memory}
		},
		Memory: func(context.Context, types.UID) ([]byte, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return bytes.Clone(w.memory), nil
		},
		Exists: func(types.UID) bool { return true },
		Now:    func() time.Time { return w.now },
		Until:  func(time.Time) time.Duration { return time.Hour },
	}
	return w
}

func (w *world) visit(_ context.Context, _ string, _ types.UID, f func(store.Visited) ([]byte, time.Time, error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return store.ErrGone
	}
	memory, _, err := f(store.Visited{Revision: 1, Memory: w.memory, Now: w.now})
	if w.visits++; err == nil && memory != nil {
		w.memory = memory
	}
	return err
}

func sh(script string) visit.Start {
	return visit.Start{Container: "box", Command: []string{"sh", "-c", script}}
}

// TestRun_OutputInputAndCode of commands, while the clock stands still.
func TestRun_OutputInputAndCode(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for _, test := range []struct {
		script, in, out, err string
		code                 int
	}{
		{"echo out; echo err >&2; exit 3", "", "out\n", "err\n", 3},
		{"cat; echo end", "some\nwords", "some\nwordsend\n", "", 0},
		{"head -c 5", strings.Repeat("x", 300_000), "xxxxx", "", 0},
		{"yes | head -n 3", "", "y\ny\ny\n", "", 0},
	} {
		var out, stderr bytes.Buffer
		start := sh(test.script)
		start.Stdin = test.in != ""
		code := 0
		err := w.Run(t.Context(), "box", start, visit.Streams{Stdin: strings.NewReader(test.in), Stdout: &out, Stderr: &stderr})
		if exit := (*visit.ExitError)(nil); errors.As(err, &exit) {
			code = exit.Code
		} else if err != nil {
			t.Fatalf("%s: %v", test.script, err)
		}
		if out.String() != test.out || stderr.String() != test.err || code != test.code {
			t.Errorf("%s: %q, %q and %d", test.script, out.String(), stderr.String(), code)
		}
	}
}

// slow is a client that takes what it is given piece by piece.
type slow struct{ bytes int }

func (s *slow) Write(b []byte) (int, error) {
	s.bytes += len(b)
	return len(b), nil
}

// TestRun_ManyBytes come in pieces: the command waits while its pipe is full.
func TestRun_ManyBytes(t *testing.T) {
	t.Parallel()
	w, to := newWorld(), &slow{}
	if err := w.Run(t.Context(), "box", sh("yes 'some words of a line' | head -c 5000000"), visit.Streams{Stdout: to}); err != nil || to.bytes != 5_000_000 {
		t.Errorf("%d bytes, %v", to.bytes, err)
	}
}

// TestRun_ClientGoes, and nothing of the session stays.
func TestRun_ClientGoes(t *testing.T) {
	t.Parallel()
	w := newWorld()
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close() //nolint:errcheck // it cannot fail
	start := sh("echo ready; cat; sleep 5")
	start.Stdin = true
	err := w.Run(ctx, "box", start, visit.Streams{Stdin: in, Stdout: writer(func([]byte) { cancel() })})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := w.Do(t.Context(), "box", func(v *visit.Visitor) error {
		if n := v.Machine.Beat(0, time.Now().Add(time.Hour), time.Minute); len(n) != 0 {
			t.Errorf("sessions are left: %v", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

// TestRun_PodGoes ends its commands as SIGKILL does.
func TestRun_PodGoes(t *testing.T) {
	t.Parallel()
	w := newWorld()
	var exit *visit.ExitError
	err := w.Run(t.Context(), "box", sh("echo ready; sleep 1000"), visit.Streams{Stdout: writer(func([]byte) {
		w.mu.Lock()
		w.gone = true
		w.mu.Unlock()
		w.Touch("box")
	})})
	if !errors.As(err, &exit) || exit.Code != 137 {
		t.Errorf("%v", err)
	}
	if err := w.Run(t.Context(), "box", sh("true"), visit.Streams{}); !errors.Is(err, visit.ErrGone) {
		t.Errorf("a Pod that is gone: %v", err)
	}
}

// TestSessions_AreBounded, and those of servers that have died make room.
func TestSessions_AreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld()
	begin := func(after time.Duration) (err error) {
		_, err = w.Do(t.Context(), "box", func(v *visit.Visitor) error {
			v.Reap(time.Now().Add(after), 0)
			id, err := v.Machine.Execute(v.At, "box", emulator.Command{Argv: []string{"sleep", "100"}})
			v.Reap(time.Now().Add(after), id)
			return err
		})
		return err
	}
	for i := range 64 {
		if err := begin(0); err != nil {
			t.Fatalf("session %d: %v", i, err)
		}
	}
	if err := begin(time.Minute); !errors.Is(err, emulator.ErrSessions) {
		t.Errorf("one more: %v", err)
	}
	if err := begin(time.Hour); err != nil {
		t.Errorf("when the others have been silent for an hour: %v", err)
	}
}
