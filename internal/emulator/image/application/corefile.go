package application

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// The limits of a Corefile.
const (
	maxCorefile = 256 << 10
	maxBlocks   = 100
)

// corefile is a parsed Corefile.
type corefile struct {
	blocks  []corefileBlock
	ignored []string // the parts that are not emulated, a line each
}

// corefileBlock is a server block: its zones, and its plugins in the order in which they are asked.
type corefileBlock struct {
	zones   []corefileZone
	plugins []corefilePlugin
}

// corefileZone is a zone and the port on which it is served. Its name begins with a dot and does
// not end with one; the root's name is empty.
type corefileZone struct {
	name string
	port int
}

// corefilePlugin is a directive: its arguments, and the lines in its braces.
type corefilePlugin struct {
	name string
	args []string
	body [][]string
	line int
}

// The plugins by how they are emulated. Those that answer are in the order in which CoreDNS asks
// them.
//
// Source: coredns 1.12 plugin.cfg
var (
	corednsAnswers = words("hosts kubernetes forward whoami")
	corednsEffects = words("log health ready prometheus reload")
	corednsSilent  = words("errors cache loop loadbalance bind bufsize debug pprof nsid minimal cancel multisocket any trace")
	corednsOthers  = words("root metadata geoip tls quic timeouts acl dnstap local dns64 chaos tsig rewrite header dnssec autopath template transfer " +
		"route53 azure clouddns k8s_external file auto secondary etcd grpc erratic sign view on nomad import")

	kubernetesSilent = words("ttl fallthrough pods kubeconfig endpoint endpoint_pod_names tls startup_timeout")
	hostsSilent      = words("ttl reload fallthrough no_reverse")
	forwardSilent    = words("except max_fails expire policy health_check max_concurrent force_tcp prefer_udp failfast_all_unhealthy_upstreams max_idle_conns")
)

// readCorefile parses the Corefile of a path. The error is the message with which CoreDNS ends.
//
// Source: coredns/caddy 1.1 caddyfile/parse.go and lexer.go
func readCorefile(path, text string, getenv func(string) string) (*corefile, error) {
	if len(text) > maxCorefile {
		return nil, fmt.Errorf("rowlock: %s has more than %d bytes", path, maxCorefile)
	}
	c := &corefile{}
	var header []string
	var block *corefileBlock
	var plugin *corefilePlugin
	number := 0
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s:%d - Error during parsing: %s", path, number, fmt.Sprintf(format, args...))
	}
	for line := range strings.Lines(text) {
		number++
		tokens := corefileTokens(line, getenv)
		if len(tokens) == 0 {
			continue
		}
		last := len(tokens) - 1
		switch opens := tokens[last] == "{"; {
		case block == nil:
			header = append(header, tokens...)
			if !opens {
				if !strings.HasSuffix(tokens[last], ",") {
					return nil, wrong("rowlock: a server block without braces is not emulated")
				}
				continue
			}
			zones, err := corefileZones(header[:len(header)-1])
			if err != nil {
				return nil, wrong("%v", err)
			}
			if header, block = nil, (&corefileBlock{zones: zones}); len(c.blocks) >= maxBlocks {
				return nil, wrong("rowlock: there are more than %d server blocks", maxBlocks)
			}
		case plugin != nil && tokens[0] == "}":
			c.add(block, *plugin)
			plugin = nil
		case plugin != nil:
			plugin.body = append(plugin.body, tokens)
		case tokens[0] == "}":
			block.sort()
			c.blocks = append(c.blocks, *block)
			block = nil
		case !knownPlugin(tokens[0]):
			return nil, wrong("Unknown directive '%s'", tokens[0])
		case opens:
			plugin = &corefilePlugin{name: tokens[0], args: tokens[1:last], line: number}
		default:
			c.add(block, corefilePlugin{name: tokens[0], args: tokens[1:], line: number})
		}
	}
	if block != nil || len(header) > 0 {
		return nil, wrong("Unexpected EOF")
	}
	return c, nil
}

// corefileTokens returns the words of a line: without its comment and quotation marks, and with
// variables replaced.
func corefileTokens(line string, getenv func(string) string) (tokens []string) {
	for line = strings.TrimSpace(line); line != "" && line[0] != '#'; line = strings.TrimSpace(line) {
		var token string
		if line[0] == '"' {
			token, line, _ = strings.Cut(line[1:], `"`)
		} else {
			end := strings.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			token, line = line[:end], line[end:]
		}
		if before, rest, found := strings.Cut(token, "{$"); found {
			if name, after, closed := strings.Cut(rest, "}"); closed {
				token = before + getenv(name) + after
			}
		}
		tokens = append(tokens, token)
	}
	return tokens
}

