package application

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/program"
)

const (
	// registerTimeout is how long a replica of the guestbook tries to find its primary, and
	// registerPause the time between tries.
	registerTimeout = 15 * time.Second
	registerPause   = time.Second

	// mostReplicas bounds the replicas of a guestbook, mostEntries the number of its entries, and
	// maxEntry the bytes of each.
	mostReplicas = 100
	mostEntries  = 1000
	maxEntry     = 64 << 10
)

// Guestbook is agnhost's guestbook: the frontend, the primary, which keeps the entries and sends
// them to its replicas, and the replicas.
//
// Source: kubernetes v1.36 test/images/agnhost/guestbook/guestbook.go
// Differs: it has at most mostEntries entries and mostReplicas replicas, and refuses more.
type Guestbook struct {
	Begun    bool         `json:",omitempty"`
	Entries  []Entry      `json:",omitempty"`
	Replicas kernel.Texts `json:",omitempty"`

	// For a replica that registers: the primary's name, the request, when it gives up, and when it
	// tries again, in kernel time.
	Primary *program.Resolve `json:",omitempty"`
	Get     *program.GoGet   `json:",omitempty"`
	Due     time.Duration    `json:",omitempty"`
	Again   time.Duration    `json:",omitempty"`
}

// Entry is the value of a key in a guestbook.
type Entry struct{ Key, Value kernel.Text }

// Step implements kernel.Program.
func (g *Guestbook) Step(p *kernel.Process) kernel.Wait {
	if !g.Begun {
		g.Begun = true
		p.Handle(kernel.SIGTERM)
		if to := g.primary(p); to != "" {
			g.Primary, g.Due = &program.Resolve{Name: kernel.Text(to)}, p.In(registerTimeout)
		}
	}
	if _, ok := p.TakeSignal(); ok {
		return kernel.Done(goTermCode)
	}
	if g.Due == 0 {
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	}
	w := g.register(p)
	w.Interruptible = true
	return w
}

func (*Guestbook) primary(p *kernel.Process) string { return flag(p.Args, "replicaof", "") }
func (*Guestbook) port(p *kernel.Process) int       { return number(p.Args, "http-port", 80) }
func (*Guestbook) backend(p *kernel.Process) int    { return number(p.Args, "backend-port", 6379) }

// register asks the primary to send a replica all entries, now and later.
func (g *Guestbook) register(p *kernel.Process) kernel.Wait {
	if p.Since() < g.Again {
		return kernel.Wait{For: kernel.Time, Until: g.Again}
	}
	if p.Since() >= g.Due {
		logGo(p, "Timed out while registering to primary.")
		return kernel.Done(1)
	}
	at := kernel.HostPort(g.primary(p), g.backend(p))
	if w, done := g.Primary.Next(p); !done {
		return w
	}
	if g.Primary.First() == "" {
		return g.retry(p, fmt.Sprintf("unable to get IP %s: dial udp: lookup %s: no such host", at, g.primary(p)))
	}
	request := "register?host=" + p.Address()
	if g.Get == nil {
		logGo(p, "Registering to primary: "+at+"/"+request)
		g.Get = program.NewGoGet("http://"+at+"/"+request, dialTimeout)
	}
	body, failure, w, done := g.Get.Next(p)
	if !done {
		return w
	}
	if failure != "" {
		return g.retry(p, "encountered error while registering to primary: "+failure)
	}
	var answer struct{ Data map[string]string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		logGo(p, "Error while unmarshaling primary's response: "+err.Error())
		return kernel.Done(1)
	}
	for key, value := range answer.Data {
		g.set(kernel.Text(key), kernel.Text(value))
	}
	logGo(p, "Registered to node: "+g.primary(p))
	g.Due, g.Get, g.Primary = 0, nil, nil
	return kernel.Wait{For: kernel.Signals}
}

func (g *Guestbook) retry(p *kernel.Process, why string) kernel.Wait {
	logGo(p, why+". Retrying in "+registerPause.String()+".")
	g.Primary, g.Get, g.Again = &program.Resolve{Name: kernel.Text(g.primary(p))}, nil, p.In(registerPause)
	return kernel.Wait{For: kernel.Time, Until: g.Again}
}

// set returns false if there is no room.
func (g *Guestbook) set(key, value kernel.Text) bool {
	i, found := slices.BinarySearchFunc(g.Entries, key, func(e Entry, key kernel.Text) int { return strings.Compare(string(e.Key), string(key)) })
	switch {
	case len(key)+len(value) > maxEntry:
		return false
	case found:
		g.Entries[i].Value = value
	case len(g.Entries) >= mostEntries:
		return false
	default:
		g.Entries = slices.Insert(g.Entries, i, Entry{key, value})
	}
	return true
}

