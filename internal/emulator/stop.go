package emulator

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Terminate implements Runtime. The preStop hook runs first; then the main process gets TERM, and
// KILL when the grace, which includes the hook, is over. A hook that outlasts the grace leaves
// shortestGrace for the process. If at is before Now, the stop begins now, but ends no later for
// that.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer.
func (m *machine) Terminate(at time.Time, container string, grace time.Duration) (changed bool) {
	m.Kernel.Advance(at)
	c := m.Container(container)
	if c == nil || c.Run == nil || c.Run.Live == nil {
		return false
	}
	live := c.Run.Live
	switch s := live.Stop; {
	case s == nil:
		m.stop(c, at, grace, false)
	case s.Waits:
		live.unwatch()
		s.Begun, s.Grace, s.Waits = at, grace, false
		if s.Term = later(at.Add(grace), m.Now()); s.Hook == nil {
			m.term(c)
		}
	default:
		return s.hasten(at, m.Now(), grace)
	}
	return true
}

// Prepare implements Runtime.
func (m *machine) Prepare(at time.Time, container string, grace time.Duration) (changed bool) {
	m.Kernel.Advance(at)
	c := m.Container(container)
	switch {
	case c == nil || c.Run == nil || c.Run.Live == nil || !at.Add(grace).After(m.Now()):
		return false
	case c.Run.Live.Stop != nil:
		return c.Run.Live.Stop.hasten(at, m.Now(), grace)
	}
	m.stop(c, at, grace, true)
	return true
}

// stop begins to stop a container. With waits, it waits for its turn after the hook.
func (m *machine) stop(c *Container, at time.Time, grace time.Duration, waits bool) {
	live := c.Run.Live
	live.Stop = &Stopping{Begun: at, Grace: grace, Waits: waits}
	if !waits {
		live.unwatch()
	}
	live.Stop.Term = at.Add(grace)
	switch {
	case live.PreStop != nil && at.Add(grace).After(m.Now()):
		live.Stop.Hook = &Hook{Action: *live.PreStop}
		m.begin(c, live.Stop.Hook, forPreStop)
	case !waits:
		m.term(c)
	}
}

// Cut implements Runtime.
func (m *machine) Cut(at time.Time, container string, code int32) {
	m.Kernel.Advance(at)
	if c := m.Container(container); c != nil && c.Run != nil {
		m.end(c, kernel.Exit{Code: int(code)})
	}
	m.News = nil
}

// term sends TERM and sets the time of KILL.
func (m *machine) term(c *Container) {
	live := c.Run.Live
	s := live.Stop
	s.Hook, s.Term, s.Waits = nil, time.Time{}, false
	if a := live.askingFor(forPreStop); a != nil {
		m.forget(live, a)
	}
	s.Kill = later(s.Begun.Add(s.Grace), m.Now().Add(shortestGrace))
	m.Kernel.Signal(live.Sandbox, m.Kernel.Main(live.Sandbox), kernel.Signal(live.Signal))
}

// hookDone sends TERM after the preStop hook, unless TERM has overtaken the hook or the container's
// turn has not come.
func (m *machine) hookDone(c *Container) {
	switch s := c.Run.Live.Stop; {
	case s == nil || s.Hook == nil:
	case s.Waits:
		s.Hook = nil
	default:
		m.term(c)
	}
}
