package program

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("getent", &Getent{})
	kernel.Provide("getent", func([]string) kernel.Program { return &Getent{} })
}

// Getent is getent with its databases hosts, ahosts, ahostsv4, ahostsv6, passwd and group.
type Getent struct {
	Hosts *Resolve `json:",omitempty"`
	Asked bool     `json:",omitempty"` // the query for an address's name was sent
}

// Step implements kernel.Program.
func (g *Getent) Step(p *kernel.Process) kernel.Wait {
	if len(p.Args) < 2 {
		return fail(p, "wrong number of arguments")
	}
	switch p.Args[1] {
	case "passwd", "group":
		return getentFile(p, "/etc/"+p.Args[1])
	case "hosts", "ahosts", "ahostsv4", "ahostsv6":
	default:
		return fail(p, "rowlock: the database "+p.Args[1]+" is not emulated")
	}
	if len(p.Args) != 3 {
		return fail(p, "rowlock: it takes one name here")
	}
	name := p.Args[2]
	if p.Args[1] == "hosts" && isAddress(name) {
		return g.reverse(p, name)
	}
	if g.Hosts == nil {
		g.Hosts = &Resolve{Name: kernel.Text(name)}
	}
	if w, ok := g.Hosts.next(p); !ok {
		return w
	}
	return g.print(p)
}

func (g *Getent) print(p *kernel.Process) kernel.Wait {
	var b strings.Builder
	for _, a := range g.Hosts.Addresses {
		ip, err := netip.ParseAddr(a)
		switch {
		case err != nil, p.Args[1] == "ahostsv4" && !ip.Is4(), p.Args[1] == "ahostsv6" && !ip.Is6():
		case p.Args[1] == "hosts":
			fmt.Fprintf(&b, "%-15s %s\n", a, g.Hosts.Found)
		default:
			for i, kind := range []string{"STREAM", "DGRAM", "RAW"} {
				name := kernel.Text("")
				if i == 0 && b.Len() == 0 {
					name = " " + g.Hosts.Found
				}
				fmt.Fprintf(&b, "%-15s %s%s\n", a, kind, name)
			}
		}
	}
	if b.Len() == 0 {
		return kernel.Done(2)
	}
	return finish(p, b.String(), 0)
}

// reverse prints the name of an address.
func (g *Getent) reverse(p *kernel.Process, address string) kernel.Wait {
	name := nameInHosts(p, address)
	if name == "" {
		if !g.Asked {
			g.Asked = true
			return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(reverse(address)), Record: "PTR", Address: readResolver(p).server, Port: 53})
		}
		a := p.Answer()
		if a == nil {
			return kernel.Wait{For: kernel.Answered}
		}
		if len(a.Records) == 0 {
			return kernel.Done(2)
		}
		name = strings.TrimSuffix(a.Records[0], ".")
	}
	return finish(p, fmt.Sprintf("%-15s %s\n", address, name), 0)
}

// getentFile prints all lines of a file, or those of a name or a number.
func getentFile(p *kernel.Process, file string) kernel.Wait {
	content, err := p.FS().ReadFile(file)
	if err != nil {
		return kernel.Done(2)
	}
	if len(p.Args) == 2 {
		return finish(p, string(content), 0)
	}
	out, code := "", 0
	for _, wanted := range p.Args[2:] {
		found := false
		for line := range strings.Lines(string(content)) {
			if f := strings.Split(line, ":"); len(f) > 2 && (f[0] == wanted || f[2] == wanted) {
				out, found = out+line, true
				break
			}
		}
		if !found {
			code = 2
		}
	}
	return finish(p, out, code)
}
