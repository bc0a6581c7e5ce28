package application

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/program"
)

const (
	// dialTimeout is how long agnhost waits for an answer.
	dialTimeout = 5 * time.Second
	// maxTries bounds the tries of one request, and maxDialed the size of the answers that it
	// keeps, in bytes.
	maxTries  = 1000
	maxDialed = 512 << 10
)

// Dial answers a request for /dial of netexec: it asks another server a number of times, and
// returns the answers.
//
// Source: kubernetes v1.36 test/images/agnhost/netexec/netexec.go, dialHandler
type Dial struct {
	Protocol string // "http" or "udp"
	Request  kernel.Text
	Port     string
	Tries    int

	Name  program.Resolve
	Get   *program.GoGet `json:",omitempty"`
	Asked bool           `json:",omitempty"` // a datagram is under way
	Due   time.Duration  `json:",omitempty"`

	Tried             int          `json:",omitempty"`
	Size              int          `json:",omitempty"` // of all responses, in bytes
	Last              bool         `json:",omitempty"` // the last try had a response with a text
	Responses, Errors kernel.Texts `json:",omitempty"`
}

// newDial parses a request for /dial. If it is invalid, refused is the answer.
func newDial(values url.Values) (d *Dial, refused *kernel.Answer) {
	refuse := func(format string, args ...any) (*Dial, *kernel.Answer) {
		a := respond(400, "", fmt.Sprintf(format, args...)+"\n")
		return nil, &a
	}
	d = &Dial{Protocol: strings.ToLower(values.Get("protocol")), Request: kernel.Text(values.Get("request")), Port: values.Get("port"), Tries: 1}
	d.Name.Name = kernel.Text(values.Get("host"))
	if tries := values.Get("tries"); tries != "" {
		n, err := strconv.Atoi(tries)
		if err != nil {
			return refuse("tries parameter is invalid. %v", err)
		}
		d.Tries = n
	}
	if d.Tries > maxTries {
		return refuse("tries parameter is invalid. rowlock: no more than %d are emulated", maxTries)
	}
	if d.Request == "" {
		return refuse("request parameter not specified. <nil>")
	}
	switch d.Protocol {
	case "":
		d.Protocol = "http"
	case "http", "udp":
	case "sctp":
		a := respond(200, "", `{"errors":["sctp dial failed. err:protocol not supported"]}`)
		return nil, &a
	default:
		return refuse("unsupported protocol. %s", values.Get("protocol"))
	}
	if port, err := strconv.ParseUint(d.Port, 10, 16); err != nil || port == 0 {
		return refuse("host and/or port param are invalid. address %s: invalid port", d.Port)
	}
	return d, nil
}

// Step implements kernel.Program.
func (d *Dial) Step(p *kernel.Process) kernel.Wait {
	if w, done := d.Name.Next(p); !done {
		return w
	}
	address := d.Name.First()
	if address == "" {
		return p.Respond(respond(400, "", "host and/or port param are invalid. lookup "+string(d.Name.Name)+": no such host\n"))
	}
	for d.Tried < d.Tries && d.Size < maxDialed {
		body, failure, w, done := d.try(p, address)
		if !done {
			return w
		}
		d.Tried++
		if d.Last = body != ""; failure != "" {
			d.Errors = append(d.Errors, failure)
		} else {
			d.Responses = append(d.Responses, body)
		}
		d.Size += len(body) + len(failure)
	}
	output := map[string][]string{}
	if d.Last {
		output["responses"] = d.Responses
	}
	if len(d.Errors) > 0 {
		output["errors"] = d.Errors
	}
	text, _ := json.Marshal(output) // a map of strings is always valid
	return p.Respond(respond(200, "", string(text)))
}

// try makes one try.
func (d *Dial) try(p *kernel.Process, address string) (body, failure string, w kernel.Wait, done bool) {
	port, _ := strconv.Atoi(d.Port) // newDial has checked it
	if d.Protocol == "udp" {
		return d.datagram(p, address, port)
	}
	if d.Get == nil {
		d.Get = program.NewGoGet("http://"+kernel.HostPort(address, port)+"/"+string(d.Request), dialTimeout)
	}
	if body, failure, w, done = d.Get.Next(p); done {
		d.Get = nil
	}
	return body, failure, w, done
}

