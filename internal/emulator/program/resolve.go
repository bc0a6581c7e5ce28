package program

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Resolve finds the addresses of a name: in /etc/hosts, or in DNS with the search list of
// /etc/resolv.conf.
type Resolve struct {
	Name  kernel.Text
	Names kernel.Texts `json:",omitempty"` // still to ask for, in order
	Asked bool         `json:",omitempty"`

	Server string        `json:",omitempty"` // of DNS; "" means those of /etc/resolv.conf
	Silent int           `json:",omitempty"` // how many of those did not answer
	Waits  time.Duration `json:",omitempty"` // how long to wait for a server that does not answer

	Done      bool           `json:",omitempty"`
	Addresses []string       `json:",omitempty"`
	Outcome   kernel.Outcome `json:",omitempty"`
	Found     kernel.Text    `json:",omitempty"` // the name that has the addresses
}

// resolver is the content of /etc/resolv.conf.
type resolver struct {
	server  string   // the first
	servers []string // all, at most three
	search  []string
	ndots   int
}

func readResolver(p *kernel.Process) resolver {
	r := resolver{server: "127.0.0.1", ndots: 1}
	text, _ := p.FS().ReadFile("/etc/resolv.conf")
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		switch f[0] {
		case "nameserver":
			if len(r.servers) < 3 {
				r.servers = append(r.servers, f[1])
			}
		case "search":
			r.search = slices.DeleteFunc(f[1:], func(s string) bool { return s == "." })
		case "options":
			for _, o := range f[1:] {
				if v, ok := strings.CutPrefix(o, "ndots:"); ok {
					if n, err := strconv.Atoi(v); err == nil && n >= 0 {
						r.ndots = min(n, 15)
					}
				}
			}
		}
	}
	if len(r.servers) == 0 {
		r.servers = []string{r.server}
	}
	r.server = r.servers[0]
	return r
}

// names returns the names to ask for, in order.
func (r resolver) names(name string) []string {
	if absolute, ok := strings.CutSuffix(name, "."); ok {
		return []string{absolute}
	}
	var names []string
	for _, domain := range r.search {
		names = append(names, name+"."+strings.Trim(domain, "."))
	}
	if strings.Count(name, ".") >= r.ndots {
		return append([]string{name}, names...)
	}
	return append(names, name)
}

// isAddress reports whether a name is an IP address.
func isAddress(name string) bool {
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// next continues to resolve the name; until the addresses are known, it returns false and what to
// wait for.
func (r *Resolve) next(p *kernel.Process) (kernel.Wait, bool) {
	if r.Done {
		return kernel.Wait{}, true
	}
	if !r.Asked {
		name := string(r.Name)
		if isAddress(name) {
			r.Done, r.Addresses = true, []string{strings.Trim(name, "[]")}
			return kernel.Wait{}, true
		}
		if found := hosts(p, name); len(found) > 0 {
			r.Done, r.Addresses, r.Found = true, found, r.Name
			return kernel.Wait{}, true
		}
		r.Asked, r.Names = true, readResolver(p).names(name)
		return r.ask(p), false
	}
	if r.Waits > 0 {
		if p.Since() < r.Waits {
			return kernel.Wait{For: kernel.Time, Until: r.Waits}, false
		}
		r.Waits = 0
		if r.Silent++; r.Server == "" && r.Silent < len(readResolver(p).servers) {
			return r.ask(p), false
		}
		r.Done, r.Outcome = true, kernel.OutcomeNoServer
		return kernel.Wait{}, true
	}
	a := p.Answer()
	if a == nil {
		return kernel.Wait{For: kernel.Answered}, false
	}
	switch {
	case a.Outcome == kernel.OutcomeNoServer || a.Outcome == kernel.OutcomeTimeout:
		r.Waits = p.In(resolveTimeout)
		return kernel.Wait{For: kernel.Time, Until: r.Waits}, false
	case a.Outcome == kernel.OutcomeServFail:
		if r.Silent++; r.Server == "" && r.Silent < len(readResolver(p).servers) {
			return r.ask(p), false
		}
		r.Done, r.Outcome = true, kernel.OutcomeNoServer
		return kernel.Wait{}, true
	case a.Outcome == kernel.OutcomeNoName || a.Outcome == kernel.OutcomeOK && len(a.Addresses) == 0:
		if r.Names = r.Names[1:]; len(r.Names) > 0 {
			return r.ask(p), false
		}
		r.Done, r.Outcome = true, kernel.OutcomeNoName
		return kernel.Wait{}, true
	}
	r.Done, r.Outcome, r.Addresses, r.Found = true, a.Outcome, a.Addresses, kernel.Text(r.Names[0])
	if a.Canonical != "" {
		r.Found = kernel.Text(a.Canonical)
	}
	return kernel.Wait{}, true
}

// resolveTimeout is how long the C library waits for a name server.
const resolveTimeout = 5 * time.Second

// ask asks a server for the first of the remaining names.
func (r *Resolve) ask(p *kernel.Process) kernel.Wait {
	servers := readResolver(p).servers
	server := cmp.Or(r.Server, servers[min(r.Silent, len(servers)-1)])
	return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(r.Names[0]), Address: server, Port: 53})
}

// first returns the address to connect to: an IPv4 one if there is one.
func (r *Resolve) first() string {
	for _, a := range r.Addresses {
		if ip, err := netip.ParseAddr(a); err == nil && ip.Is4() {
			return a
		}
	}
	if len(r.Addresses) > 0 {
		return r.Addresses[0]
	}
	return ""
}

// hosts returns the addresses of a name in /etc/hosts.
func hosts(p *kernel.Process, name string) []string {
	text, _ := p.FS().ReadFile("/etc/hosts")
	var found []string
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		for _, alias := range f[min(1, len(f)):] {
			if strings.EqualFold(alias, name) {
				found = append(found, f[0])
				break
			}
		}
	}
	return found
}

// nameInHosts returns the first name of an address in /etc/hosts; "" if it has none there.
func nameInHosts(p *kernel.Process, address string) string {
	text, _ := p.FS().ReadFile("/etc/hosts")
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) > 1 && f[0] == address {
			return f[1]
		}
	}
	return ""
}
