package emulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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

// fireAsking concludes the questions that are answered or timed out by now.
func (m *machine) fireAsking(c *Container, now time.Time) {
	live := c.Run.Live
	for _, a := range slices.Clone(live.Asking) {
		if !isDue(a.next(), now) {
			continue
		}
		m.forget(live, a)
		answer := kernel.Answer{Outcome: kernel.OutcomeTimeout}
		if a.Answer != nil && isDue(a.At, now) {
			answer = *a.Answer
			answer.Took = 0 // the answer has arrived
		}
		m.answered(c, a.For, answer)
	}
}

// answered takes the answer to a probe or a hook.
func (m *machine) answered(c *Container, p purpose, a kernel.Answer) {
	live := c.Run.Live
	switch p {
	case forStartup, forReadiness, forLiveness:
		if probe := live.Probes[p]; probe != nil {
			m.probed(c, ProbeKind(p), probe.judge(a))
		}
	case forPostStart:
		if live.Post != nil && live.Post.HTTP != nil {
			m.got(c, p, live.Post, a)
		}
	case forPreStop:
		if s := live.Stop; s != nil && s.Hook != nil && s.Hook.HTTP != nil {
			m.got(c, p, s.Hook, a)
		}
	}
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
