package application

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Resolution is a query to CoreDNS on its way through the plugins. It is the thread that answers if
// one of them asks another server.
type Resolution struct {
	Query    kernel.Query
	Received time.Duration
	At       int      `json:",omitempty"` // the next plugin
	Servers  []string `json:",omitempty"` // the servers still to ask; the first is being asked
	Falls    bool     `json:",omitempty"` // the next plugin is asked if the server does not know the name
}

// Step implements kernel.Program.
func (r *Resolution) Step(p *kernel.Process) kernel.Wait {
	c, ok := p.Main().(*CoreDNS)
	if !ok {
		return p.Respond(kernel.Answer{Outcome: kernel.OutcomeReset})
	}
	config := c.current(p)
	answer := p.Answer()
	switch {
	case len(r.Servers) == 0: // the Corefile has changed
		return p.Respond(kernel.Answer{Outcome: kernel.OutcomeServFail})
	case answer == nil:
		return r.ask(p)
	}
	switch answer.Outcome {
	case kernel.OutcomeNoServer, kernel.OutcomeTimeout, kernel.OutcomeReset, kernel.OutcomeRefused, kernel.OutcomeUnreachable:
		if r.Servers = r.Servers[1:]; len(r.Servers) > 0 {
			return r.ask(p)
		}
		return r.respond(p, config, kernel.Answer{Outcome: kernel.OutcomeServFail})
	case kernel.OutcomeNoName:
		if r.Falls {
			a, asks := r.next(p, config)
			if asks {
				return r.ask(p)
			}
			return r.respond(p, config, a)
		}
	case kernel.OutcomeOK, kernel.OutcomeServFail, kernel.OutcomeIssuer, kernel.OutcomeName, kernel.OutcomePlain:
	}
	a := *answer
	a.Took = 0
	return r.respond(p, config, a)
}

func (r *Resolution) respond(p *kernel.Process, config *corefile, a kernel.Answer) kernel.Wait {
	r.log(p, config, a)
	return p.Respond(a)
}

func (r *Resolution) ask(p *kernel.Process) kernel.Wait {
	q := kernel.Query{Kind: kernel.QueryDNS, Name: r.Query.Name, Record: r.Query.Record, Address: r.Servers[0], Port: 53}
	if server, err := netip.ParseAddrPort(r.Servers[0]); err == nil {
		q.Address, q.Port = server.Addr().String(), int(server.Port())
	}
	return p.Ask(q)
}

func (r *Resolution) name() string {
	return strings.ToLower(strings.TrimSuffix(string(r.Query.Name), "."))
}

// next asks one plugin after the other. asks says that the answer must come from the Servers.
func (r *Resolution) next(p *kernel.Process, config *corefile) (a kernel.Answer, asks bool) {
	block := config.serves(r.name(), r.Query.Port)
	if block == nil {
		return kernel.Answer{Outcome: kernel.OutcomeServFail}, false
	}
	for r.At < len(block.plugins) {
		plugin := &block.plugins[r.At]
		r.At++
		done := false
		switch plugin.name {
		case "hosts":
			a, done = r.hosts(p, plugin)
		case "kubernetes":
			a, asks, done = r.kubernetes(plugin)
		case "forward":
			asks = r.forward(p, plugin)
			done = asks
		case "whoami":
			done = true // its answer is in additional records, which no program reads
		}
		if done {
			return a, asks
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeServFail}, false
}

// hosts answers from the lines in the plugin's braces and from its file. Without a fallthrough it
// fails for other names.
//
// Source: coredns 1.12 plugin/hosts, ServeDNS and hostsfile.go, parse
func (r *Resolution) hosts(p *kernel.Process, plugin *corefilePlugin) (a kernel.Answer, done bool) {
	file := "/etc/hosts"
	if len(plugin.args) > 0 {
		file = plugin.args[0]
		if zones := plugin.args[1:]; len(zones) > 0 && !slices.ContainsFunc(zones, func(z string) bool { return inZone(r.name(), zoneName(z)) }) {
			return a, false
		}
	}
	lines := plugin.body
	text, _ := p.FS().ReadFile(p.Path(file)) // the file may be missing
	if len(text) <= maxCorefile {
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			if fields := strings.Fields(line); len(fields) > 1 {
				lines = append(lines[:len(lines):len(lines)], fields)
			}
		}
	}
	_, noReverse := plugin.option("no_reverse")
	found := false
	for _, line := range lines {
		ip, err := netip.ParseAddr(line[0])
		if err != nil {
			continue
		}
		if r.Query.Record == "PTR" && !noReverse && reverseName(ip) == r.name() {
			for _, name := range line[1:] {
				a.Records = append(a.Records, strings.TrimSuffix(name, ".")+".")
			}
			found = true
		}
		if slices.ContainsFunc(line[1:], func(name string) bool { return strings.EqualFold(strings.TrimSuffix(name, "."), r.name()) }) {
			found = true
			if r.wants(ip) && !slices.Contains(a.Addresses, ip.String()) {
				a.Addresses = append(a.Addresses, ip.String())
			}
		}
	}
	switch {
	case found:
		return a, true
	case plugin.fallsThrough(r.name()):
		return a, false
	}
	return kernel.Answer{Outcome: kernel.OutcomeServFail}, true
}

