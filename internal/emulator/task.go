package emulator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// purpose says what a process other than the main one is for.
type purpose uint8

const (
	forStartup purpose = iota // the first three are the probes, by ProbeKind
	forReadiness
	forLiveness
	forPostStart
	forPreStop
)

// Task is a process, other than the main one, that a probe or a hook started.
type Task struct {
	PID int     `json:"pid"`
	For purpose `json:"for"`
	// Mixed is its output to both streams, in order.
	Mixed []byte `json:"mixed,omitempty"`

	TimedOut bool `json:"timedOut,omitempty"`
}

// probeOutput is the most bytes that are kept of a probe's output.
// Source: kubernetes v1.36 pkg/kubelet/prober/prober.go, maxReadLength of pkg/probe/exec.
const probeOutput = 10 << 10

func (t *Task) write(b []byte) {
	t.Mixed = append(t.Mixed, b[:min(len(b), probeOutput-len(t.Mixed))]...)
}

func (l *Live) task(pid int) *Task {
	for _, t := range l.Tasks {
		if t.PID == pid {
			return t
		}
	}
	return nil
}

func (l *Live) taskFor(p purpose) *Task {
	for _, t := range l.Tasks {
		if t.For == p {
			return t
		}
	}
	return nil
}

// spawn starts a process in a run. The error has the container runtime's words.
func (m *machine) spawn(c *Container, argv []string, p purpose) error {
	live := c.Run.Live
	pid, err := m.Kernel.Spawn(live.Sandbox, argv, live.Env, live.Dir, kernel.Stdio{})
	if err != nil {
		return fmt.Errorf("OCI runtime exec failed: exec failed: unable to start container process: %w", err)
	}
	live.Tasks = append(live.Tasks, &Task{PID: pid, For: p})
	return nil
}

// taskEnded records the end of a process other than the main one.
func (m *machine) taskEnded(c *Container, e kernel.Exit) {
	live := c.Run.Live
	t := live.task(e.PID)
	if t == nil {
		m.sessionEnded(c.Name, e.PID, e.Code)
		return
	}
	live.Tasks = slices.DeleteFunc(live.Tasks, func(other *Task) bool { return other == t })
	switch t.For {
	case forStartup, forReadiness, forLiveness:
		r := result{ok: e.Code == 0, message: string(t.Mixed)}
		if t.TimedOut {
			r = result{message: fmt.Sprintf("command %q timed out", strings.Join(live.Probes[t.For].Exec, " "))}
		}
		m.probed(c, ProbeKind(t.For), r)
	case forPostStart:
		m.posted(c, e.Code == 0, fmt.Sprintf("command terminated with exit code %d", e.Code), string(t.Mixed))
	case forPreStop:
		if e.Code != 0 {
			m.tell(News{Container: c.Name, Kind: NewsStopError})
		}
		m.hookDone(c)
	}
}
