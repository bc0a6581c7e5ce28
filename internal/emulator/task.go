package emulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// purpose says what a process besides the main one is for.
type purpose uint8

const (
	forStartup purpose = iota // the first three are the probes, by ProbeKind
	forReadiness
	forLiveness
	forPostStart
	forPreStop
	forExec
)

// Task is a process besides the main one that was started from outside: a probe's, a hook's or that of a command that is
// executed.
type Task struct {
	PID    int     `json:"pid"`
	For    purpose `json:"for"`
	ID     int     `json:"id,omitempty"` // of an executed command
	Stdout []byte  `json:"stdout,omitempty"`
	Stderr []byte  `json:"stderr,omitempty"`

	// Mixed is what it wrote to either, in order; of probes and hooks.
	Mixed []byte `json:"mixed,omitempty"`

	TimedOut bool `json:"timedOut,omitempty"`
}

const (
	// probeOutput is how much of a probe's output is kept, execOutput how much of an executed command's.
	// Source: kubernetes v1.36 pkg/kubelet/prober/prober.go, maxReadLength of pkg/probe/exec.
	probeOutput = 10 << 10
	execOutput  = 256 << 10
)

func (t *Task) write(s Stream, b []byte) {
	to, limit := &t.Mixed, probeOutput
	if t.For == forExec {
		to, limit = &t.Stdout, execOutput
		if s == Stderr {
			to = &t.Stderr
		}
	}
	*to = append(*to, b[:min(len(b), limit-len(*to))]...)
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

// spawn starts a process in a run. The error is how the container runtime refuses.
func (m *machine) spawn(c *Container, argv []string, stdin []byte, p purpose, id int) error {
	live := c.Run.Live
	pid, err := m.Kernel.Spawn(live.Sandbox, argv, live.Env, live.Dir, kernel.Stdio{Stdin: stdin})
	if err != nil {
		return fmt.Errorf("OCI runtime exec failed: exec failed: unable to start container process: %w", err)
	}
	live.Tasks = append(live.Tasks, &Task{PID: pid, For: p, ID: id})
	return nil
}

// taskEnded takes note of the end of a process besides the main one.
func (m *machine) taskEnded(c *Container, e kernel.Exit) {
	live := c.Run.Live
	t := live.task(e.PID)
	if t == nil {
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
	case forExec:
		m.tell(News{Container: c.Name, Kind: NewsExecuted, Exec: t.executed(int32(e.Code))})
	}
}

// Executed is a command that has ended.
type Executed struct {
	ID             int // as Exec gave it
	ExitCode       int32
	Stdout, Stderr []byte
}

func (t *Task) executed(code int32) Executed {
	return Executed{ID: t.ID, ExitCode: code, Stdout: t.Stdout, Stderr: t.Stderr}
}

// Exec implements Machine.
func (m *machine) Exec(at time.Time, container string, argv []string, stdin []byte) (id int, err error) {
	m.Kernel.Advance(at)
	c := m.Container(container)
	if c == nil || c.Run == nil || c.Run.Live == nil {
		return 0, &StartError{"container not running (" + container + ")"}
	}
	m.Serial++
	if err := m.spawn(c, argv, stdin, forExec, m.Serial); err != nil {
		return 0, &StartError{err.Error()}
	}
	return m.Serial, nil
}
