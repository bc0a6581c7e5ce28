package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("dig", &Dig{})
	kernel.Provide("dig", func([]string) kernel.Program { return &Dig{} })
}

// Dig is dig with its common options. It asks for one name after the other.
//
// Source: bind 9.18 bin/dig/dig.c and dighost.c
type Dig struct {
	Begun   bool
	Short   bool            `json:",omitempty"`
	TCP     bool            `json:",omitempty"`
	Search  bool            `json:",omitempty"`
	Shown   map[string]bool `json:",omitempty"` // the parts of an answer to print
	Tries   int             `json:",omitempty"`
	Timeout time.Duration   `json:",omitempty"`
	Server  string          `json:",omitempty"` // "" means that of /etc/resolv.conf
	Port    int             `json:",omitempty"`
	Asks    []digQuestion   `json:",omitempty"`
	Names   kernel.Texts    `json:",omitempty"` // the names for the first question, in order
	Waits   time.Duration   `json:",omitempty"`
	At      time.Duration   `json:",omitempty"` // when it was asked
	Text    kernel.Text     `json:",omitempty"`
	Code    int             `json:",omitempty"`
}

type digQuestion struct {
	Name   string
	Record string
}

// digParts are the parts of an answer that +all and +noall switch.
var digParts = []string{"cmd", "comments", "question", "answer", "authority", "additional", "stats"}

const (
	digVersion = "9.18.19"
	digTTL     = 30 // as in kubeadm's CoreDNS

	// digMost bounds the questions of one call.
	digMost = 64
)

// Step implements kernel.Program.
func (d *Dig) Step(p *kernel.Process) kernel.Wait {
	if !d.Begun {
		if problem := d.begin(p); problem != "" {
			return fail(p, problem)
		}
		return d.ask(p)
	}
	if d.Waits > 0 {
		if p.Since() < d.Waits {
			return kernel.Wait{For: kernel.Time, Until: d.Waits}
		}
		d.silent()
		return d.next(p)
	}
	a := p.Answer()
	if a == nil {
		return kernel.Wait{For: kernel.Answered}
	}
	switch {
	case a.Outcome == kernel.OutcomeNoServer || a.Outcome == kernel.OutcomeTimeout:
		d.Waits = p.In(time.Duration(d.Tries) * d.Timeout)
		return kernel.Wait{For: kernel.Time, Until: d.Waits}
	case len(d.Names) > 1 && (a.Outcome == kernel.OutcomeNoName || len(a.Addresses)+len(a.Records) == 0 && a.Canonical == ""):
		d.Names = d.Names[1:]
		return d.ask(p)
	}
	d.print(p, a)
	return d.next(p)
}

func (d *Dig) next(p *kernel.Process) kernel.Wait {
	d.Asks, d.Names, d.Waits = d.Asks[1:], nil, 0
	if len(d.Asks) == 0 {
		return finish(p, string(d.Text), d.Code)
	}
	return d.ask(p)
}

func (d *Dig) ask(p *kernel.Process) kernel.Wait {
	q := d.Asks[0]
	r := readResolver(p)
	if d.Server == "" {
		d.Server = r.server
	}
	if d.Names == nil {
		if d.Names = (kernel.Texts{strings.TrimSuffix(q.Name, ".")}); d.Search {
			d.Names = r.names(q.Name)
		}
	}
	d.At = p.Since()
	return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(d.Names[0]), Record: q.Record, Address: d.Server, Port: d.Port})
}

