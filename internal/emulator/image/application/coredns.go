package application

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// CoreDNS is a name server. Its hosts, kubernetes, forward and whoami plugins answer; log, health,
// ready, prometheus and reload work; the log says of other plugins that they are not emulated.
//
// Source: coredns 1.12
type CoreDNS struct {
	Begun    bool          `json:",omitempty"`
	Corefile kernel.Text   `json:",omitempty"`
	Read     time.Duration `json:",omitempty"` // when the Corefile was read, in kernel time
	End      time.Duration `json:",omitempty"` // of its lame duck mode; 0 until a signal starts that

	config *corefile // the parsed Corefile; nil until it is needed
}

const (
	corednsVersion = "1.12.1"
	// corednsDefault is the configuration without a Corefile.
	corednsDefault = ".:53 {\n  whoami\n  log\n}\n"
	// corednsReload is how often it checks whether its Corefile has changed.
	corednsReload = 30 * time.Second
)

// Step implements kernel.Program.
func (c *CoreDNS) Step(p *kernel.Process) kernel.Wait {
	if !c.Begun {
		if len(p.Args) > 1 && strings.TrimLeft(p.Args[1], "-") == "version" {
			say(p, 1, "CoreDNS-"+corednsVersion+"\nlinux/amd64, go1.24.1, 707c7c1\n")
			return kernel.Done(0)
		}
		if err := c.begin(p); err != nil {
			say(p, 1, err.Error()+"\n")
			return kernel.Done(1)
		}
	}
	if sig, ok := p.TakeSignal(); ok && c.End == 0 {
		c.End = p.Since()
		c.info(p, "SIG"+sig.String()+": Shutting down servers then terminating")
		if d := c.lameDuck(p); d > 0 {
			c.info(p, "plugin/health: Going into lameduck mode for "+d.String())
			c.End += d
		}
	}
	switch {
	case c.End == 0:
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	case p.Since() < c.End:
		return kernel.Wait{For: kernel.Time, Until: c.End}
	}
	return kernel.Done(0)
}

func (c *CoreDNS) info(p *kernel.Process, text string) { say(p, 1, "[INFO] "+text+"\n") }

// begin reads the Corefile and logs where CoreDNS listens.
func (c *CoreDNS) begin(p *kernel.Process) error {
	text, err := c.file(p)
	if err != nil {
		return err
	}
	c.Begun, c.Corefile, c.Read = true, kernel.Text(text), p.Since()
	if c.config, err = readCorefile(c.path(p), text, p.Getenv); err != nil {
		return err
	}
	p.Handle(kernel.SIGTERM)
	p.Handle(kernel.SIGINT)
	c.complain(p)
	for _, block := range c.config.blocks {
		for _, z := range block.zones {
			say(p, 1, fmt.Sprintf("%s.:%d\n", strings.TrimPrefix(z.name, "."), z.port))
		}
	}
	say(p, 1, "CoreDNS-"+corednsVersion+"\nlinux/amd64, go1.24.1, 707c7c1\n")
	return nil
}

// complain logs the parts of the Corefile that are not emulated.
func (c *CoreDNS) complain(p *kernel.Process) {
	for _, what := range c.config.ignored {
		say(p, 1, "[WARNING] rowlock: "+what+"\n")
	}
}

// path returns the path of the Corefile.
func (c *CoreDNS) path(p *kernel.Process) string { return flag(p.Args, "conf", "Corefile") }

// file returns the text of the Corefile. A Corefile that the command line does not name may be
// missing.
func (c *CoreDNS) file(p *kernel.Process) (string, error) {
	text, err := p.FS().ReadFile(p.Path(c.path(p)))
	switch {
	case err == nil:
		return string(text), nil
	case flag(p.Args, "conf", "") == "":
		return corednsDefault, nil
	}
	return "", fmt.Errorf("loading Corefile: open %s: no such file or directory", c.path(p))
}

// current returns the parsed Corefile. With the reload plugin, a changed Corefile is read again at
// the first request after the interval.
//
// Source: coredns 1.12 plugin/reload
func (c *CoreDNS) current(p *kernel.Process) *corefile {
	if c.config == nil { // the program was stored and read back
		c.config, _ = readCorefile("Corefile", string(c.Corefile), p.Getenv) // begin has parsed it without error
	}
	reloads := len(c.config.blocks) > 0 && c.config.blocks[0].plugin("reload") != nil
	if !reloads || p.Since()-c.Read < corednsReload {
		return c.config
	}
	c.Read = p.Since()
	text, err := c.file(p)
	if err != nil || text == string(c.Corefile) {
		return c.config
	}
	c.info(p, "Reloading")
	next, err := readCorefile(c.path(p), text, p.Getenv)
	if err != nil {
		say(p, 1, "[ERROR] Restart failed: "+err.Error()+"\n")
		return c.config
	}
	c.Corefile, c.config = kernel.Text(text), next
	c.complain(p)
	c.info(p, "Reloading complete")
	return c.config
}

// lameDuck returns how long it continues after a signal to stop.
func (c *CoreDNS) lameDuck(p *kernel.Process) time.Duration {
	for _, block := range c.current(p).blocks {
		if health := block.plugin("health"); health != nil {
			if args, ok := health.option("lameduck"); ok && len(args) > 0 {
				d, _ := time.ParseDuration(args[0]) // if that fails, it stops at once
				return min(max(d, 0), time.Hour)
			}
		}
	}
	return 0
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (c *CoreDNS) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	if !c.Begun {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	config := c.current(p)
	if config.listens(q.Port) {
		switch q.Kind {
		case kernel.QueryDNS:
			return c.resolve(p, config, q)
		case kernel.QueryTCP:
			return kernel.Answer{}
		}
		return kernel.Answer{Outcome: kernel.OutcomeTimeout} // DNS messages are not parsed
	}
	for i := range config.blocks {
		for _, own := range []struct {
			plugin, path, body string
			port               int
		}{{"health", "/health", "OK", 8080}, {"ready", "/ready", "OK", 8181}, {"prometheus", "/metrics", "", 9153}} {
			plugin := config.blocks[i].plugin(own.plugin)
			if plugin == nil || plugin.portOf(own.port) != q.Port {
				continue
			}
			if a, done := connected(q, false); done {
				return a
			}
			switch path, _, _ := strings.Cut(string(q.Path), "?"); {
			case path != own.path:
				return respond(404, "", "404 page not found\n")
			case own.plugin == "prometheus":
				return respond(200, "", "# TYPE coredns_build_info gauge\ncoredns_build_info{version=\""+corednsVersion+"\"} 1\n")
			}
			return respond(200, "", own.body)
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

// resolve answers a query for a name.
func (c *CoreDNS) resolve(p *kernel.Process, config *corefile, q kernel.Query) kernel.Answer {
	r := &Resolution{Query: q, Received: p.Since()}
	a, asks := r.next(p, config)
	if asks {
		return p.Later(q, r)
	}
	r.log(p, config, a)
	return a
}

func init() {
	kernel.Register("coredns", &CoreDNS{})
	kernel.Register("resolution", &Resolution{})
	kernel.Provide("coredns", func([]string) kernel.Program { return &CoreDNS{} })
}
