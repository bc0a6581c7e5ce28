package emulator

import (
	"fmt"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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

func (l *Live) askingFor(p purpose) *Asking {
	for _, a := range l.Asking {
		if a.For == p {
			return a
		}
	}
	return nil
}

// ask asks the Pod's own servers or, if the question goes to another host, the world outside. If
// now is true, a is the answer; otherwise the answer goes to answered.
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

// connectTimeout is how long a node tries to connect to a host that does not answer.
// Source: Linux, tcp(7), tcp_syn_retries
const connectTimeout = 127 * time.Second

// replied takes the answer of one of the Pod's servers to a question of the node. It returns false
// if the node did not ask.
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

// forget drops a question whose answer no longer matters.
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

// refusal is why the HTTP request of a hook failed; empty if it succeeded. Any response counts as
// success.
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

// broken is Go's error text for a failed connection.
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