// begin parses the arguments, and returns what is wrong with them.
func (d *Dig) begin(p *kernel.Process) (problem string) {
	d.Begun, d.Tries, d.Timeout, d.Port = true, 3, 5*time.Second, 53
	d.show(true, digParts...)
	asked := digQuestion{}
	args := p.Args[1:]
	add := func(q digQuestion) {
		if asked.Name != "" {
			d.Asks = append(d.Asks, asked)
		}
		asked = q
	}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case strings.HasPrefix(arg, "+"):
			if !d.option(arg[1:]) {
				return "rowlock: option " + arg + " is not emulated"
			}
		case strings.HasPrefix(arg, "@"):
			d.Server = arg[1:]
		case arg == "-4" || arg == "-6" || strings.EqualFold(arg, "IN"):
		case len(arg) > 1 && arg[0] == '-' && strings.ContainsRune("tpxqc", rune(arg[1])):
			value := arg[2:]
			if value == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			switch arg[1] {
			case 't':
				asked.Record = strings.ToUpper(value)
			case 'p':
				d.Port, _ = strconv.Atoi(value)
			case 'x':
				add(digQuestion{reverse(value), "PTR"})
			case 'q':
				add(digQuestion{Name: value})
			}
		case strings.HasPrefix(arg, "-"):
			return "rowlock: option " + arg + " is not emulated"
		case slices.Contains(recordTypes, strings.ToUpper(arg)):
			asked.Record = strings.ToUpper(arg)
		case asked.Name == "":
			asked.Name = arg
		default:
			add(digQuestion{Name: arg})
		}
	}
	if d.Asks = append(d.Asks, asked); asked.Name == "" {
		return "rowlock: the root's name servers are not emulated"
	}
	for i := range d.Asks {
		if d.Asks[i].Record == "" {
			d.Asks[i].Record = "A"
		}
	}
	if len(d.Asks) > digMost {
		return "rowlock: so many names at once are not emulated"
	}
	return ""
}

// recordTypes are the types that dig and host know.
var recordTypes = strings.Fields("A AAAA ANY CNAME MX NS PTR SOA SRV TXT")

func (d *Dig) show(on bool, parts ...string) {
	if d.Shown == nil {
		d.Shown = map[string]bool{}
	}
	for _, part := range parts {
		d.Shown[part] = on
	}
}

// option parses the text after a plus, and reports whether it is known.
func (d *Dig) option(text string) bool {
	name, off := strings.CutPrefix(text, "no")
	name, value, _ := strings.Cut(name, "=")
	n, _ := strconv.Atoi(value)
	switch {
	case name == "all":
		d.show(!off, digParts...)
	case name == "short":
		d.Short = !off
	case name == "search", name == "defname":
		d.Search = !off
	case name == "tcp", name == "vc":
		d.TCP = !off
	case name == "time" || name == "timeout":
		d.Timeout = time.Duration(max(n, 1)) * time.Second
	case name == "tries":
		d.Tries = max(n, 1)
	case name == "retry":
		d.Tries = max(n, 0) + 1
	case slices.Contains(digParts, name):
		d.show(!off, name)
	case slices.Contains(digPlain, name):
	default:
		return false
	}
	return true
}

// digPlain are options without effect here.
var digPlain = strings.Fields("recurse rec edns dnssec cookie ignore fail rdflag adflag aaflag besteffort mapped bufsize ndots")

// silent reports that no server has answered.
func (d *Dig) silent() {
	d.Code = 9
	at := d.Server + "#" + strconv.Itoa(d.Port)
	d.Text += kernel.Text(strings.Repeat(";; communications error to "+at+": timed out\n", d.Tries) + "\n;; no servers could be reached\n\n")
}