// wants reports whether the query asks for addresses of the family.
func (r *Resolution) wants(ip netip.Addr) bool {
	return r.Query.Record == "" || r.Query.Record == "A" && ip.Is4() || r.Query.Record == "AAAA" && !ip.Is4()
}

// reverseName returns the DNS name of an IPv4 address; empty for others.
func reverseName(ip netip.Addr) string {
	if !ip.Is4() {
		return ""
	}
	b := ip.As4()
	return fmt.Sprintf("%d.%d.%d.%d.in-addr.arpa", b[3], b[2], b[1], b[0])
}

// kubernetes makes the cluster's own name server answer for the plugin's zones: it knows the same
// records as the plugin.
//
// Source: coredns 1.12 plugin/kubernetes
func (r *Resolution) kubernetes(plugin *corefilePlugin) (a kernel.Answer, asks, done bool) {
	if !slices.ContainsFunc(plugin.args, func(z string) bool { return inZone(r.name(), zoneName(z)) }) {
		return a, false, false
	}
	r.Falls = plugin.fallsThrough(r.name())
	mode, _ := plugin.option("pods")
	if inZone(r.name(), ".pod.cluster.local") && (len(mode) == 0 || mode[0] == "disabled") {
		return kernel.Answer{Outcome: kernel.OutcomeNoName}, false, !r.Falls
	}
	r.Servers = []string{""}
	return a, true, true
}

// forward makes other servers answer: those in its arguments, or those of a file such as
// /etc/resolv.conf.
//
// Source: coredns 1.12 plugin/forward
// Differs: servers over TLS are asked without it, and a server that does not answer fails at once.
func (r *Resolution) forward(p *kernel.Process, plugin *corefilePlugin) (asks bool) {
	except, _ := plugin.option("except")
	if len(plugin.args) < 2 || !inZone(r.name(), zoneName(plugin.args[0])) ||
		slices.ContainsFunc(except, func(z string) bool { return inZone(r.name(), zoneName(z)) }) {
		return false
	}
	r.Falls, r.Servers = false, nil
	for _, to := range plugin.args[1:] {
		if _, rest, found := strings.Cut(to, "://"); found {
			to, _, _ = strings.Cut(rest, "%")
		}
		text, err := p.FS().ReadFile(p.Path(to))
		if err != nil {
			r.Servers = append(r.Servers, to)
			continue
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "nameserver" {
				r.Servers = append(r.Servers, f[1])
			}
		}
	}
	if n := len(r.Servers); n > 1 {
		first := int(p.Random() % uint64(n))
		r.Servers = append(r.Servers[first:n:n], r.Servers[:first]...)
	}
	return len(r.Servers) > 0
}

// log logs the query if the block has the log plugin.
//
// Source: coredns 1.12 plugin/log, CommonLogFormat
func (r *Resolution) log(p *kernel.Process, config *corefile, a kernel.Answer) {
	block := config.serves(r.name(), r.Query.Port)
	if block == nil || block.plugin("log") == nil {
		return
	}
	code := "NOERROR"
	switch {
	case a.Outcome == kernel.OutcomeNoName:
		code = "NXDOMAIN"
	case a.Outcome != kernel.OutcomeOK:
		code = "SERVFAIL"
	}
	records := []string{r.Query.Record}
	if r.Query.Record == "" {
		records = words("A AAAA")
	}
	for _, record := range records {
		took := strconv.FormatFloat(max((p.Since()-r.Received).Seconds(), 0.000_05), 'f', 9, 64)
		size := 34 + len(r.name())
		say(p, 1, fmt.Sprintf("[INFO] %s - %d \"%s IN %s. udp %d false 512\" %s qr,aa,rd %d %ss\n", kernel.HostPort(peer(r.Query), 40000+int(p.Random()%20000)),
			p.Random()%65536, record, r.name(), size, code, size+16*len(a.Addresses), took))
	}
}
