package program

import (
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("agnhost-connect", &Connect{}) // agnhost finds it by this name
	kernel.Provide("agnhost-connect", func([]string) kernel.Program { return &Connect{} })
}

// Connect is "agnhost connect HOST:PORT", over TCP or UDP: it prints in a word why a port takes no
// connection, or answers no datagram.
//
// Source: kubernetes v1.36 test/images/agnhost/connect/connect.go
// Differs: there is no SCTP.
type Connect struct {
	UDP  bool          `json:",omitempty"`
	Data kernel.Text   `json:",omitempty"` // the datagram to send over UDP
	Due  time.Duration `json:",omitempty"` // over UDP: when it gives up, in kernel time; 0 for never

	dial
}

// Step implements kernel.Program.
func (c *Connect) Step(p *kernel.Process) kernel.Wait {
	if c.Port == 0 {
		if w, ok := c.begin(p); !ok {
			return w
		}
	}
	if c.UDP {
		return c.datagram(p)
	}
	a, w, ok := c.next(p)
	if !ok {
		return w
	}
	if a == nil {
		return c.end(p, "DNS: lookup "+string(c.Name.Name)+": no such host")
	}
	switch a.Outcome {
	case kernel.OutcomeOK:
		return kernel.Done(0)
	case kernel.OutcomeRefused:
		return c.end(p, "REFUSED")
	case kernel.OutcomeTimeout:
		return c.end(p, "TIMEOUT")
	}
	return c.end(p, "OTHER: dial tcp "+kernel.HostPort(c.Name.first(), c.Port)+": connect: no route to host")
}

// datagram sends a datagram and waits for one in return.
func (c *Connect) datagram(p *kernel.Process) kernel.Wait {
	if w, ok := c.Name.next(p); !ok {
		return w
	}
	address := c.Name.first()
	if address == "" {
		return c.end(p, "DNS: lookup "+string(c.Name.Name)+": no such host")
	}
	if !c.Asked {
		if c.Asked = true; c.Timeout > 0 {
			c.Due = p.In(c.Timeout)
		}
		w := p.Ask(kernel.Query{Kind: kernel.QueryUDP, Address: address, Port: c.Port, Body: c.Data + "\n"})
		w.Until = c.Due
		return w
	}
	a, late := p.Answer(), c.Due > 0 && p.Since() >= c.Due
	failed := "read udp " + kernel.HostPort(p.Address(), 1) + "->" + kernel.HostPort(address, c.Port) + ": "
	switch {
	case late && (a == nil || a.Outcome != kernel.OutcomeOK):
		return c.end(p, "TIMEOUT: "+failed+"i/o timeout")
	case a == nil:
		return kernel.Wait{For: kernel.Answered, Until: c.Due}
	case (a.Outcome == kernel.OutcomeTimeout || a.Outcome == kernel.OutcomeReset) && c.Due == 0:
		return kernel.Wait{For: kernel.Signals} // for ever
	case a.Outcome == kernel.OutcomeTimeout || a.Outcome == kernel.OutcomeReset:
		return kernel.Wait{For: kernel.Time, Until: c.Due}
	case a.Outcome == kernel.OutcomeRefused:
		return c.end(p, "REFUSED: "+failed+"read: connection refused")
	case a.Outcome != kernel.OutcomeOK:
		return c.end(p, "UNKNOWN: "+failed+"read: no route to host")
	case a.Body == "":
		return c.end(p, "OTHER: No data received from the server. Cannot guarantee the server received the request.")
	}
	return kernel.Done(0)
}

func (c *Connect) end(p *kernel.Process, why string) kernel.Wait {
	_, _ = p.Write(2, []byte(why+"\n"))
	return kernel.Done(1)
}

func (c *Connect) begin(p *kernel.Process) (kernel.Wait, bool) {
	c.Data = "hostname"
	to := ""
	args := p.Args[min(2, len(p.Args)):]
	for len(args) > 0 {
		option, value, given := strings.Cut(args[0], "=")
		args = args[1:]
		if !strings.HasPrefix(option, "--") {
			to = option
			continue
		}
		if !given && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		switch option {
		case "--timeout":
			d, err := time.ParseDuration(value)
			if err != nil {
				return c.end(p, "Error: invalid argument "+strconv.Quote(value)+" for \"--timeout\" flag"), false
			}
			c.Timeout = max(d, 0)
		case "--protocol":
			if c.UDP = value == "udp"; value == "sctp" {
				return c.end(p, "UNKNOWN: rowlock: "+value+" is not emulated"), false
			} else if !c.UDP && value != "tcp" && value != "" {
				return c.end(p, "Unsupported protocol\n"+value), false
			}
		case "--udp-data":
			c.Data = kernel.Text(value)
		case "--sctp-data":
		default:
			return c.end(p, "Error: unknown flag: "+option), false
		}
	}
	colon := strings.LastIndexByte(to, ':')
	port, err := strconv.Atoi(to[colon+1:])
	if colon < 0 || err != nil || port < 1 || port > 65535 {
		return c.end(p, "UNKNOWN: address "+to+": missing port in address"), false
	}
	if c.Timeout == 0 && !c.UDP {
		c.Timeout = dialTimeout
	}
	c.Name.Name, c.Port = kernel.Text(strings.Trim(to[:colon], "[]")), port
	return kernel.Wait{}, true
}
