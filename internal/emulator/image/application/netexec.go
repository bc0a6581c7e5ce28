package application

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Netexec is agnhost's netexec: a server that reports on the container and the request, asks other
// servers, runs commands, and ends on request.
//
// Source: kubernetes v1.36 test/images/agnhost/netexec/netexec.go.
// Differs: there is no SCTP; with --sctp-port the log says so.
type Netexec struct {
	Begun   bool    `json:",omitempty"`
	Ending  *Ending `json:",omitempty"` // after TERM; it is then not ready
	Closing *Ending `json:",omitempty"` // it refuses connections, and ends when all requests are answered, or at that time
}

// NetexecActs are the paths whose requests have effects, here or on other servers. It must not be
// changed.
var NetexecActs = []string{"/dial", "/shell", "/exit", "/shutdown", "/upload"}

// closingPoll is how often a Go server that shuts down checks whether its connections are idle.
const closingPoll = 100 * time.Millisecond

// Step implements kernel.Program.
func (n *Netexec) Step(p *kernel.Process) kernel.Wait {
	if !n.Begun {
		n.Begun = true
		p.Handle(kernel.SIGTERM)
		logGo(p, fmt.Sprintf("Started HTTP server on port %d", n.port(p)))
		if n.udpPort(p) != -1 {
			for _, address := range n.addresses(p) {
				logGo(p, fmt.Sprintf("Started UDP server on port %s %d", address, n.udpPort(p)))
			}
		}
		if flag(p.Args, "sctp-port", "-1") != "-1" {
			logGo(p, "rowlock: SCTP is not emulated: nothing listens on the port")
		}
	}
	if _, ok := p.TakeSignal(); ok && n.Ending == nil {
		delay := number(p.Args, "delay-shutdown", 0)
		if delay > 0 {
			logGo(p, fmt.Sprintf("Sleeping %d seconds before terminating...", delay))
		}
		n.Ending = &Ending{At: p.In(time.Duration(min(delay, 1<<20)) * time.Second)}
	}
	var until time.Duration
	if n.Ending != nil {
		if until = n.Ending.At; until <= p.Since() {
			return kernel.Done(n.Ending.Code)
		}
	}
	if c := n.Closing; c != nil {
		if over := c.At <= p.Since(); over || !p.Busy() {
			logGo(p, "Graceful shutdown completed with: "+map[bool]string{true: "context deadline exceeded", false: "<nil>"}[over])
			return kernel.Done(c.Code)
		}
		if until = min(c.At, p.In(closingPoll)); n.Ending != nil {
			until = min(until, n.Ending.At)
		}
	}
	return kernel.Wait{For: kernel.Signals, Interruptible: true, Until: until}
}

func (*Netexec) port(p *kernel.Process) int    { return number(p.Args, "http-port", 8080) }
func (*Netexec) udpPort(p *kernel.Process) int { return number(p.Args, "udp-port", 8081) }

