package program

import (
	"fmt"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// libcLookup is nslookup as it was up to BusyBox 1.28: the C library resolves the name with
// /etc/hosts and the search list of /etc/resolv.conf, and finds a name for each address that is
// printed.
//
// Source: busybox 1_28_stable networking/nslookup.c, nslookup_main and print_host
type libcLookup struct {
	Server string      `json:",omitempty"`
	Host   string      `json:",omitempty"` // the name to resolve
	Found  *Resolve    `json:",omitempty"` // its addresses; nil while the server is printed
	Left   []string    `json:",omitempty"` // addresses still to print
	Asked  bool        `json:",omitempty"` // the query for the first one's name was sent
	Shown  int         `json:",omitempty"` // addresses printed since the last header
	Text   kernel.Text `json:",omitempty"` // to print at the end
}

func (l *libcLookup) step(p *kernel.Process) kernel.Wait {
	if l.Server == "" {
		if n := len(p.Args); n < 2 || n > 3 || strings.HasPrefix(p.Args[1], "-") {
			return fail(p, "rowlock: only a name and a server are emulated")
		}
		l.Host, l.Server = p.Args[1], readResolver(p).server
		if len(p.Args) == 3 {
			l.Server = p.Args[2]
		}
		l.begin("Server:", l.Server, []string{l.Server})
	}
	if wait, done := l.name(p); !done {
		return wait
	}
	if l.Found == nil {
		l.Text += "\n"
		l.Found = &Resolve{Name: kernel.Text(l.Host), Server: l.Server}
	}
	if l.Found.Done {
		return finish(p, string(l.Text), 0)
	}
	if wait, done := l.Found.next(p); !done {
		return wait
	}
	if len(l.Found.Addresses) == 0 {
		return finishWith(p, 1, piece{1, []byte(l.Text)}, piece{2, []byte("nslookup: can't resolve '" + l.Host + "'\n")})
	}
	l.begin("Name:", l.Host, l.Found.Addresses)
	if wait, done := l.name(p); !done {
		return wait
	}
	return finish(p, string(l.Text), 0)
}

// begin prints a header. The addresses follow it.
func (l *libcLookup) begin(header, of string, addresses []string) {
	l.Text += kernel.Text(fmt.Sprintf("%-10s %s\n", header, of))
	l.Left, l.Shown = addresses, 0
}

// name prints the remaining addresses, each with its name if it has one. done is false while it
// waits for a name.
func (l *libcLookup) name(p *kernel.Process) (wait kernel.Wait, done bool) {
	for len(l.Left) > 0 {
		address := l.Left[0]
		name := nameInHosts(p, address)
		if name == "" {
			if !l.Asked {
				l.Asked = true
				return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(reverse(address)), Record: "PTR", Address: l.Server, Port: 53}), false
			}
			a := p.Answer()
			if a == nil {
				return kernel.Wait{For: kernel.Answered}, false
			}
			if a.Outcome == kernel.OutcomeOK && len(a.Records) > 0 {
				name = strings.TrimSuffix(a.Records[0], ".")
			}
		}
		l.Shown++
		l.Text += kernel.Text(strings.TrimRight(fmt.Sprintf("Address %d: %s %s", l.Shown, address, name), " ") + "\n")
		l.Left, l.Asked = l.Left[1:], false
	}
	return kernel.Wait{}, true
}
