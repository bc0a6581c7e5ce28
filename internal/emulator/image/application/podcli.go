package application

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Podcli is podinfo's client, as used in its charts' probes: `podcli check http
// localhost:9898/healthz`, and `check tcp`.
// Source: github.com/stefanprodan/podinfo cmd/podcli/check.go
type Podcli struct {
	Asking string `json:",omitempty"` // "dns" or "check"
}

// Step implements kernel.Program.
func (c *Podcli) Step(p *kernel.Process) kernel.Wait {
	target, ok := podcliTarget(p.Args)
	if !ok {
		p.Run.Program = notEmulated("podcli", "with these arguments")
		return kernel.Wait{}
	}
	if c.Asking == "" {
		if _, err := netip.ParseAddr(target.Hostname()); err == nil || target.Hostname() == "localhost" {
			return c.check(p, target, target.Hostname())
		}
		c.Asking = "dns"
		return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(target.Hostname())})
	}
	a := p.Answer()
	if c.Asking == "dns" && a != nil && len(a.Addresses) > 0 {
		return c.check(p, target, a.Addresses[0])
	}
	asked := `"address":` + strconv.Quote(target.String())
	switch {
	case a == nil || a.Outcome != kernel.OutcomeOK || c.Asking == "dns":
		say(p, 2, `{"level":"info","msg":"check failed",`+asked+"}\n")
	case target.Scheme != "tcp" && a.Status >= 400:
		say(p, 2, `{"level":"info","msg":"check failed",`+asked+`,"status code":`+strconv.Itoa(a.Status)+"}\n")
	default:
		say(p, 2, `{"level":"info","msg":"check succeed",`+asked+"}\n")
		return kernel.Done(0)
	}
	return kernel.Done(1)
}

// check connects, and requests the path if the target is an HTTP server.
func (c *Podcli) check(p *kernel.Process, target *url.URL, address string) kernel.Wait {
	c.Asking = "check"
	if address == "localhost" {
		address = "127.0.0.1"
	}
	port, err := strconv.Atoi(target.Port())
	if err != nil {
		port = 80
	}
	q := kernel.Query{Kind: kernel.QueryTCP, Address: address, Port: port}
	if target.Scheme != "tcp" {
		q.Kind, q.Method, q.Path = kernel.QueryHTTP, "GET", kernel.Text(target.RequestURI())
	}
	wait := p.Ask(q)
	wait.Until = p.In(clientWait)
	return wait
}

// podcliTarget returns the target of `podcli check`.
func podcliTarget(args []string) (*url.URL, bool) {
	var given []string
	for _, arg := range args[min(1, len(args)):] {
		if !strings.HasPrefix(arg, "-") {
			given = append(given, arg)
		}
	}
	if len(given) != 3 || given[0] != "check" || given[1] != "http" && given[1] != "tcp" {
		return nil, false
	}
	address := given[2]
	if !strings.Contains(address, "://") {
		address = given[1] + "://" + address
	}
	target, err := url.Parse(address)
	return target, err == nil && target.Host != ""
}

func init() {
	kernel.Register("podcli", &Podcli{})
	kernel.Provide("podcli", func([]string) kernel.Program { return &Podcli{} })
}
