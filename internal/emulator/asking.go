package emulator

import (
	"fmt"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Asking is a question that the node asks for a probe or a hook and whose answer is not there at once: the Pod's server answers later, or
// somebody outside the Pod is asked.
type Asking struct {
	For     purpose `json:"for"`
	Request int     `json:"request,omitempty"` // that the Pod's own server holds
	Query   int     `json:"query,omitempty"`   // that is asked of the world outside

	// Answer has come by At. Due is when the node gives up, zero for never.
	Answer *kernel.Answer `json:"answer,omitempty"`
	At     time.Time      `json:"at,omitzero"`
	Due    time.Time      `json:"due,omitzero"`
}

// next is when something becomes of it; zero if that is not foreseen.
func (a *Asking) next() time.Time {
	if a.At.IsZero() || !a.Due.IsZero() && a.Due.Before(a.At) {
		return a.Due
	}
	return a.At
}

func (l *Live) askingFor(p purpose) *Asking {
	for _, a := range l.Asking {
		if a.For == p {
			return a
		}
	}
	return nil
}

// ask has the Pod's own servers answer the node or, if the question goes to another host, the world outside. now says that the answer is
// there; else it comes to answered.
func (m *machine) ask(c *Container, p purpose, q kernel.Query, outside bool, timeout time.Duration) (a kernel.Answer, now bool) {
	asking := &Asking{For: p}
	if timeout > 0 {
		asking.Due = m.Now().Add(timeout)
	}
	if outside {
		if q.Address == "localhost" {
			q.Address = "127.0.0.1"
		}
		q.Sandbox = c.Run.Live.Sandbox
		asking.Query = m.Kernel.Inquire(q)
	} else {
		if a = m.Serve(q); a.Later == 0 {
			return a, true
		}
		asking.Request = a.Later
	}
	c.Run.Live.Asking = append(c.Run.Live.Asking, asking)
	return kernel.Answer{}, false
}

// inquired takes the answer to a question that the node asked the world outside.
func (m *machine) inquired(query int, a kernel.Answer) {
	m.Kernel.Drop(query)
	for _, c := range m.Containers {
		if c.Run == nil || c.Run.Live == nil {
			continue
		}
		for _, asking := range c.Run.Live.Asking {
			switch {
			case asking.Query != query:
			case a.Later != 0:
				asking.Query, asking.Request = 0, a.Later
			default:
				asking.Query, asking.Answer, asking.At = 0, &a, m.Now().Add(a.Took)
				if a.Outcome == kernel.OutcomeTimeout {
					asking.At = m.Now().Add(connectTimeout)
				}
			}
		}
	}
}

// connectTimeout is how long a node tries to connect to who does not answer.
// Source: Linux, tcp(7), tcp_syn_retries
const connectTimeout = 127 * time.Second

// replied takes the answer of a server of the Pod's own to a question of the node; it is false where somebody else has asked.
func (m *machine) replied(request int) bool {
	for _, c := range m.Containers {
		if c.Run == nil || c.Run.Live == nil {
			continue
		}
		for _, asking := range c.Run.Live.Asking {
			if asking.Request == request {
				a, _ := m.Kernel.Reply(request)
				asking.Request, asking.Answer, asking.At = 0, &a, m.Now()
				return true
			}
		}
	}
	return false
}

// fireAsking concludes what has been answered or given up by now.
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
			answer.Took = 0 // it is here
		}
		m.answered(c, a.For, answer)
	}
}

// forget drops a question, whose answer is of no interest any more.
func (m *machine) forget(live *Live, a *Asking) {
	if a.Query != 0 {
		m.Kernel.Drop(a.Query)
	}
	live.Asking = slices.DeleteFunc(live.Asking, func(other *Asking) bool { return other == a })
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

// refusal is why a hook has failed that makes a request; empty if it has not. Any answer will do.
func (r *Request) refusal(a kernel.Answer) string {
	address := kernel.HostPort(r.Host, r.Port)
	failed := fmt.Sprintf("Get %q: ", r.Scheme+"://"+address+r.Path)
	switch a.Outcome {
	case kernel.OutcomeOK:
		return ""
	case kernel.OutcomeTimeout:
		return failed + "dial tcp " + address + ": connect: connection timed out"
	}
	return failed + broken(a.Outcome, r.Host, address)
}

// broken is what Go says of a connection that has come to nothing.
func broken(o kernel.Outcome, host, address string) string {
	switch o {
	case kernel.OutcomeReset:
		return "read tcp " + address + ": read: connection reset by peer"
	case kernel.OutcomeUnreachable:
		return "dial tcp " + address + ": connect: no route to host"
	case kernel.OutcomeNoName, kernel.OutcomeNoServer:
		return "dial tcp: lookup " + host + ": no such host"
	case kernel.OutcomePlain:
		return "http: server gave HTTP response to HTTPS client"
	}
	return "dial tcp " + address + ": connect: connection refused"
}
