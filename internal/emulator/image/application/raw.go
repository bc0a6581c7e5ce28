package application

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/program"
)

// connection is a program's connection to a server with its own protocol: see kernel.Query.Session.
type connection struct {
	Name    program.Resolve // of the server
	Port    int
	Session kernel.Text    `json:",omitempty"`
	Asked   bool           `json:",omitempty"`
	Due     time.Duration  `json:",omitempty"` // when the program gives up
	Got     kernel.Text    `json:",omitempty"` // the answer so far
	Closed  bool           `json:",omitempty"` // by the server
	Failed  kernel.Outcome `json:",omitempty"` // why there is no connection
}

// to returns a connection to a host; localhost is the Pod.
func to(host string, port int) connection {
	if host == "localhost" {
		host = "127.0.0.1"
	}
	return connection{Name: program.Resolve{Name: kernel.Text(host)}, Port: port}
}

// exchange sends bytes and collects the answer in Got, for at most timeout. Until done holds, the
// program returns wait from its Step. If Failed is set afterwards, there is no answer.
func (c *connection) exchange(p *kernel.Process, body string, timeout time.Duration) (wait kernel.Wait, done bool) {
	if c.Due == 0 {
		c.Due = p.In(timeout)
	}
	if wait, done := c.Name.Next(p); !done {
		return wait, false
	}
	if !c.Asked {
		c.Got, c.Failed = "", ""
		if c.Name.First() == "" {
			return c.end(kernel.OutcomeNoName)
		}
		return c.ask(p, body), false
	}
	a := p.Answer()
	switch {
	case (a == nil || a.Outcome == kernel.OutcomeTimeout) && p.Since() >= c.Due:
		return c.end(kernel.OutcomeTimeout)
	case a == nil:
		return kernel.Wait{For: kernel.Answered, Until: c.Due}, false
	case a.Outcome == kernel.OutcomeTimeout:
		return kernel.Wait{For: kernel.Time, Until: c.Due}, false
	case a.Outcome != kernel.OutcomeOK:
		return c.end(a.Outcome)
	}
	if c.Got, c.Session, c.Closed = c.Got+a.Body, a.Session, a.Closed; len(c.Got) > maxReply {
		return c.end(kernel.OutcomeReset)
	}
	if a.Pending {
		return c.ask(p, ""), false
	}
	return c.end(kernel.OutcomeOK)
}

func (c *connection) ask(p *kernel.Process, body string) kernel.Wait {
	c.Asked = true
	wait := p.Ask(kernel.Query{Kind: kernel.QueryRaw, Address: c.Name.First(), Port: c.Port, Body: kernel.Text(body), Session: c.Session})
	wait.Until = c.Due
	return wait
}

func (c *connection) end(how kernel.Outcome) (kernel.Wait, bool) {
	c.Asked, c.Due, c.Failed = false, 0, how
	return kernel.Wait{}, true
}

// maxReply is how many bytes of an answer are shown.
const maxReply = 1 << 20
