package visit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
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

// world is a Pod with one container, box, in a cluster whose clock is paused.
type world struct {
	*visit.Source
	mu     sync.Mutex
	memory []byte
	gone   bool
	now    time.Time

	sessions map[int]int32 // that outlast their visit, with the process that has the client
	replica  int32
	present  []int32

	visits, writes, begun int

	aborts func() bool // reports whether the current visit fails; nil for never
}

func newWorld() *world {
	w := &world{sessions: map[int]int32{}, now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	images := emulator.NewCatalogue()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "box", Namespace: "default", UID: "box"}}
	pod.Spec = corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "box", Image: "busybox", Command: []string{"sleep", "3600"}}}}
	started := metav1.NewTime(w.now.Add(-time.Minute))
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, StartTime: &started, PodIP: "10.0.0.1",
		ContainerStatuses: []corev1.ContainerStatus{{Name: "box", ContainerID: "c1", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}}},
	}
	w.Source = &visit.Source{
		Store: w, Sessions: w, Presences: w.presences, Kubelet: "kubelet",
		WaitFor: func(context.Context, object.Revision) error { return nil },
		Snapshot: func(_ types.UID, memory []byte, now time.Time) kubelet.Snapshot {
			return kubelet.Snapshot{Pod: pod, Node: &corev1.Node{}, Images: images, Now: now, Memory: memory}
		},
		Now:   func() time.Time { return w.now },
		Until: func(time.Time) time.Duration { return time.Hour },
	}
	return w
}

// Visit implements visit.Store.
func (w *world) Visit(_ context.Context, _ string, pod types.UID, f func(store.Visited) (store.Left, error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return store.ErrGone
	}
	left, err := f(store.Visited{Revision: 1, Memory: w.memory, Now: w.now, Sessions: slices.Collect(maps.Keys(w.sessions))})
	w.visits++
	switch {
	case err != nil:
		return err
	case w.aborts != nil && w.aborts():
		return fmt.Errorf("visit: %w", store.ErrUnavailable)
	}
	if left.Memory != nil {
		w.memory = left.Memory
		w.writes++
	}
	for _, id := range left.Begun {
		w.sessions[id] = w.replica
		w.begun++
	}
	for _, id := range left.Over {
		delete(w.sessions, id)
	}
	w.Tell(pod, left.Audible)
	return nil
}

// visited returns how often the Pod has been visited, noted how many sessions are recorded, held
// how large the memory is.
func (w *world) visited() int { return locked(w, func() int { return w.visits }) }
func (w *world) noted() int   { return locked(w, func() int { return len(w.sessions) }) }
func (w *world) held() int    { return locked(w, func() int { return len(w.memory) }) }

// joins assigns the sessions that begin from now on to a process.
func (w *world) joins(replica int32) {
	locked(w, func() int { w.replica = replica; return 0 })
}

func locked[T any](w *world, f func() T) T {
	w.mu.Lock()
	defer w.mu.Unlock()
	return f()
}

// presences returns the processes that are present.
func (w *world) presences(context.Context) ([]int32, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.present), nil
}

// Abandoned implements visit.Sessions.
func (w *world) Abandoned(_ context.Context, present []int32) (map[types.UID][]int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	abandoned := map[types.UID][]int{}
	for id, replica := range w.sessions {
		if !slices.Contains(present, replica) {
			abandoned["box"] = append(abandoned["box"], id)
		}
	}
	return abandoned, nil
}

// Forget implements visit.Sessions.
func (w *world) Forget(_ context.Context, _ types.UID, sessions ...int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range sessions {
		delete(w.sessions, id)
	}
	return nil
}

func sh(script string) visit.Start {
	return visit.Start{Container: "box", Command: []string{"sh", "-c", script}}
}

// TestRun_OutputInputAndCode: commands have them while the clock is paused.
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

// slow is a client that accepts output piece by piece.
type slow struct{ bytes int }

func (s *slow) Write(b []byte) (int, error) {
	s.bytes += len(b)
	return len(b), nil
}

// TestRun_ManyBytes: they come in pieces, and the command waits while its pipe is full.
func TestRun_ManyBytes(t *testing.T) {
	t.Parallel()
	w, to := newWorld(), &slow{}
	if err := w.Run(t.Context(), "box", sh("yes 'some words of a line' | head -c 2000000"), visit.Streams{Stdout: to}); err != nil || to.bytes != 2_000_000 {
		t.Errorf("%d bytes, %v", to.bytes, err)
	}
}

// TestRun_ClientGoes: nothing of the session stays.
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
	if n := w.joined(t); len(n)+len(w.sessions) != 0 {
		t.Errorf("sessions are left: %v, %v", n, w.sessions)
	}
}

// joined returns the sessions in the machine.
func (w *world) joined(t *testing.T) (ids []int) {
	t.Helper()
	if _, err := w.Do(t.Context(), "box", func(v *visit.Visitor) error {
		ids, v.Unchanged = v.Machine.Joined(), true
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

// TestRun_PodGoes: its commands end as by SIGKILL.
func TestRun_PodGoes(t *testing.T) {
	t.Parallel()
	w := newWorld()
	var exit *visit.ExitError
	err := w.Run(t.Context(), "box", sh("echo ready; sleep 1000"), visit.Streams{Stdout: writer(func([]byte) {
		w.mu.Lock()
		w.gone = true
		w.mu.Unlock()
		w.TellPod("box")
	})})
	if !errors.As(err, &exit) || exit.Code != 137 {
		t.Errorf("%v", err)
	}
	if err := w.Run(t.Context(), "box", sh("true"), visit.Streams{}); !errors.Is(err, visit.ErrGone) {
		t.Errorf("a Pod that is gone: %v", err)
	}
}

// TestSessions_AreBounded: sessions without a client make room.
func TestSessions_AreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for i := range 64 {
		if _, err := w.Do(t.Context(), "box", func(v *visit.Visitor) error {
			id, err := v.Machine.Execute(v.At, "box", emulator.Command{Argv: []string{"sleep", "100"}})
			w.sessions[id] = 1
			return err
		}); err != nil {
			t.Fatalf("session %d: %v", i, err)
		}
	}
	if err := w.Run(t.Context(), "box", sh("true"), visit.Streams{}); !errors.Is(err, emulator.ErrSessions) {
		t.Errorf("one more: %v", err)
	}
	clear(w.sessions)
	if err := w.Run(t.Context(), "box", sh("true"), visit.Streams{}); err != nil || len(w.joined(t)) != 0 {
		t.Errorf("when nobody has the others: %v, and %v are left", err, w.joined(t))
	}
}
