package emulator

import (
	"fmt"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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

// Answer implements Runtime. The error is kernel.ErrQuery.
func (m *machine) Answer(at time.Time, query int, a kernel.Answer) error {
	m.Kernel.Advance(at)
	q, ok := m.Kernel.Query(query)
	if !ok {
		return kernel.ErrQuery
	}
	a.Took = max(max(a.Took, kernel.Latency)-(m.Kernel.Clock-q.At), 0)
	if q.Node {
		m.inquired(query, a)
		return nil
	}
	return m.Kernel.Answer(query, a)
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

// forget drops a question whose answer no longer matters.
func (m *machine) forget(live *Live, a *Asking) {
	if a.Query != 0 {
		m.Kernel.Drop(a.Query)
	}
	live.Asking = slices.DeleteFunc(live.Asking, func(other *Asking) bool { return other == a })
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
