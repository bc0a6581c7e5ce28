package program

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("nc", &Netcat{})
	kernel.Register("ping", &Ping{})
	kernel.Provide("nc", func([]string) kernel.Program { return &Netcat{} })
	kernel.Provide("ping", func([]string) kernel.Program { return &Ping{} })
}

// Netcat is nc as a client: it checks whether a port takes connections, or sends it all of its
// input and prints the answer. Over UDP it sends its input as it reads it: see datagrams.
//
// Differs: it does not listen, and ignores -p, because it has no source port.
type Netcat struct {
	Begun   bool
	UDP     bool        `json:",omitempty"`
	Verbose bool        `json:",omitempty"`
	Scan    bool        `json:",omitempty"` // only connect
	Opened  bool        `json:",omitempty"` // -v has reported the connection
	Input   kernel.Text `json:",omitempty"` // the data to send
	Read    bool        `json:",omitempty"` // Input is complete
	Sent    bool        `json:",omitempty"`

	Await bool          `json:",omitempty"` // over UDP: the last datagram has no answer yet
	Quiet time.Duration `json:",omitempty"` // over UDP: when it ends if nothing more comes, in kernel time

	Limited bool `json:",omitempty"` // -w is given

	dial
}

// Step implements kernel.Program.
func (n *Netcat) Step(p *kernel.Process) kernel.Wait {
	if !n.Begun {
		if w, ok := n.begin(p); !ok {
			return w
		}
	}
	if n.UDP {
		return n.datagrams(p)
	}
	host := string(n.Name.Name)
	a, w, ok := n.next(p)
	if !ok {
		return w
	}
	if a == nil {
		return fail(p, "bad address '"+host+"'")
	}
	switch a.Outcome {
	case kernel.OutcomeOK:
		return n.connected(p, a)
	case kernel.OutcomeTimeout:
		return n.failed(p, host, "Connection timed out")
	case kernel.OutcomeUnreachable:
		return n.failed(p, host, "No route to host")
	}
	return n.failed(p, host, "Connection refused")
}

// connected continues when the port has taken the connection.
func (n *Netcat) connected(p *kernel.Process, a *kernel.Answer) kernel.Wait {
	if n.Sent {
		_, _ = p.Write(1, []byte(a.Body)) // fails if its reader has closed the pipe
		return kernel.Done(0)
	}
	if n.Verbose && !n.Opened {
		n.Opened = true
		_, _ = p.Write(2, fmt.Appendf(nil, "%s (%s:%d) open\n", string(n.Name.Name), n.Name.first(), n.Port))
	}
	if n.Scan {
		return kernel.Done(0)
	}
	for !n.Read {
		data, err := p.Read(0, 4096)
		switch {
		case err == kernel.ErrWouldBlock:
			return kernel.Wait{For: kernel.Readable}
		case err != nil:
			n.Read = true
		case len(n.Input)+len(data) > netcatLimit:
			return fail(p, fmt.Sprintf("rowlock: more than %d bytes of input are not emulated", netcatLimit))
		default:
			n.Input += kernel.Text(data)
		}
	}
	n.Sent = true
	return p.Ask(kernel.Query{Kind: kernel.QueryRaw, Address: n.Name.first(), Port: n.Port, Body: n.Input})
}

// netcatLimit is the most bytes that nc sends.
const netcatLimit = 64 << 10

func (n *Netcat) failed(p *kernel.Process, host, why string) kernel.Wait {
	if n.Verbose || !p.GNU() {
		complain(p, fmt.Sprintf("%s (%s:%d): %s", host, n.Name.first(), n.Port, why))
	}
	return kernel.Done(1)
}

func (n *Netcat) begin(p *kernel.Process) (kernel.Wait, bool) {
	n.Begun, n.Timeout = true, dialTimeout
	var rest []string
	args := p.Args[1:]
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") {
			rest = append(rest, arg)
			continue
		}
		for i := 1; i < len(arg); i++ {
			switch arg[i] {
			case 'u':
				n.UDP = true
			case 'z':
				n.Scan = true
			case 'v':
				n.Verbose = true
			case 'n', 't': // no names, TELNET: no effect here
			case 'w', 'p':
				option, value := arg[i], arg[i+1:]
				if value == "" && len(args) > 0 {
					value, args = args[0], args[1:]
				}
				number, err := strconv.Atoi(value)
				if err != nil {
					return fail(p, "invalid number '"+value+"'"), false
				}
				if option == 'w' {
					n.Timeout, n.Limited = time.Duration(number)*time.Second, true
				}
				i = len(arg)
			default:
				return fail(p, "rowlock: option -"+arg[i:i+1]+" is not emulated"), false
			}
		}
	}
	if len(rest) != 2 {
		return fail(p, "missing host or port"), false
	}
	port, err := strconv.Atoi(rest[1])
	if err != nil || port < 1 || port > 65535 {
		return fail(p, "bad port '"+rest[1]+"'"), false
	}
	n.Name.Name, n.Port = kernel.Text(rest[0]), port
	return kernel.Wait{}, true
}

