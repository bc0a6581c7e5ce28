package program

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("nslookup", &Lookup{})
	kernel.Provide("nslookup", func([]string) kernel.Program { return &Lookup{} })
}

// Lookup is nslookup: busybox' or, if the container has GNU's programs, bind's. BusyBox' nslookup
// uses the search list for names with dots only up to 1.28.
type Lookup struct {
	Name   string       `json:",omitempty"` // "getent" in machines stored when Lookup was both programs
	Begun  bool         `json:",omitempty"`
	Server string       `json:",omitempty"`
	Record string       `json:",omitempty"`
	Names  kernel.Texts `json:",omitempty"`
	Any    bool         `json:",omitempty"` // an answer has come
	Head   bool         `json:",omitempty"` // the server has been printed
	Text   kernel.Text  `json:",omitempty"` // to print at the end
	Hosts  *Resolve     `json:",omitempty"` // of getent
	Libc   *libcLookup  `json:",omitempty"` // of nslookup before BusyBox 1.29
}

// Step implements kernel.Program.
func (l *Lookup) Step(p *kernel.Process) kernel.Wait {
	if l.Name == "getent" {
		p.Run.Program = &Getent{Hosts: l.Hosts}
		return p.Run.Step(p)
	}
	if p.BusyBoxBefore(29) {
		if l.Libc == nil {
			l.Libc = &libcLookup{}
		}
		return l.Libc.step(p)
	}
	if !l.Begun {
		return l.begin(p)
	}
	a := p.Answer()
	if a == nil {
		return kernel.Wait{For: kernel.Answered}
	}
	name := l.Names[0]
	l.Names = l.Names[1:]
	if a.Outcome == kernel.OutcomeNoServer || a.Outcome == kernel.OutcomeTimeout {
		if p.GNU() {
			return finish(p, ";; connection timed out; no servers could be reached\n\n", 1)
		}
		return finish(p, ";; connection timed out; no servers could be reached\n\n", 1)
	}
	if !l.Head {
		l.Head = true
		port := ":53"
		if p.GNU() {
			port = "#53"
		}
		l.Text += kernel.Text("Server:\t\t" + l.Server + "\nAddress:\t" + l.Server + port + "\n\n")
	}
	if l.found(p, name, a) {
		l.Any = true
		if p.GNU() { // bind's uses the search list only until there is an answer
			l.Names = nil
		}
	}
	if len(l.Names) > 0 {
		return p.Ask(l.query())
	}
	code := 0
	if !l.Any {
		code = 1
		if p.GNU() {
			l.Text += kernel.Text("** server can't find " + p.Args[len(p.Args)-1] + ": " + rcode(a) + "\n\n")
		}
	}
	return finish(p, string(l.Text), code)
}

// found prints an answer; it returns false if the name does not exist.
func (l *Lookup) found(p *kernel.Process, name string, a *kernel.Answer) bool {
	if a.Outcome == kernel.OutcomeNoName || a.Outcome == kernel.OutcomeServFail {
		if !p.GNU() {
			l.Text += kernel.Text("** server can't find " + name + ": " + rcode(a) + "\n\n")
			if l.Record == "" { // busybox asks for A and for AAAA
				l.Text += kernel.Text("** server can't find " + name + ": " + rcode(a) + "\n\n")
			}
		}
		return false
	}
	shown := name
	if a.Canonical != "" && a.Canonical != name {
		l.Text += kernel.Text(name + "\tcanonical name = " + a.Canonical + "\n")
		shown = a.Canonical
	}
	for _, six := range []bool{false, true} {
		for _, address := range a.Addresses {
			if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() == six {
				l.Text += kernel.Text("Name:\t" + shown + "\nAddress: " + address + "\n")
			}
		}
		if !p.GNU() && l.Record == "" {
			l.Text += "\n"
		}
	}
	for _, r := range a.Records {
		kind := map[string]string{"PTR": "name", "SRV": "service", "TXT": "text", "CNAME": "canonical name", "MX": "mail exchanger", "NS": "nameserver"}[l.Record]
		l.Text += kernel.Text(name + "\t" + kind + " = " + r + "\n")
	}
	if p.GNU() || l.Record != "" {
		l.Text += "\n"
	}
	return true
}

// rcode returns the code of a server that does not find a name.
func rcode(a *kernel.Answer) string {
	if a.Outcome == kernel.OutcomeServFail {
		return "SERVFAIL"
	}
	return "NXDOMAIN"
}

func (l *Lookup) query() kernel.Query {
	return kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(l.Names[0]), Record: l.Record, Address: l.Server, Port: 53}
}

func (l *Lookup) begin(p *kernel.Process) kernel.Wait {
	l.Begun = true
	var rest []string
	for _, a := range p.Args[1:] {
		low := strings.ToLower(a)
		switch {
		case strings.HasPrefix(low, "-type=") || strings.HasPrefix(low, "-query=") || strings.HasPrefix(low, "-q="):
			l.Record = strings.ToUpper(a[strings.IndexByte(a, '=')+1:])
		case low == "-debug" || strings.HasPrefix(low, "-timeout=") || strings.HasPrefix(low, "-retry="):
		case strings.HasPrefix(a, "-"):
			return fail(p, "rowlock: option "+a+" is not emulated")
		default:
			rest = append(rest, a)
		}
	}
	if len(rest) == 0 {
		return fail(p, "rowlock: a session without a name is not emulated")
	}
	r := readResolver(p)
	l.Server = r.server
	if len(rest) > 1 {
		l.Server = rest[1]
	}
	name := rest[0]
	switch {
	case isAddress(name):
		l.Record, l.Names = "PTR", kernel.Texts{reverse(name)}
	case p.GNU():
		l.Names = r.names(name)
	case strings.Contains(name, "."):
		l.Names = kernel.Texts{strings.TrimSuffix(name, ".")}
	default:
		for _, domain := range r.search {
			l.Names = append(l.Names, name+"."+domain)
		}
		if len(r.search) == 0 {
			l.Names = kernel.Texts{name}
		}
	}
	return p.Ask(l.query())
}

// reverse returns the DNS name that holds the name of an address.
func reverse(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip.Is4() {
		b := ip.As4()
		return fmt.Sprintf("%d.%d.%d.%d.in-addr.arpa", b[3], b[2], b[1], b[0])
	}
	var s strings.Builder
	b := ip.As16()
	for i := len(b) - 1; i >= 0; i-- {
		fmt.Fprintf(&s, "%x.%x.", b[i]&0xf, b[i]>>4)
	}
	return s.String() + "ip6.arpa"
}