// print prints an answer.
func (d *Dig) print(p *kernel.Process, a *kernel.Answer) {
	q, name := d.Asks[0], d.Names[0]+"."
	lines := digAnswers(name, q.Record, a)
	if d.Short {
		for _, l := range lines {
			d.Text += kernel.Text(l.value + "\n")
		}
		return
	}
	var b strings.Builder
	if d.Shown["cmd"] {
		fmt.Fprintf(&b, "\n; <<>> DiG %s <<>> %s\n;; global options: +cmd\n", digVersion, strings.Join(p.Args[1:], " "))
	}
	authority := soaOf(name, p.Now().Unix())
	if len(lines) > 0 {
		authority = nil
	}
	if d.Shown["comments"] {
		status := "NOERROR"
		switch a.Outcome {
		case kernel.OutcomeNoName:
			status = "NXDOMAIN"
		case kernel.OutcomeServFail:
			status = "SERVFAIL"
		}
		fmt.Fprintf(&b, ";; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: %s, id: %d\n;; flags: qr aa rd; QUERY: 1, ANSWER: %d, AUTHORITY: %d, ADDITIONAL: 1\n"+
			";; WARNING: recursion requested but not available\n\n;; OPT PSEUDOSECTION:\n; EDNS: version: 0, flags:; udp: 1232\n",
			status, (p.ID*40503+len(d.Text)*31)&0xffff, len(lines), len(authority))
	}
	if d.Shown["question"] {
		d.head(&b, "QUESTION")
		b.WriteString(columns(";"+name, "", q.Record, "") + "\n")
	}
	for _, section := range []struct {
		name  string
		lines []digLine
	}{{"ANSWER", lines}, {"AUTHORITY", authority}} {
		if d.Shown[strings.ToLower(section.name)] && len(section.lines) > 0 {
			b.WriteString(strings.Repeat("\n", btoi(d.Shown["comments"])))
			d.head(&b, section.name)
			for _, l := range section.lines {
				b.WriteString(columns(l.name, strconv.Itoa(digTTL), l.record, l.value) + "\n")
			}
		}
	}
	if d.Shown["stats"] {
		over := "UDP"
		if d.TCP {
			over = "TCP"
		}
		fmt.Fprintf(&b, "\n;; Query time: %d msec\n;; SERVER: %s#%d(%s) (%s)\n;; WHEN: %s\n;; MSG SIZE  rcvd: %d\n\n",
			(p.Since() - d.At).Milliseconds(), d.Server, d.Port, d.Server,
			over, p.Now().UTC().Format("Mon Jan 02 15:04:05 MST 2006"), 40+b.Len()/8)
	}
	d.Text += kernel.Text(b.String())
}

func (d *Dig) head(b *strings.Builder, section string) {
	if d.Shown["comments"] {
		b.WriteString(";; " + section + " SECTION:\n")
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

type digLine struct{ name, record, value string }

// digAnswers returns the records of an answer to a question for a name, which ends with a dot.
func digAnswers(name, record string, a *kernel.Answer) (lines []digLine) {
	if a.Canonical != "" {
		lines = append(lines, digLine{name, "CNAME", a.Canonical + "."})
		name = a.Canonical + "."
	}
	for _, address := range a.Addresses {
		kind := "A"
		if strings.Contains(address, ":") {
			kind = "AAAA"
		}
		lines = append(lines, digLine{name, kind, address})
	}
	for _, r := range a.Records {
		lines = append(lines, digLine{name, record, r})
	}
	return lines
}

// soaOf returns the SOA record for a missing name in the cluster's domain; nil for other domains.
func soaOf(name string, serial int64) []digLine {
	const zone = "cluster.local."
	if !strings.HasSuffix("."+name, "."+zone) {
		return nil
	}
	return []digLine{{zone, "SOA", fmt.Sprintf("ns.dns.%s hostmaster.%s %d 7200 1800 86400 %d", zone, zone, serial, digTTL)}}
}

// columns returns a record's name, time to live, class, type and value, each at its column if the
// one before leaves room for a tab.
//
// Source: bind 9.18 lib/dns/masterdump.c, indent
func columns(name, ttl, record, value string) string {
	var b strings.Builder
	b.WriteString(name)
	at := len(name)
	for i, field := range []string{ttl, "IN", record, value} {
		if field == "" {
			continue
		}
		column := 24 + 8*i
		if at >= column {
			b.WriteByte(' ')
			at++
		}
		for at < column {
			b.WriteByte('\t')
			at = at/8*8 + 8
		}
		b.WriteString(field)
		at += len(field)
	}
	return b.String()
}
