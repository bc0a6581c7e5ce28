package application

import (
	"encoding/json"
	"fmt"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Netexec is agnhost's netexec: a server whose answers tell of the container and of the request. Of its paths /dial,
// /shell, /upload, /exit and /shutdown are not emulated, and neither are its UDP and SCTP servers.
//
// Source: kubernetes v1.36 test/images/agnhost/netexec/netexec.go.
type Netexec struct {
	Begun  bool    `json:",omitempty"`
	Ending *Ending `json:",omitempty"` // after TERM, and then it is not ready
}

// Step implements kernel.Program.
func (n *Netexec) Step(p *kernel.Process) kernel.Wait {
	if !n.Begun {
		n.Begun = true
		p.Handle(kernel.SIGTERM)
		n.log(p, fmt.Sprintf("Started HTTP server on port %d", n.port(p)))
		if udp := number(p.Args, "udp-port", 8081); udp != -1 {
			n.log(p, fmt.Sprintf("Started UDP server on port  %d", udp))
		}
	}
	if _, ok := p.TakeSignal(); ok && n.Ending == nil {
		delay := number(p.Args, "delay-shutdown", 0)
		if delay > 0 {
			n.log(p, fmt.Sprintf("Sleeping %d seconds before terminating...", delay))
		}
		n.Ending = &Ending{At: p.In(time.Duration(min(delay, 1<<20)) * time.Second)}
	}
	switch {
	case n.Ending == nil:
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	case n.Ending.At <= p.Since():
		return kernel.Done(0)
	}
	return kernel.Wait{For: kernel.Time, Until: n.Ending.At}
}

func (n *Netexec) port(p *kernel.Process) int { return number(p.Args, "http-port", 8080) }

func (n *Netexec) log(p *kernel.Process, text string) {
	say(p, 2, p.Now().UTC().Format("2006/01/02 15:04:05 ")+text+"\n")
}

// Serve answers what reaches a port of the Pod, for internal/emulator.
func (n *Netexec) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	if !n.Begun || q.Port != n.port(p) {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	if a, done := connected(q); done {
		return a
	}
	target := string(q.Path)
	if override := flag(p.Args, "http-override", ""); override != "" {
		target = override
	}
	path, query, _ := strings.Cut(target, "?")
	values, _ := url.ParseQuery(query) // what is malformed counts as absent
	if !Silent(q) {
		logged := path
		if path == "/echo" {
			logged = fmt.Sprintf("/echo?msg=%s&code=%s", values.Get("msg"), values.Get("code"))
		}
		n.log(p, "GET "+logged)
	}
	return n.answer(p, q, path, values)
}

func (n *Netexec) answer(p *kernel.Process, q kernel.Query, path string, values url.Values) kernel.Answer {
	switch path {
	case "/hostname", "/hostName":
		return respond(200, "", p.Hostname())
	case "/healthz":
		return respond(200, "", "")
	case "/readyz":
		if n.Ending != nil {
			return respond(503, "", "shutting down")
		}
		return respond(200, "", "ok")
	case "/clientip":
		return respond(200, "", peer(q)+":1")
	case "/serverport":
		return respond(200, "", strconv.Itoa(n.port(p)))
	case "/echo":
		code := values.Get("code")
		status, err := strconv.Atoi(code)
		switch {
		case code == "":
			status = 200
		case err != nil:
			return respond(200, "", fmt.Sprintf("argument 'code' must be an integer or empty, got %q\n", code))
		case status < 100 || status > 999:
			status = 500
		}
		return respond(status, "", values.Get("msg"))
	case "/header":
		header := headers(q)
		if key := values.Get("key"); key != "" {
			return respond(200, "", textproto.MIMEHeader(header).Get(key))
		}
		text, _ := json.Marshal(header) // a map of strings is always valid
		return respond(200, "", string(text))
	case "/redirect":
		status, err := strconv.Atoi(values.Get("code"))
		if err != nil || status < 300 || status > 399 {
			status = 302
		}
		a := respond(status, "", "")
		a.Header = append(a.Header, "Location: "+values.Get("location"))
		return a
	case "/dial", "/shell", "/upload", "/exit", "/shutdown":
		return respond(501, "", "rowlock: agnhost netexec "+path+" is not emulated\n")
	}
	return respond(200, "", "NOW: "+p.Now().UTC().Format("2006-01-02 15:04:05.999999999 -0700 MST"))
}

// headers are those of a request, by their canonical names.
func headers(q kernel.Query) map[string][]string {
	all := map[string][]string{}
	for _, h := range q.Header {
		name, value, _ := strings.Cut(h, ":")
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		all[name] = append(all[name], strings.TrimSpace(value))
	}
	return all
}

func init() {
	kernel.Register("netexec", &Netexec{})
}
