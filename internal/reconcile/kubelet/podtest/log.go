package podtest

import (
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
)

// Machine is the Pod's as it is now.
func (w *World) Machine() emulator.Machine {
	w.T.Helper()
	m := kubelet.Machine(w.Snapshot())
	for range 1000 {
		if m.Run(w.Now.Add(10*time.Millisecond), memory.BacklogSteps).Kind == emulator.StopUntil {
			return m
		}
		m.Take()
	}
	w.T.Fatal("the machine does not come up to now")
	return nil
}

// Log is what a container has written by now, each line with its time.
func (w *World) Log(container string) []string {
	w.T.Helper()
	return w.LogOf(container, false)
}

// LogOf is what a container has written, by its current run or by the previous one.
func (w *World) LogOf(container string, previous bool) []string {
	w.T.Helper()
	id := ""
	for i := range w.Pod.Status.ContainerStatuses {
		if st := &w.Pod.Status.ContainerStatuses[i]; previous && st.Name == container {
			id = st.LastTerminationState.Terminated.ContainerID
		}
	}
	log, _ := w.Machine().Logs(container, id)
	var out []string
	for _, l := range log.Lines {
		out = append(out, fmt.Sprintf("%s %s", l.At.Sub(Noon).Truncate(10*time.Millisecond), l.Text))
	}
	return out
}

// WantLog compares what a container has written by now, each line with its time.
func (w *World) WantLog(container string, want ...string) {
	w.T.Helper()
	if diff := cmp.Diff(want, w.Log(container)); diff != "" {
		w.T.Errorf("log of %s (-want +got):\n%s", container, diff)
	}
}

// Exec runs a command in a container now, as an input from outside.
func (w *World) Exec(container string, argv ...string) {
	w.T.Helper()
	mem, err := memory.Decode(w.Memory)
	if err != nil {
		w.T.Fatal(err)
	}
	m := w.Machine()
	if _, err := m.Execute(w.Now, container, emulator.Command{Argv: argv}); err != nil {
		w.T.Fatal(err)
	}
	if mem.Machine, err = m.Encode(); err != nil {
		w.T.Fatal(err)
	}
	mem.Queries = nil
	w.Memory = mem.Encode()
}

// Visit gives the Pod's machine inputs now, and leaves what they have come to.
func (w *World) Visit(input func(v *kubelet.Visit)) kubelet.Left {
	w.T.Helper()
	v, err := kubelet.NewVisit(w.Snapshot())
	if err != nil {
		w.T.Fatal(err)
	}
	input(v)
	left, err := v.Leave(v.Machine.Joined()...)
	if err != nil {
		w.T.Fatal(err)
	}
	w.Memory = left.Memory
	if !left.Wake.IsZero() && (w.Wake.IsZero() || left.Wake.Before(w.Wake)) {
		w.Wake = left.Wake
	}
	return left
}

// Command executes a command and gives what it has written by now.
func (w *World) Command(container string, script string) (o emulator.Output) {
	w.T.Helper()
	w.Visit(func(v *kubelet.Visit) {
		id, err := v.Machine.Execute(v.At, container, emulator.Command{Argv: []string{"sh", "-c", script}})
		if err != nil {
			w.T.Fatal(err)
		}
		v.Run()
		o = v.Machine.Collect(v.At, id, 1000)
	})
	return o
}
