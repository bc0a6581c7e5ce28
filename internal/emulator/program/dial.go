package program

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// dialTimeout is how long TCP tries if a program sets no timeout.
const dialTimeout = 127 * time.Second

// dial opens a connection over TCP: it resolves the host's name, then asks the port. A timeout
// takes its time.
type dial struct {
	Name    Resolve
	Port    int           `json:",omitempty"`
	Timeout time.Duration `json:",omitempty"`
	Asked   bool          `json:",omitempty"`
	Waits   time.Duration `json:",omitempty"` // when the timeout is over, in kernel time; 0 while an answer may come
}

// next continues. While ok is false, the process waits as w says. Afterwards the answer is the
// result of the connection, nil if there is no such host.
func (d *dial) next(p *kernel.Process) (a *kernel.Answer, w kernel.Wait, ok bool) {
	if d.Waits > 0 {
		if p.Since() < d.Waits {
			return nil, kernel.Wait{For: kernel.Time, Until: d.Waits}, false
		}
		return &kernel.Answer{Outcome: kernel.OutcomeTimeout}, kernel.Wait{}, true
	}
	if w, ok := d.Name.next(p); !ok {
		return nil, w, false
	}
	if len(d.Name.Addresses) == 0 {
		return nil, kernel.Wait{}, true
	}
	if !d.Asked {
		d.Asked = true
		return nil, p.Ask(kernel.Query{Kind: kernel.QueryTCP, Address: d.Name.first(), Port: d.Port}), false
	}
	a = p.Answer()
	if a == nil {
		return nil, kernel.Wait{For: kernel.Answered}, false
	}
	if a.Outcome == kernel.OutcomeTimeout {
		d.Waits = p.In(d.Timeout)
		return nil, kernel.Wait{For: kernel.Time, Until: d.Waits}, false
	}
	return a, kernel.Wait{}, true
}
