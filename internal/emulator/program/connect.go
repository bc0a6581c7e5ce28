package program

import (
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("agnhost-connect", &Connect{}) // where agnhost finds it
	kernel.Provide("agnhost-connect", func([]string) kernel.Program { return &Connect{} })
}

// Connect is "agnhost connect HOST:PORT", over TCP: it says in a word why a port takes no connection.
//
// Source: kubernetes v1.36 test/images/agnhost/connect/connect.go
type Connect struct{ dial }

// Step implements kernel.Program.
func (c *Connect) Step(p *kernel.Process) kernel.Wait {
	if c.Port == 0 {
		if w, ok := c.begin(p); !ok {
			return w
		}
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

func (c *Connect) end(p *kernel.Process, why string) kernel.Wait {
	_, _ = p.Write(2, []byte(why+"\n"))
	return kernel.Done(1)
}

func (c *Connect) begin(p *kernel.Process) (kernel.Wait, bool) {
	c.Timeout = dialTimeout
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
			if d > 0 {
				c.Timeout = d
			}
		case "--protocol":
			if value != "tcp" && value != "" {
				return c.end(p, "UNKNOWN: rowlock: "+value+" is not emulated"), false
			}
		case "--udp-data", "--sctp-data":
		default:
			return c.end(p, "Error: unknown flag: "+option), false
		}
	}
	colon := strings.LastIndexByte(to, ':')
	port, err := strconv.Atoi(to[colon+1:])
	if colon < 0 || err != nil || port < 1 || port > 65535 {
		return c.end(p, "UNKNOWN: address "+to+": missing port in address"), false
	}
	c.Name.Name, c.Port = kernel.Text(strings.Trim(to[:colon], "[]")), port
	return kernel.Wait{}, true
}
