package emulator

import (
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Server is a program that takes connections.
type Server interface {
	kernel.Program

	// Serve answers a query that reaches one of the Pod's ports: a query of the kind QueryTCP,
	// which asks whether the port takes a connection, QueryHTTP, QueryRaw, QueryUDP, or QueryGRPC.
	// The outcome is OutcomeRefused if this program does not listen on q.Port. Serve is never
	// called within a Step. It may change the program's state; then the program makes its next
	// step. A server that cannot answer at once returns the value of Process.Later.
	Serve(p *kernel.Process, q kernel.Query) kernel.Answer
}

// Serve implements Runtime. A query of the node may also be answered later.
func (m *machine) Serve(q kernel.Query) kernel.Answer {
	q.At = m.Now().Sub(m.Kernel.Start)
	var standIns []*kernel.Process
	for _, p := range m.Kernel.Processes {
		if p.Zombie {
			continue
		}
		if _, ok := p.Run.Program.(*Opaque); ok {
			standIns = append(standIns, p)
		} else if a := m.serveBy(p, q); a.Outcome != kernel.OutcomeRefused {
			return a
		}
	}
	for _, p := range standIns { // last, because they answer on every port
		if a := m.serveBy(p, q); a.Outcome != kernel.OutcomeRefused {
			return a
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

// serveBy returns a process's answer; OutcomeRefused if it does not listen.
func (m *machine) serveBy(p *kernel.Process, q kernel.Query) kernel.Answer {
	s, ok := p.Run.Program.(Server)
	if !ok {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	a := s.Serve(p, q)
	if a.Outcome != kernel.OutcomeRefused {
		m.Kernel.Poke(p)
	}
	return a
}

// Receive implements Runtime.
func (m *machine) Receive(at time.Time, q kernel.Query) kernel.Answer {
	m.Kernel.Advance(at)
	return m.Serve(q)
}

// isLocal reports whether a query goes to the Pod itself.
func (m *machine) isLocal(q *kernel.Query) bool {
	switch {
	case q.Kind == kernel.QueryPeers || q.Node:
		return false
	default:
		return q.Address == "localhost" || q.Address == "::1" || q.Address == "0.0.0.0" ||
			len(q.Address) > 4 && q.Address[:4] == "127." || q.Address != "" && q.Address == m.IP
	}
}

// asked answers a question that the Pod itself can answer; others wait for Answer.
func (m *machine) asked(q kernel.Query) {
	if !m.isLocal(&q) {
		return
	}
	a := kernel.Answer{}
	if q.Kind != kernel.QueryPing {
		a = m.Serve(q)
	}
	if q.Kind == kernel.QueryDNS && a.Later == 0 && !m.OnHost {
		a = NameAnswer(a)
	}
	if a.Outcome == kernel.OutcomeRefused && m.OnHost && (q.Address == m.IP || strings.HasPrefix(q.Address, "127.")) {
		return // another Pod on the node may listen there
	}
	_ = m.Kernel.Answer(q.ID, a) // it was asked just now
}

// Queries implements Runtime.
func (m *machine) Queries() []kernel.Query {
	var open []kernel.Query
	for _, q := range m.Kernel.Queries() {
		if q.Told && !q.Held {
			open = append(open, q)
		}
	}
	return open
}

// Hold implements Runtime.
func (m *machine) Hold(query int) { m.Kernel.Hold(query) }

// Query implements Runtime.
func (m *machine) Query(query int) (q kernel.Query, ok bool) { return m.Kernel.Query(query) }

// Reply implements Runtime.
func (m *machine) Reply(request int) (a kernel.Answer, done bool) { return m.Kernel.Reply(request) }

// Serves implements Runtime.
func (m *machine) Serves() bool { return m.Kernel.Serves() }