// data returns all entries in the form in which they are served.
func (g *Guestbook) data() map[string]string {
	all := map[string]string{}
	for _, e := range g.Entries {
		all[string(e.Key)] = string(e.Value)
	}
	return all
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (g *Guestbook) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	if !g.Begun || q.Port != g.port(p) {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	if a, done := connected(q, false); done {
		return a
	}
	path, query, _ := strings.Cut(string(q.Path), "?")
	values, _ := url.ParseQuery(query) // malformed parts count as absent
	key, value := values.Get("key"), values.Get("value")
	switch path {
	case "/register":
		return g.registered(p, values.Get("host"))
	case "/get":
		logGo(p, "GET /get?key="+key)
		if key == "" {
			return jsonAnswer("data", g.data())
		}
		return jsonAnswer("data", g.data()[key])
	case "/set":
		logGo(p, fmt.Sprintf("GET /set?key=%s&value=%s", key, value))
		switch {
		case key == "":
			return respond(400, "", "cannot set with empty key.\n")
		case !g.set(kernel.Text(key), kernel.Text(value)):
			return respond(417, "", "rowlock: the guestbook is full\n")
		}
		return g.pass(p, q, &GuestbookCall{
			Hosts:   slices.Clone(g.Replicas),
			Request: kernel.Text(fmt.Sprintf("set?key=%s&value=%s", url.QueryEscape(key), url.QueryEscape(value))),
		})
	case "/guestbook":
		command := strings.ToLower(values.Get("cmd"))
		logGo(p, fmt.Sprintf("GET /guestbook?cmd=%s&key=%s&value=%s", command, key, value))
		host := map[string]kernel.Text{"get": "agnhost-replica", "set": "agnhost-primary"}[command]
		switch {
		case host == "":
			return respond(400, "", "unsupported cmd: '"+command+"'\n")
		case command == "set" && key == "":
			return respond(400, "", "cannot set with empty key.\n")
		}
		request := fmt.Sprintf("%s?key=%s&value=%s", command, url.QueryEscape(key), url.QueryEscape(value))
		return g.pass(p, q, &GuestbookCall{Hosts: kernel.Texts{string(host)}, Request: kernel.Text(request), Proxies: true})
	}
	return respond(404, "", "404 page not found\n")
}

// registered adds a replica.
func (g *Guestbook) registered(p *kernel.Process, host string) kernel.Answer {
	logGo(p, "GET /register?host="+host)
	if !slices.Contains(g.Replicas, host) {
		if len(g.Replicas) >= mostReplicas || len(host) > 253 {
			return respond(417, "", "rowlock: there are too many replicas\n")
		}
		g.Replicas = append(g.Replicas, host)
	}
	logGo(p, "Node '"+host+"' registered.")
	return jsonAnswer("data", g.data())
}

func (g *Guestbook) pass(p *kernel.Process, q kernel.Query, c *GuestbookCall) kernel.Answer {
	if len(c.Hosts) == 0 {
		return jsonAnswer("message", "Updated")
	}
	return p.Later(q, c)
}

func jsonAnswer(name string, value any) kernel.Answer {
	text, _ := json.Marshal(map[string]any{name: value}) // strings are always valid
	return respond(200, "", string(text))
}

// GuestbookCall answers a request to a guestbook that needs other servers: the replicas, one after
// the other, or the one that knows.
type GuestbookCall struct {
	Hosts   kernel.Texts
	Request kernel.Text
	Proxies bool           `json:",omitempty"` // the other server's answer is the answer
	Get     *program.GoGet `json:",omitempty"`
}

// Step implements kernel.Program.
func (c *GuestbookCall) Step(p *kernel.Process) kernel.Wait {
	for ; len(c.Hosts) > 0; c.Hosts = c.Hosts[1:] {
		if c.Get == nil {
			c.Get = program.NewGoGet("http://"+kernel.HostPort(c.Hosts[0], number(p.Args, "backend-port", 6379))+"/"+string(c.Request), dialTimeout)
		}
		body, failure, w, done := c.Get.Next(p)
		switch {
		case !done:
			return w
		case failure != "" && c.Proxies:
			return p.Respond(respond(417, "", "encountered error: "+failure+"\n"))
		case failure != "":
			return p.Respond(respond(417, "", fmt.Sprintf("encountered error while propagating to replica '%s': %s\n", c.Hosts[0], failure)))
		case c.Proxies:
			return p.Respond(respond(200, "", body))
		}
		c.Get = nil
	}
	return p.Respond(jsonAnswer("message", "Updated"))
}

func init() {
	kernel.Register("guestbook", &Guestbook{})
	kernel.Register("guestbook-call", &GuestbookCall{})
}