// Ping asks whether an address answers, once a second.
type Ping struct {
	Begun   bool
	Count   int           `json:",omitempty"` // 0: forever
	Timeout time.Duration // for an answer
	Every   time.Duration
	Name    Resolve
	Sent    int           `json:",omitempty"`
	Got     int           `json:",omitempty"`
	Next    time.Duration `json:",omitempty"`
	At      time.Duration `json:",omitempty"` // when the last echo was sent
	Waiting bool          `json:",omitempty"`

	Min, Max, Sum time.Duration // of the round trips
}

// Step implements kernel.Program.
func (g *Ping) Step(p *kernel.Process) kernel.Wait {
	if !g.Begun {
		if w, ok := g.begin(p); !ok {
			return w
		}
	}
	host := string(g.Name.Name)
	if g.Sent == 0 {
		if w, ok := g.Name.next(p); !ok {
			return w
		}
		if len(g.Name.Addresses) == 0 {
			return fail(p, "bad address '"+host+"'")
		}
		_, _ = p.Write(1, fmt.Appendf(nil, "PING %s (%s): 56 data bytes\n", host, g.Name.first()))
		p.Handle(kernel.SIGINT)
	}
	if g.Waiting {
		a := p.Answer()
		if a == nil {
			return kernel.Wait{For: kernel.Answered}
		}
		g.Waiting = false
		if a.Outcome == kernel.OutcomeOK {
			took := p.Since() - g.At
			if g.Got++; g.Got == 1 {
				g.Min = took
			}
			g.Min, g.Max, g.Sum = min(g.Min, took), max(g.Max, took), g.Sum+took
			_, _ = p.Write(1, fmt.Appendf(nil, "64 bytes from %s: seq=%d ttl=64 time=%.3f ms\n", g.Name.first(), g.Sent-1, float64(took)/float64(time.Millisecond)))
		}
		g.Next = g.At + g.Every
		if g.Count > 0 && g.Sent >= g.Count {
			if a.Outcome != kernel.OutcomeOK {
				g.Next = g.At + g.Timeout
			} else {
				g.Next = p.Since()
			}
		}
	}
	if _, stopped := p.TakeSignal(); stopped || g.Count > 0 && g.Sent >= g.Count && p.Since() >= g.Next {
		return g.end(p, host)
	}
	if p.Since() < g.Next {
		return kernel.Wait{For: kernel.Time, Until: g.Next, Interruptible: true}
	}
	g.Sent++
	g.Waiting, g.At = true, p.Since()
	return p.Ask(kernel.Query{Kind: kernel.QueryPing, Address: g.Name.first()})
}

func (g *Ping) end(p *kernel.Process, host string) kernel.Wait {
	loss := 100 * (g.Sent - g.Got) / max(g.Sent, 1)
	text := fmt.Sprintf("\n--- %s ping statistics ---\n%d packets transmitted, %d packets received, %d%% packet loss\n", host, g.Sent, g.Got, loss)
	if g.Got > 0 {
		ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
		text += fmt.Sprintf("round-trip min/avg/max = %.3f/%.3f/%.3f ms\n", ms(g.Min), ms(g.Sum/time.Duration(g.Got)), ms(g.Max))
	}
	code := 0
	if g.Got == 0 {
		code = 1
	}
	return finish(p, text, code)
}

func (g *Ping) begin(p *kernel.Process) (kernel.Wait, bool) {
	g.Begun, g.Timeout, g.Every = true, 10*time.Second, time.Second
	args := p.Args[1:]
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") {
			g.Name.Name = kernel.Text(arg)
			continue
		}
		if arg == "-4" || arg == "-q" {
			continue
		}
		value := arg[2:]
		if value == "" && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fail(p, "invalid number '"+value+"'"), false
		}
		d := time.Duration(v * float64(time.Second))
		switch arg[1] {
		case 'c':
			g.Count = int(v)
		case 'W', 'w':
			g.Timeout = d
		case 'i':
			g.Every = d
		default:
			return fail(p, "rowlock: option "+arg+" is not emulated"), false
		}
	}
	if g.Name.Name == "" {
		return fail(p, "missing host"), false
	}
	return kernel.Wait{}, true
}
