package emulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// shortestGrace is the least time that a container gets between TERM and KILL.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, minimumGracePeriodInSeconds.
const shortestGrace = 2 * time.Second

// Hook is a running postStart or preStop hook.
type Hook struct {
	Action
	Until time.Time `json:"until,omitzero"`  // of a sleep
	Plain bool      `json:"plain,omitempty"` // an HTTPS request found a server of plain HTTP, and is repeated without TLS
}

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

// unwatch ends the probes that could kill a container that is stopping.
func (l *Live) unwatch() {
	for _, kind := range []ProbeKind{Startup, Liveness} {
		if p := l.Probes[kind]; p != nil {
			p.Next = time.Time{}
		}
	}
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

// begin starts the action of a hook.
func (m *machine) begin(c *Container, h *Hook, p purpose) {
	var refusal string
	switch {
	case h.Exec != nil:
		err := m.spawn(c, h.Exec, p)
		if err == nil {
			return // the hook continues when the command has ended
		}
		refusal = "rpc error: code = Unknown desc = failed to exec in container: failed to start exec: " + err.Error()
	case h.Sleep > 0:
		h.Until = m.Now().Add(h.Sleep)
		return
	case h.HTTP != nil:
		m.get(c, h, p)
		return
	case h.Refusal != "":
		refusal = h.Refusal
	}
	m.hooked(c, p, refusal)
}

// get sends the request of a hook.
func (m *machine) get(c *Container, h *Hook, p purpose) {
	q := h.HTTP.query()
	if h.Plain {
		q.TLS = false
		q.Header = slices.DeleteFunc(slices.Clone(q.Header), func(header string) bool {
			name, _, _ := strings.Cut(header, ":")
			return strings.EqualFold(name, "Authorization")
		})
	}
	if a, now := m.ask(c, p, q, h.Elsewhere, 0); now {
		m.got(c, p, h, a)
	}
}

// got takes the answer to the request of a hook. If the server speaks no TLS, the request is
// repeated once without it. If that fails as well, the first failure counts.
//
// Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go, runHTTPHandler
func (m *machine) got(c *Container, p purpose, h *Hook, a kernel.Answer) {
	refusal := h.HTTP.refusal(a)
	switch {
	case a.Outcome == kernel.OutcomePlain && !h.Plain:
		h.Plain = true
		m.get(c, h, p)
		return
	case h.Plain && refusal == "":
		m.tell(News{Container: c.Name, Kind: NewsPlain, Message: "request to HTTPS lifecycle hook " + kernel.HostPort(h.HTTP.Host, h.HTTP.Port) +
			" got HTTP response, retry with HTTP succeeded"})
	case h.Plain:
		refusal = h.HTTP.refusal(kernel.Answer{Outcome: kernel.OutcomePlain})
	}
	m.hooked(c, p, refusal)
}

// hooked ends a hook that is not a command.
func (m *machine) hooked(c *Container, p purpose, refusal string) {
	if p == forPostStart {
		m.posted(c, refusal == "", refusal, "")
		return
	}
	if refusal != "" {
		m.tell(News{Container: c.Name, Kind: NewsStopError, Message: refusal})
	}
	m.hookDone(c)
}

// posted ends the postStart hook.
// Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go, Run.
func (m *machine) posted(c *Container, ok bool, err, output string) {
	live := c.Run.Live
	h := live.Post
	live.Post = nil
	if ok {
		m.resumeProbes(c)
		m.tell(News{Container: c.Name, Kind: NewsPosted})
		return
	}
	message := err
	switch {
	case h == nil:
	case h.Exec != nil:
		message = fmt.Sprintf("Exec lifecycle hook (%v) for Container %q in Pod %%s failed - error: %s, message: %q", h.Exec, c.Name, err, output)
	case h.HTTP != nil:
		message = fmt.Sprintf("HTTP lifecycle hook (%s) for Container %q in Pod %%s failed - error: %s", h.HTTP.Path, c.Name, err)
	}
	m.tell(News{Container: c.Name, Kind: NewsPostError, Message: message})
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

// due is when the machine itself must act next; zero for never.
func (m *machine) due() time.Time {
	var next time.Time
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, c := range m.Containers {
		if c.Run == nil || c.Run.Live == nil {
			continue
		}
		live := c.Run.Live
		for _, p := range live.Probes {
			if p != nil {
				sooner(p.Next)
				sooner(p.Due)
			}
		}
		for _, a := range live.Asking {
			sooner(a.next())
		}
		if live.Post != nil {
			sooner(live.Post.Until)
		}
		if s := live.Stop; s != nil {
			sooner(s.Term)
			sooner(s.Kill)
			if s.Hook != nil {
				sooner(s.Hook.Until)
			}
		}
	}
	return next
}

// fire does what is due now.
func (m *machine) fire() {
	now := m.Now()
	for _, c := range m.Containers {
		if c.Run == nil || c.Run.Live == nil {
			continue
		}
		live := c.Run.Live
		m.fireAsking(c, now)
		if h := live.Post; h != nil && isDue(h.Until, now) {
			m.posted(c, true, "", "")
		}
		m.fireStop(c, now)
		for kind, p := range live.Probes {
			if p == nil {
				continue
			}
			if isDue(p.Due, now) {
				p.Due = time.Time{}
				if t := live.taskFor(purpose(kind)); t != nil {
					t.TimedOut = true
					m.Kernel.Signal(live.Sandbox, t.PID, kernel.SIGKILL)
				}
			}
			if isDue(p.Next, now) {
				m.probe(c, ProbeKind(kind))
			}
		}
	}
}

func isDue(t, now time.Time) bool { return !t.IsZero() && !t.After(now) }

func (m *machine) fireStop(c *Container, now time.Time) {
	live := c.Run.Live
	s := live.Stop
	if s == nil {
		return
	}
	if s.Hook != nil && isDue(s.Hook.Until, now) {
		m.hookDone(c)
	}
	if isDue(s.Term, now) {
		m.term(c)
	}
	if isDue(s.Kill, now) {
		s.Kill = time.Time{}
		m.Kernel.Kill(live.Sandbox)
	}
}