// corefileZones parses the head of a server block: zones with their ports.
func corefileZones(tokens []string) (zones []corefileZone, err error) {
	for _, token := range tokens {
		for name := range strings.SplitSeq(token, ",") {
			if name == "" {
				continue
			}
			z := corefileZone{port: 53}
			scheme, rest, found := strings.Cut(name, "://")
			if found && scheme != "dns" {
				return nil, fmt.Errorf("rowlock: %s is not emulated", scheme)
			} else if found {
				name = rest
			}
			if host, port, found := strings.Cut(name, ":"); found {
				if z.port, err = strconv.Atoi(port); err != nil || z.port < 1 || z.port > 65535 {
					return nil, fmt.Errorf("invalid port %q", port)
				}
				name = host
			}
			z.name = zoneName(name)
			zones = append(zones, z)
		}
	}
	if len(zones) == 0 {
		return nil, fmt.Errorf("Unexpected token '{', expecting a zone")
	}
	return zones, nil
}

// zoneName returns a zone's name with a dot at its beginning and none at its end.
func zoneName(name string) string {
	if name = strings.ToLower(strings.Trim(name, ".")); name != "" {
		name = "." + name
	}
	return name
}

// inZone reports whether a name, without a final dot, is in a zone.
func inZone(name, zone string) bool { return strings.HasSuffix("."+name, zone) }

func knownPlugin(name string) bool {
	for _, all := range [][]string{corednsAnswers, corednsEffects, corednsSilent, corednsOthers} {
		if slices.Contains(all, name) {
			return true
		}
	}
	return false
}

// add adds a plugin to a block, and records which parts of it are not emulated.
func (c *corefile) add(block *corefileBlock, p corefilePlugin) {
	ignore := func(what string) {
		c.ignored = append(c.ignored, fmt.Sprintf("%s in line %d is not emulated", what, p.line))
	}
	if slices.Contains(corednsOthers, p.name) {
		ignore("plugin/" + p.name)
		return
	}
	known := map[string][]string{"hosts": hostsSilent, "kubernetes": kubernetesSilent, "forward": forwardSilent}[p.name]
	for _, line := range p.body {
		if known != nil && !slices.Contains(known, line[0]) && (p.name != "hosts" || !isIP(line[0])) {
			ignore("plugin/" + p.name + ": " + line[0])
		}
	}
	block.plugins = append(block.plugins, p)
}

// sort puts the plugins into the order in which they are asked.
func (b *corefileBlock) sort() {
	slices.SortStableFunc(b.plugins, func(x, y corefilePlugin) int {
		return slices.Index(corednsAnswers, x.name) - slices.Index(corednsAnswers, y.name)
	})
}

// plugin returns the first plugin of a name; nil for none.
func (b *corefileBlock) plugin(name string) *corefilePlugin {
	for i := range b.plugins {
		if b.plugins[i].name == name {
			return &b.plugins[i]
		}
	}
	return nil
}

// serves returns the block for a name on a port, the one with the longest zone; nil for none.
func (c *corefile) serves(name string, port int) (block *corefileBlock) {
	longest := -1
	for i := range c.blocks {
		for _, z := range c.blocks[i].zones {
			if z.port == port && inZone(name, z.name) && len(z.name) > longest {
				longest, block = len(z.name), &c.blocks[i]
			}
		}
	}
	return block
}

// listens reports whether any zone is served on a port.
func (c *corefile) listens(port int) bool {
	return slices.ContainsFunc(c.blocks, func(b corefileBlock) bool {
		return slices.ContainsFunc(b.zones, func(z corefileZone) bool { return z.port == port })
	})
}

// option returns the arguments of an option in the plugin's braces; ok is false if it is missing.
func (p *corefilePlugin) option(name string) (args []string, ok bool) {
	for _, line := range p.body {
		if line[0] == name {
			return line[1:], true
		}
	}
	return nil, false
}

// fallsThrough reports whether the next plugin is asked for a name that this one does not have.
func (p *corefilePlugin) fallsThrough(name string) bool {
	zones, ok := p.option("fallthrough")
	return ok && (len(zones) == 0 || slices.ContainsFunc(zones, func(z string) bool { return inZone(name, zoneName(z)) }))
}

// portOf returns the port of a plugin's own server: that of its first argument, or fallback.
func (p *corefilePlugin) portOf(fallback int) int {
	if len(p.args) > 0 {
		if i := strings.LastIndexByte(p.args[0], ':'); i >= 0 {
			if n, err := strconv.Atoi(p.args[0][i+1:]); err == nil {
				return n
			}
		}
	}
	return fallback
}

func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}
