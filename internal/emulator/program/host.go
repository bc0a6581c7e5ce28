package program

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("host", &HostTool{})
	kernel.Provide("host", func([]string) kernel.Program { return &HostTool{} })
}

// HostTool is bind's host: it asks for a name with the search list, or for the name of an address.
//
// Source: bind 9.18 bin/dig/host.c
type HostTool struct {
	Begun  bool
	Given  bool         `json:",omitempty"` // the arguments name a server
	Server string       `json:",omitempty"`
	Record string       `json:",omitempty"` // "" for addresses
	Asked  kernel.Text  `json:",omitempty"` // the name as given
	Names  kernel.Texts `json:",omitempty"`
	Waits  time.Duration
}

// hostTimeout is how long host waits for a server, including its second try.
const hostTimeout = 10 * time.Second

// Step implements kernel.Program.
func (h *HostTool) Step(p *kernel.Process) kernel.Wait {
	if !h.Begun {
		return h.begin(p)
	}
	if h.Waits > 0 {
		if p.Since() < h.Waits {
			return kernel.Wait{For: kernel.Time, Until: h.Waits}
		}
		return finish(p, ";; connection timed out; no servers could be reached\n", 1)
	}
	a := p.Answer()
	if a == nil {
		return kernel.Wait{For: kernel.Answered}
	}
	switch {
	case a.Outcome == kernel.OutcomeNoServer || a.Outcome == kernel.OutcomeTimeout:
		h.Waits = p.In(hostTimeout)
		return kernel.Wait{For: kernel.Time, Until: h.Waits}
	case a.Outcome == kernel.OutcomeNoName && len(h.Names) > 1:
		h.Names = h.Names[1:]
		return h.ask(p)
	}
	return h.print(p, a)
}

func (h *HostTool) begin(p *kernel.Process) kernel.Wait {
	h.Begun = true
	var rest []string
	args := p.Args[1:]
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "-t" && len(args) > 0:
			h.Record, args = strings.ToUpper(args[0]), args[1:]
		case arg == "-4" || arg == "-T" || arg == "-U" || arg == "-s" || arg == "-r":
		case (arg == "-W" || arg == "-R" || arg == "-N") && len(args) > 0:
			args = args[1:]
		case strings.HasPrefix(arg, "-"):
			return fail(p, "rowlock: option "+arg+" is not emulated")
		default:
			rest = append(rest, arg)
		}
	}
	if len(rest) == 0 || len(rest) > 2 {
		return fail(p, "rowlock: it takes a name and a server here")
	}
	r := readResolver(p)
	h.Server, h.Asked = r.server, kernel.Text(rest[0])
	if len(rest) == 2 {
		h.Server, h.Given = rest[1], true
	}
	if h.Names = r.names(rest[0]); isAddress(rest[0]) {
		h.Names, h.Record = kernel.Texts{reverse(rest[0])}, "PTR"
	}
	return h.ask(p)
}

func (h *HostTool) ask(p *kernel.Process) kernel.Wait {
	return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(h.Names[0]), Record: h.Record, Address: h.Server, Port: 53})
}

func (h *HostTool) print(p *kernel.Process, a *kernel.Answer) kernel.Wait {
	var b strings.Builder
	if h.Given {
		fmt.Fprintf(&b, "Using domain server:\nName: %s\nAddress: %s#53\nAliases: \n\n", h.Server, h.Server)
	}
	name := h.Names[0]
	if a.Outcome == kernel.OutcomeNoName {
		fmt.Fprintf(&b, "Host %s not found: 3(NXDOMAIN)\n", h.Asked)
		return finish(p, b.String(), 1)
	}
	if a.Outcome == kernel.OutcomeServFail {
		fmt.Fprintf(&b, "Host %s not found: 2(SERVFAIL)\n", h.Asked)
		return finish(p, b.String(), 1)
	}
	lines := digAnswers(name, h.Record, a)
	for _, l := range lines {
		says := map[string]string{"A": "has address", "AAAA": "has IPv6 address", "CNAME": "is an alias for", "PTR": "domain name pointer",
			"SRV": "has SRV record", "TXT": "descriptive text", "MX": "mail is handled by", "NS": "name server"}[l.record]
		fmt.Fprintf(&b, "%s %s %s\n", strings.TrimSuffix(l.name, "."), says, l.value)
	}
	if len(lines) == 0 {
		record := h.Record
		if !slices.Contains(recordTypes, record) {
			record = "A"
		}
		fmt.Fprintf(&b, "%s has no %s record\n", name, record)
	}
	return finish(p, b.String(), 0)
}