// addresses returns the addresses on which the UDP server listens; "" means any.
func (*Netexec) addresses(p *kernel.Process) []string {
	list := strings.Split(flag(p.Args, "udp-listen-addresses", ""), ",")
	slices.Sort(list)
	return slices.Compact(list)
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (n *Netexec) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	switch {
	case !n.Begun:
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	case q.Kind == kernel.QueryUDP:
		return n.datagram(p, q)
	case q.Port != n.port(p) || n.Closing != nil:
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	if a, done := connected(q, flag(p.Args, "tls-cert-file", "") != ""); done {
		return a
	}
	target := string(q.Path)
	if override := flag(p.Args, "http-override", ""); override != "" {
		target = override
	}
	path, query, _ := strings.Cut(target, "?")
	values, _ := url.ParseQuery(query) // malformed parts count as absent
	if strings.HasPrefix(textproto.MIMEHeader(headers(q)).Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, _ := url.ParseQuery(string(q.Body)) // the same
		for name, list := range form {
			values[name] = append(list, values[name]...)
		}
	}
	if !Silent(q) {
		logGo(p, logged(q, path, values))
	}
	if a, ok := n.act(p, q, path, values); ok {
		return a
	}
	return n.answer(p, q, path, values)
}

// logged returns the server's log line for a request.
func logged(q kernel.Query, path string, values url.Values) string {
	get := func(format string, names ...string) string {
		list := make([]any, len(names))
		for i, name := range names {
			list[i] = values.Get(name)
		}
		return fmt.Sprintf(format, list...)
	}
	switch path {
	case "/echo":
		return get("GET /echo?msg=%s&code=%s", "msg", "code")
	case "/dial":
		return get("GET /dial?host=%s&protocol=%s&port=%s&request=%s&tries=%s", "host", "protocol", "port", "request", "tries")
	case "/exit":
		return get("GET /exit?code=%s&timeout=%s&wait=%s", "code", "timeout", "wait")
	case "/shell":
		return "GET /shell?cmd=" + shellCommand(values)
	case "/header":
		if values.Get("key") != "" {
			return get("GET /header?key=%s", "key")
		}
	case "/redirect":
		return string(q.Method) + get(" /redirect?msg=%s&code=%s", "location", "code")
	case "/clientip", "/serverport", "/healthz", "/readyz", "/hostname", "/hostName", "/upload", "/shutdown":
	default:
		return "GET /"
	}
	return "GET " + path
}

func shellCommand(values url.Values) string {
	if command := values.Get("shellCommand"); command != "" {
		return command
	}
	return values.Get("cmd")
}

// act answers requests that have effects; ok is false for others.
func (n *Netexec) act(p *kernel.Process, q kernel.Query, path string, values url.Values) (a kernel.Answer, ok bool) {
	switch path {
	case "/dial":
		d, refused := newDial(values)
		if refused != nil {
			return *refused, true
		}
		return p.Later(q, d), true
	case "/shell":
		return p.Later(q, &Shell{Command: kernel.Text(shellCommand(values))}), true
	case "/exit":
		e, refused := newExit(p, values)
		if refused != "" {
			return respond(200, "", refused), true
		}
		return p.Later(q, e), true
	case "/shutdown":
		return p.Later(q, &Exit{}), true
	case "/upload":
		return n.upload(p, q), true
	}
	return kernel.Answer{}, false
}

// newExit parses a request for /exit; if it is invalid, refused is the answer.
func newExit(p *kernel.Process, values url.Values) (e *Exit, refused string) {
	e = &Exit{}
	for _, argument := range []struct {
		name string
		to   *time.Duration
	}{{"timeout", &e.Timeout}, {"wait", &e.Wait}} {
		value := values.Get(argument.name)
		d, err := time.ParseDuration(value)
		if err != nil && value != "" {
			return nil, fmt.Sprintf("argument '%s' must be a valid golang duration or empty, got %q\n", argument.name, value)
		}
		*argument.to = max(d, 0)
	}
	code := values.Get("code")
	n, err := strconv.Atoi(code)
	if err != nil && code != "" {
		return nil, fmt.Sprintf("argument 'code' must be an integer [0-127] or empty, got %q\n", code)
	}
	e.Code = n
	logGo(p, fmt.Sprintf("Will begin shutdown in %s, allowing %s for connections to close, then will exit with %d", e.Wait, e.Timeout, n))
	return e, ""
}

// upload stores the file of a form in /uploads.
func (n *Netexec) upload(p *kernel.Process, q kernel.Query) kernel.Answer {
	failed := func(result string, err any) kernel.Answer {
		logGo(p, strings.TrimSuffix(result, ".")+fmt.Sprintf(": %v", err))
		return respond(200, "", `{"error":"`+result+`"}`)
	}
	_, params, err := mime.ParseMediaType(textproto.MIMEHeader(headers(q)).Get("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return failed("Unable to upload file.", "request Content-Type isn't multipart/form-data")
	}
	content, err := fileOf(string(q.Body), params["boundary"])
	if err != nil {
		return failed("Unable to upload file.", err)
	}
	name := "/uploads/upload" + strconv.FormatUint(p.Random()%1_000_000_000, 10)
	if err := p.FS().WriteFile(name, content, 0o700); err != nil {
		return failed("Unable to open file for write", err)
	}
	logGo(p, "Wrote upload to "+name)
	return respond(201, "", `{"output":"`+name+`"}`)
}

// fileOf returns the file in a form.
func fileOf(body, boundary string) ([]byte, error) {
	for parts := multipart.NewReader(strings.NewReader(body), boundary); ; {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil, errors.New("http: no such file")
		} else if err != nil {
			return nil, err
		}
		if part.FormName() == "file" && part.FileName() != "" {
			return io.ReadAll(part)
		}
	}
}

// datagram answers on the UDP port. Unknown commands get no answer.
func (n *Netexec) datagram(p *kernel.Process, q kernel.Query) kernel.Answer {
	addresses := n.addresses(p)
	if q.Port != n.udpPort(p) || !slices.Contains(addresses, "") && !slices.Contains(addresses, q.Address) {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	text := strings.ToLower(strings.TrimSpace(string(q.Body[:min(len(q.Body), 2048)])))
	client := peer(q) + ":1"
	switch {
	case text == "hostname":
		logGo(p, "Sending udp hostName response")
		return kernel.Answer{Body: kernel.Text(p.Hostname())}
	case strings.HasPrefix(text, "echo "):
		said := text[len("echo "):]
		logGo(p, fmt.Sprintf("Echoing %s to UDP client %s", said, client))
		return kernel.Answer{Body: kernel.Text(said)}
	case text == "clientip":
		logGo(p, "Sending clientip back to UDP client "+client)
		return kernel.Answer{Body: kernel.Text(client)}
	case text == "serverport":
		logGo(p, "Sending server port to UDP client "+strconv.Itoa(q.Port))
		return kernel.Answer{Body: kernel.Text(strconv.Itoa(q.Port))}
	case text != "":
		logGo(p, fmt.Sprintf("Unknown UDP command received from %s: %s", client, text))
	}
	return kernel.Answer{Outcome: kernel.OutcomeTimeout}
}

func (n *Netexec) answer(p *kernel.Process, q kernel.Query, path string, values url.Values) kernel.Answer {
	switch path {
	case "/hostname", "/hostName":
		return respond(200, "", p.Hostname())
	case "/healthz":
		if n.udpPort(p) == -1 {
			return respond(412, "", "")
		}
		return respond(200, "", "")
	case "/readyz":
		switch {
		case n.Ending != nil:
			return respond(503, "", "shutting down")
		case n.udpPort(p) == -1:
			return respond(412, "", "")
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
	}
	return respond(200, "", "NOW: "+p.Now().UTC().Format("2006-01-02 15:04:05.999999999 -0700 MST"))
}

// headers returns those of a request, by their canonical names.
func headers(q kernel.Query) map[string][]string {
	all := map[string][]string{}
	for _, h := range q.Header {
		name, value, _ := strings.Cut(h, ":")
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		all[name] = append(all[name], strings.TrimSpace(value))
	}
	return all
}

// Exit answers a request for /exit of netexec.
//
// Source: kubernetes v1.36 test/images/agnhost/netexec/netexec.go, exitHandler
type Exit struct {
	Code          int           `json:",omitempty"`
	Wait, Timeout time.Duration `json:",omitempty"`
	Begun         time.Duration `json:",omitempty"`
}

// Step implements kernel.Program.
func (e *Exit) Step(p *kernel.Process) kernel.Wait {
	if e.Begun == 0 {
		e.Begun = max(p.Since(), 1)
	}
	if p.Since() < e.Begun+e.Wait {
		return kernel.Wait{For: kernel.Time, Until: e.Begun + e.Wait}
	}
	server, ok := p.Main().(*Netexec)
	if e.Timeout == 0 || !ok {
		return p.Exit(e.Code & 0xff)
	}
	server.Closing = &Ending{At: p.In(e.Timeout), Code: e.Code & 0xff}
	p.Notify()
	return p.Respond(respond(200, "", ""))
}

func init() {
	kernel.Register("netexec", &Netexec{})
	kernel.Register("netexec-exit", &Exit{})
}
