package program

import (
	"fmt"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// datagramLimit is how many bytes nc reads at a time, and so sends in a datagram.
const datagramLimit = 16 << 10

// datagrams is `nc -u`: each piece of its input becomes a datagram, and it prints the answers. At
// the end of the input it stays until nothing has come for the time of -w, and without -w until it
// is stopped.
//
// Source: netcat-openbsd 1.226 netcat.c, readwrite and udptest
func (n *Netcat) datagrams(p *kernel.Process) kernel.Wait {
	if w, ok := n.Name.next(p); !ok {
		return w
	}
	host := string(n.Name.Name)
	if len(n.Name.Addresses) == 0 {
		return fail(p, "bad address '"+host+"'")
	}
	if !n.Sent {
		if n.Sent = true; n.Scan {
			return n.send(p, "X")
		}
		n.open(p)
	}
	for {
		if n.Await {
			if w, ok := n.heard(p); !ok {
				return w
			}
		}
		switch {
		case n.Read && !n.Limited:
			return kernel.Wait{For: kernel.Signals}
		case n.Read && p.Since() >= n.Quiet:
			return kernel.Done(0)
		case n.Read:
			return kernel.Wait{For: kernel.Time, Until: n.Quiet}
		}
		data, err := p.Read(0, datagramLimit)
		switch {
		case err == kernel.ErrWouldBlock:
			return kernel.Wait{For: kernel.Readable}
		case err != nil:
			n.Read = true
			n.still(p)
		default:
			return n.send(p, kernel.Text(data))
		}
	}
}

// open prints that the port is reachable.
func (n *Netcat) open(p *kernel.Process) {
	if n.Verbose {
		_, _ = p.Write(2, fmt.Appendf(nil, "%s (%s:%d) open\n", string(n.Name.Name), n.Name.first(), n.Port))
	}
}

// still ends it after its time if nothing more comes.
func (n *Netcat) still(p *kernel.Process) {
	if n.Limited {
		n.Quiet = p.In(n.Timeout)
	}
}

func (n *Netcat) send(p *kernel.Process, data kernel.Text) kernel.Wait {
	n.Await = true
	n.still(p)
	w := p.Ask(kernel.Query{Kind: kernel.QueryUDP, Address: n.Name.first(), Port: n.Port, Body: data})
	w.Until = n.Quiet
	return w
}

// heard takes an answer. If there is none yet, or if this is the end, ok is false and w is what the
// process does.
func (n *Netcat) heard(p *kernel.Process) (w kernel.Wait, ok bool) {
	a := p.Answer()
	switch {
	case a == nil && n.Limited && p.Since() >= n.Quiet:
		a = &kernel.Answer{Outcome: kernel.OutcomeTimeout}
	case a == nil:
		return kernel.Wait{For: kernel.Answered, Until: n.Quiet}, false
	}
	n.Await = false
	switch {
	case a.Outcome == kernel.OutcomeRefused:
		return n.failed(p, string(n.Name.Name), "Connection refused"), false
	case a.Outcome == kernel.OutcomeUnreachable:
		return n.failed(p, string(n.Name.Name), "No route to host"), false
	case n.Scan:
		n.open(p)
		return kernel.Done(0), false
	case a.Outcome == kernel.OutcomeOK:
		n.still(p)
		if _, err := p.Write(1, []byte(a.Body)); err != nil && err != kernel.ErrWouldBlock { // a slow reader loses datagrams
			return kernel.Done(0), false // its reader has closed the pipe
		}
	}
	return kernel.Wait{}, true
}
