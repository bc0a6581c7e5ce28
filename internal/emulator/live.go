package emulator

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Live is the machine's state of a run that has not ended.
type Live struct {
	// Sandbox is the run's name in the kernel, and View its view of the file trees.
	Sandbox string    `json:"sandbox"`
	View    *vfs.View `json:"view"`

	// Env and Dir are the environment and directory of commands that are executed in it.
	Env []string `json:"env,omitempty"`
	Dir string   `json:"dir,omitempty"`

	Probes [3]*Prober `json:"probes"` // by ProbeKind

	// Started and Ready are the probes' results; Sick says that the startup or liveness probe wants
	// the run stopped.
	Started bool `json:"started,omitempty"`
	Ready   bool `json:"ready,omitempty"`
	Sick    bool `json:"sick,omitempty"`

	PreStop *Action   `json:"preStop,omitempty"`
	Post    *Hook     `json:"post,omitempty"` // the postStart hook while it runs
	Stop    *Stopping `json:"stop,omitempty"` // nil until Terminate, Prepare or a probe stops the run
	Tasks   []*Task   `json:"tasks,omitempty"`
	Asking  []*Asking `json:"asking,omitempty"`
	Signal  int       `json:"signal,omitempty"`

	// Stdin is the pipe of the main process's standard input, 0 if that is closed. StdinOnce says
	// that the input ends with the first session that is attached to it.
	Stdin     int  `json:"stdin,omitempty"`
	StdinOnce bool `json:"stdinOnce,omitempty"`

	Message *Message `json:"message,omitempty"`
}

// Message says where a run's termination message is.
type Message struct {
	Path    string `json:"path,omitempty"`
	FromLog bool   `json:"fromLog,omitempty"`
}

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

// Asking is a question that the node asks for a probe or a hook, and whose answer comes later: the
// Pod's own server takes its time, or the question goes to the world outside.
type Asking struct {
	For     purpose `json:"for"`
	Request int     `json:"request,omitempty"` // the request that the Pod's own server holds
	Query   int     `json:"query,omitempty"`   // the query to the world outside

	// Answer arrives at At. Due is when the node gives up, zero for never.
	Answer *kernel.Answer `json:"answer,omitempty"`
	At     time.Time      `json:"at,omitzero"`
	Due    time.Time      `json:"due,omitzero"`
}

// next is when the question is concluded; zero if that is not known yet.
func (a *Asking) next() time.Time {
	if a.At.IsZero() || !a.Due.IsZero() && a.Due.Before(a.At) {
		return a.Due
	}
	return a.At
}

// Prober runs one probe on its schedule.
type Prober struct {
	Probe

	// Next is when the next probe begins, zero if none is scheduled. Due is when the current one
	// times out.
	Next time.Time `json:"next,omitzero"`
	Due  time.Time `json:"due,omitzero"`

	// Last is the latest result, and Streak the number of equal results in a row.
	Last   bool `json:"last,omitempty"`
	Streak int  `json:"streak,omitempty"`
}

// Hook is a running postStart or preStop hook.
type Hook struct {
	Action
	Until time.Time `json:"until,omitzero"`  // of a sleep
	Plain bool      `json:"plain,omitempty"` // an HTTPS request found a server of plain HTTP, and is repeated without TLS
}

// shortestGrace is the least time that a container gets between TERM and KILL.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, minimumGracePeriodInSeconds.
const shortestGrace = 2 * time.Second

// Stopping describes the stop of a container.
type Stopping struct {
	Begun time.Time     `json:"begun"`
	Grace time.Duration `json:"grace"`

	// Hook is the preStop hook, until it has ended or timed out.
	Hook *Hook `json:"hook,omitempty"`

	// Waits says that the container's turn has not come: TERM is sent by Terminate, or at Term.
	Waits bool `json:"waits,omitempty"`

	// Term is when TERM is sent at the latest, zero once it has been sent; Kill is when KILL is
	// sent, zero before TERM.
	Term time.Time `json:"term,omitzero"`
	Kill time.Time `json:"kill,omitzero"`
}

// hasten makes the stop end at most a grace after at, and reports whether that is sooner.
func (s *Stopping) hasten(at, now time.Time, grace time.Duration) bool {
	limit := at.Add(grace)
	if !limit.Before(s.Begun.Add(s.Grace)) {
		return false
	}
	s.Grace = limit.Sub(s.Begun)
	if s.Hook != nil || s.Waits {
		s.Term = later(limit, now)
	} else if limit := later(limit, now.Add(shortestGrace)); !s.Kill.IsZero() && limit.Before(s.Kill) {
		s.Kill = limit
	}
	return true
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

func (l *Live) askingFor(p purpose) *Asking {
	for _, a := range l.Asking {
		if a.For == p {
			return a
		}
	}
	return nil
}

// unwatch ends the probes that could kill a container that is stopping.
func (l *Live) unwatch() {
	for _, kind := range []ProbeKind{Startup, Liveness} {
		if p := l.Probes[kind]; p != nil {
			p.Next = time.Time{}
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func isDue(t, now time.Time) bool { return !t.IsZero() && !t.After(now) }
