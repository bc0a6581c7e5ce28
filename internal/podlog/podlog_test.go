package podlog_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/podlog"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// bases has the one image of these tests.
type bases struct{ box *vfs.Base }

func (b bases) Base(string) *vfs.Base { return b.box }

// world is a Pod's memory, and a clock.
type world struct {
	t      *testing.T
	images bases
	memory []byte
	now    time.Time
	reads  atomic.Int64 // how often a machine was read from the memory
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := vfs.NewBase("box", noon, []vfs.Entry{{Path: "/bin/teller", Mode: vfs.ModeRegular | 0o755, Data: kernel.Binary("teller")}})
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, images: bases{base}, now: noon}
}

func (w *world) source() *podlog.Source {
	return &podlog.Source{
		Memory: func(context.Context, types.UID) ([]byte, error) { return w.memory, nil },
		Machine: func(_ *corev1.Pod, memory []byte) (emulator.Machine, error) {
			if w.reads.Add(1); memory == nil {
				return nil, nil //nolint:nilnil // as Source.Machine says
			}
			return emulator.Decode(memory, w.images)
		},
		Now:   func() time.Time { return w.now },
		Until: func(t time.Time) time.Duration { return t.Sub(w.now) },
	}
}

// store changes the machine as a kubelet does at a time.
func (w *world) store(at time.Time, change func(m emulator.Machine)) {
	w.t.Helper()
	m := emulator.New("11111111-1111-1111-1111-111111111111", 1, 0, noon)
	if w.memory != nil {
		var err error
		if m, err = emulator.Decode(w.memory, w.images); err != nil {
			w.t.Fatal(err)
		}
	}
	for m.Run(at, 100_000).Kind == emulator.StopNews {
		m.Take()
	}
	change(m)
	memory, err := m.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	w.memory = memory
}

func (w *world) start(at time.Time, id, script string) {
	w.store(at, func(m emulator.Machine) {
		s := emulator.Spec{Name: "c", ID: id, Base: w.images.box, Argv: append([]string{"/bin/teller"}, strings.Split(script, "; ")...)}
		if err := m.Start(at, s); err != nil {
			w.t.Fatal(err)
		}
	})
}

// version makes a version of the Pod in which a run is running.
func version(t *testing.T, revision object.Revision, id string) *object.Version {
	t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default", UID: "p"}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{
		{Name: "c", ContainerID: id, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}},
	}
	body, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &podkind.Kind.Type, Namespace: "default", Name: "p", UID: "p", Revision: revision, Verb: object.Updated}
	v.SetBody(body)
	return v
}

func read(t *testing.T, l *podlog.Log, v *object.Version) podlog.Page {
	t.Helper()
	page, err := l.Read(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// texts returns the lines of a page, each with its whole seconds after noon.
func texts(page podlog.Page) (out []string) {
	for _, line := range page.Lines {
		out = append(out, line.At.Sub(noon).Truncate(time.Second).String()+" "+line.Text)
	}
	return out
}

// TestRead runs the stored machine on as time passes, without reading it again, and ends with the
// run.
func TestRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(noon, "run-1", "say a; rest 2; say b; rest 60; say c")
	v := version(t, 1, "run-1")
	l := w.source().Log("c", "run-1")
	for _, step := range []struct {
		after time.Duration
		want  []string
		again time.Duration
		ended bool
	}{
		{0, []string{"0s a"}, time.Second, false},
		{1500 * time.Millisecond, []string{"0s a"}, 500 * time.Millisecond, false},
		{2 * time.Second, []string{"0s a", "2s b"}, time.Second, false},
		{61*time.Second + 600*time.Millisecond, []string{"0s a", "2s b"}, 400 * time.Millisecond, false},
		{time.Hour, []string{"0s a", "2s b", "1m2s c"}, 0, true},
	} {
		w.now = noon.Add(step.after)
		page := read(t, l, v)
		if diff := cmp.Diff(step.want, texts(page)); diff != "" || page.Ended != step.ended || !step.ended && page.Again != step.again {
			t.Errorf("after %v: ended %v, again in %v (-want +got):\n%s", step.after, page.Ended, page.Again, diff)
		}
	}
	if w.reads.Load() != 1 {
		t.Errorf("the machine was read %d times", w.reads.Load())
	}
}

// TestReadWhatIsStoredLater: an input changes later output, and the run before the last is found by
// its id.
func TestReadWhatIsStoredLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(noon, "run-1", "say a; rest 1; again")
	v := version(t, 1, "run-1")
	l := w.source().Log("c", "run-1")
	w.now = noon.Add(3 * time.Second)
	if got := texts(read(t, l, v)); len(got) != 4 {
		t.Errorf("first %q", got)
	}
	w.start(noon.Add(5*time.Second), "run-2", "say again; rest 100")
	w.now = noon.Add(10 * time.Second)
	page := read(t, l, v)
	if got := texts(page); len(got) != 5 || !page.Ended {
		t.Errorf("then %q, ended %v", got, page.Ended)
	}
	if page := read(t, w.source().Log("c", "run-2"), version(t, 2, "run-2")); len(page.Lines) != 1 || page.Lines[0].Text != "again" || page.Ended {
		t.Errorf("of the next run %+v", page)
	}
	if page := read(t, w.source().Log("c", "run-0"), version(t, 2, "run-2")); len(page.Lines) != 0 || !page.Ended {
		t.Errorf("of a run that is not known any more %+v", page)
	}
}

// TestReadWithoutAMachine: the log is empty, and ends when the status says so.
func TestReadWithoutAMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.source().Log("c", "run-1")
	if page := read(t, l, version(t, 1, "run-1")); len(page.Lines) != 0 || page.Ended || page.Again != time.Second {
		t.Errorf("while it runs %+v", page)
	}
	if page := read(t, l, version(t, 2, "run-2")); !page.Ended || w.reads.Load() != 2 {
		t.Errorf("then %+v, after %d reads", page, w.reads.Load())
	}
}

// TestReadAsksNobody: while an answer from outside is missing, a log makes no progress.
func TestReadAsksNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(noon, "run-1", "say before; ask web; say after")
	w.now = noon.Add(time.Minute)
	page := read(t, w.source().Log("c", "run-1"), version(t, 1, "run-1"))
	if diff := cmp.Diff([]string{"0s before"}, texts(page)); diff != "" || page.Again > 200*time.Millisecond {
		t.Errorf("again in %v (-want +got):\n%s", page.Again, diff)
	}
}