// datagram sends a datagram and waits for one in return.
func (d *Dial) datagram(p *kernel.Process, address string, port int) (body, failure string, w kernel.Wait, done bool) {
	if !d.Asked {
		d.Asked, d.Due = true, p.In(dialTimeout)
		w = p.Ask(kernel.Query{Kind: kernel.QueryUDP, Address: address, Port: port, Body: d.Request})
		w.Until = d.Due
		return "", "", w, false
	}
	a := p.Answer()
	failed := func(why string) (string, string, kernel.Wait, bool) {
		d.Asked = false
		return "", "reading from udp connection failed. err:'read udp " + kernel.HostPort(p.Address(), 1) + "->" + kernel.HostPort(address, port) + ": " + why + "'",
			kernel.Wait{}, true
	}
	switch {
	case (a == nil || a.Outcome == kernel.OutcomeTimeout) && p.Since() >= d.Due:
		return failed("i/o timeout")
	case a == nil:
		return "", "", kernel.Wait{For: kernel.Answered, Until: d.Due}, false
	case a.Outcome == kernel.OutcomeTimeout:
		return "", "", kernel.Wait{For: kernel.Time, Until: d.Due}, false
	case a.Outcome == kernel.OutcomeUnreachable:
		return failed("read: no route to host")
	case a.Outcome != kernel.OutcomeOK:
		return failed("read: connection refused")
	case a.Body == "":
		return failed("<nil>")
	}
	d.Asked = false
	return string(a.Body), "", kernel.Wait{}, true
}

// Shell answers a request for /shell of netexec: it runs a command, and returns its output.
//
// Source: kubernetes v1.36 test/images/agnhost/netexec/netexec.go, shellHandler
// Differs: it keeps at most maxDialed bytes of the output.
type Shell struct {
	Command kernel.Text
	Child   int         `json:",omitempty"` // pid
	From    int         `json:",omitempty"` // the descriptor of the child's output
	Log     int         `json:",omitempty"` // the descriptor of the server's standard error
	Output  kernel.Text `json:",omitempty"`
	Closed  bool        `json:",omitempty"`
}

// Step implements kernel.Program.
func (s *Shell) Step(p *kernel.Process) kernel.Wait {
	if s.Child == 0 {
		if err := s.start(p); err != nil {
			return s.end(p, "fork/exec /bin/sh: "+strings.ToLower(err.Error()))
		}
	}
	for !s.Closed {
		data, err := p.Read(s.From, 4096)
		if err == kernel.ErrWouldBlock {
			return kernel.Wait{For: kernel.Readable, FD: s.From}
		}
		s.Closed = err != nil
		room := max(maxDialed-len(s.Output), 0)
		s.Output += kernel.Text(data[:min(len(data), room)])
	}
	child, found := p.Reap(s.Child)
	switch {
	case child == nil && found:
		return kernel.Wait{For: kernel.Child, PID: s.Child}
	case child == nil || child.Code == 0:
		return s.end(p, "")
	case child.Killed:
		return s.end(p, "signal: "+strings.ToLower(kernel.Signal(child.Code-128).Describe()))
	}
	return s.end(p, "exit status "+strconv.Itoa(child.Code))
}

// start runs the command in a child whose output goes into a pipe.
func (s *Shell) start(p *kernel.Process) error {
	read, write, err := p.MakePipe(3)
	if err != nil {
		return err
	}
	if s.From = read; s.Log == 0 {
		if s.Log, err = p.Save(2); err != nil {
			return err
		}
	}
	if err := p.Dup(write, 1); err != nil {
		return err
	}
	if err := p.Dup(write, 2); err != nil {
		return err
	}
	child, err := p.Start("/bin/sh", []string{"/bin/sh", "-c", string(s.Command)}, p.Env)
	for _, fd := range []int{1, 2, write} {
		_ = p.Close(fd) // only the child uses it
	}
	if err != nil {
		return err
	}
	for _, fd := range []int{read, write} {
		_ = child.Close(fd)
	}
	s.Child = child.PID
	return nil
}

func (s *Shell) end(p *kernel.Process, failure string) kernel.Wait {
	output := map[string]string{}
	if s.Output != "" {
		output["output"] = string(s.Output)
	}
	if failure != "" {
		output["error"] = failure
	}
	_ = p.Dup(s.Log, 2) // if that fails, the log is lost
	logGo(p, fmt.Sprintf("Output: %v", output))
	text, _ := json.Marshal(output) // a map of strings is always valid
	return p.Respond(respond(200, "", string(text)))
}

func init() {
	kernel.Register("dial", &Dial{})
	kernel.Register("netexec-shell", &Shell{})
}
