package application

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Service describes the behaviour of a server. Times count from its start.
type Service struct {
	// Needs are environment variables without which it does not start.
	Needs []Need

	Output []Line
	Ports  []Port

	// End is how it ends by itself; nil for never.
	End *End

	// Signals describe how it ends on a signal, by the signal's name without SIG. Like the first
	// process of a container, it ignores other signals.
	Signals map[string]End
}

// Need is a condition on the environment without which a program does not start: one of the
// variables must be set.
type Need struct {
	OneOf []string
	Error string // for standard error
	Code  int
}

// Line is a line of a program's output.
type Line struct {
	After  time.Duration
	Text   string // {…} in it is replaced, see fill
	Stderr bool
}

// Port is a port on which a program listens: TCP, unless UDP is set.
type Port struct {
	Number int
	UDP    bool          `json:",omitempty"`
	TLS    bool          `json:",omitempty"` // it speaks TLS, and HTTP inside that
	After  time.Duration // since when it listens

	// Says is the answer over each connection, which is then closed, or to each datagram, instead
	// of HTTP. {…} in it is replaced.
	Says string `json:",omitempty"`

	// HTTP are the answers to requests; the first one that matches counts, and without a match the
	// status is 404. If HTTP is empty, the port takes connections but never answers.
	HTTP []Reply

	// Log is written for each request, except those of probes.
	Log string
}

// Reply is an answer to HTTP requests for a path.
type Reply struct {
	Path   string        // if it ends in "*", it stands for all paths that begin with the rest
	From   time.Duration // when the reply begins to apply
	Until  time.Duration // when it no longer applies; 0 means never
	Status int           // 0 means 200
	Type   string        // Content-Type; empty is text/plain
	Body   string        // {…} in it is replaced
	Stops  bool          // the program ends with 0 after the answer
}

// End is how a program ends.
type End struct {
	After time.Duration // since the start, or since the signal
	Code  int
	Text  string // what it prints before that, to standard output
}

// Running is a program that behaves like a Service.
type Running struct {
	// Name is the name of a built-in service, and Args its command line; without a name, Own is the
	// service.
	Name string       `json:",omitempty"`
	Args kernel.Texts `json:",omitempty"`
	Own  *Service     `json:",omitempty"`

	Begun  bool          `json:",omitempty"`
	Start  time.Duration `json:",omitempty"` // in kernel time
	Lines  int           `json:",omitempty"` // lines written so far
	Ending *Ending       `json:",omitempty"`

	service *Service
}

func (r *Running) spec() *Service {
	switch {
	case r.service != nil:
	case r.Own != nil:
		r.service = r.Own
	default:
		r.service = &Service{}
		if s := services[r.Name]; s != nil {
			*r.service = s(r.Args)
		}
	}
	return r.service
}

// Step implements kernel.Program.
func (r *Running) Step(p *kernel.Process) kernel.Wait {
	s := r.spec()
	if !r.Begun {
		if need := s.lacks(p.Getenv); need != nil {
			say(p, 2, need.Error)
			return kernel.Done(need.Code)
		}
		r.begin(p, s)
	}
	for sig, ok := p.TakeSignal(); ok; sig, ok = p.TakeSignal() {
		end := s.Signals[sig.String()]
		if r.Ending == nil {
			say(p, 1, r.fill(p, end.Text, nil))
			r.Ending = &Ending{At: p.In(end.After), Code: end.Code}
		}
	}
	for ; r.Lines < len(s.Output) && r.Start+s.Output[r.Lines].After <= p.Since(); r.Lines++ {
		line := s.Output[r.Lines]
		fd := 1
		if line.Stderr {
			fd = 2
		}
		say(p, fd, r.fill(p, line.Text, nil)+"\n")
	}
	if r.Ending != nil && r.Ending.At <= p.Since() {
		return kernel.Done(r.Ending.Code)
	}
	if s.End != nil && r.Start+s.End.After <= p.Since() {
		say(p, 1, r.fill(p, s.End.Text, nil))
		return kernel.Done(s.End.Code)
	}
	return kernel.Wait{For: kernel.Signals, Interruptible: true, Until: r.next(s)}
}

func (r *Running) begin(p *kernel.Process, s *Service) {
	r.Begun, r.Start = true, p.Since()
	for _, name := range slices.Sorted(maps.Keys(s.Signals)) {
		if sig, ok := kernel.ParseSignal(name); ok {
			p.Handle(sig)
		}
	}
}

// next returns when the program must act next; 0 for never.
func (r *Running) next(s *Service) time.Duration {
	var next time.Duration
	sooner := func(at time.Duration) {
		if next == 0 || at < next {
			next = at
		}
	}
	if r.Lines < len(s.Output) {
		sooner(r.Start + s.Output[r.Lines].After)
	}
	if r.Ending != nil {
		sooner(r.Ending.At)
	}
	if s.End != nil {
		sooner(r.Start + s.End.After)
	}
	return next
}

// lacks returns the first unmet need; nil if the environment has everything.
func (s *Service) lacks(getenv func(string) string) *Need {
	for i, need := range s.Needs {
		if !slices.ContainsFunc(need.OneOf, func(name string) bool { return getenv(name) != "" }) {
			return &s.Needs[i]
		}
	}
	return nil
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (r *Running) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	s, since := r.spec(), p.Since()-r.Start
	port := slices.IndexFunc(s.Ports, func(port Port) bool {
		return port.Number == q.Port && port.UDP == (q.Kind == kernel.QueryUDP) && port.After <= since
	})
	if port < 0 || !r.Begun {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	says := s.Ports[port].Says
	switch {
	case says != "" && q.Kind == kernel.QueryTCP:
		return kernel.Answer{}
	case says == "" && s.Ports[port].HTTP == nil && q.Kind != kernel.QueryTCP:
		return kernel.Answer{Outcome: kernel.OutcomeTimeout} // it only takes connections
	case says == "":
		if a, done := connected(q, s.Ports[port].TLS); done {
			return a
		}
	}
	if log := s.Ports[port].Log; log != "" && !Silent(q) {
		say(p, 1, r.fill(p, log, &q)+"\n")
	}
	switch {
	case says == "":
	case q.Kind == kernel.QueryRaw || q.Kind == kernel.QueryUDP:
		return kernel.Answer{Body: kernel.Text(r.fill(p, says, &q))}
	default:
		return kernel.Answer{Outcome: kernel.OutcomeReset} // the answer is not HTTP
	}
	path, _, _ := strings.Cut(string(q.Path), "?")
	for _, reply := range s.Ports[port].HTTP {
		if !reply.fits(path, since) {
			continue
		}
		if reply.Stops && r.Ending == nil {
			r.Ending = &Ending{At: p.Since()}
		}
		status := reply.Status
		if status == 0 {
			status = 200
		}
		return respond(status, reply.Type, r.fill(p, reply.Body, &q))
	}
	return respond(404, "", "404 page not found\n")
}

func (r *Reply) fits(path string, since time.Duration) bool {
	if since < r.From || r.Until != 0 && since >= r.Until {
		return false
	}
	prefix, all := strings.CutSuffix(r.Path, "*")
	return path == r.Path || all && strings.HasPrefix(path, prefix)
}

// maxPlaceholder bounds the text between two braces that are replaced.
const maxPlaceholder = 100

// fill replaces {hostname}, {time:LAYOUT} with one of Go's layouts, {seconds} since the start,
// {env:NAME} and {arg:FLAG} in a text, and for a request {client}, its address, {method}, {path},
// {query:NAME}, {host} and {headers}. Other braces stay.
func (r *Running) fill(p *kernel.Process, text string, q *kernel.Query) string {
	var b strings.Builder
	for b.Len() < maxText {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		b.WriteString(text[:open])
		text = text[open:]
		end := strings.IndexByte(text[:min(len(text), maxPlaceholder)], '}')
		value, ok := "", false
		if end > 0 {
			value, ok = r.value(p, text[1:end], q)
		}
		if !ok {
			b.WriteByte('{')
			text = text[1:]
			continue
		}
		b.WriteString(value)
		text = text[end+1:]
	}
	b.WriteString(text)
	return b.String()
}

func (r *Running) value(p *kernel.Process, name string, q *kernel.Query) (string, bool) {
	name, arg, _ := strings.Cut(name, ":")
	switch name {
	case "hostname":
		return p.Hostname(), true
	case "time":
		return p.Now().UTC().Format(arg), true
	case "seconds":
		return strconv.FormatFloat((p.Since() - r.Start).Seconds(), 'f', -1, 64), true
	case "env":
		return p.Getenv(arg), true
	case "arg":
		return flag(r.Args, arg, ""), true
	}
	if q == nil {
		return "", false
	}
	path, query, _ := strings.Cut(string(q.Path), "?")
	switch name {
	case "method":
		return string(q.Method), true
	case "path":
		return path, true
	case "client":
		return peer(*q) + ":1", true
	case "host":
		return string(q.Host), true
	case "headers":
		return strings.Join(q.Header, "\n"), true
	case "query":
		values, _ := url.ParseQuery(query) // malformed parts count as absent
		return values.Get(arg), true
	}
	return "", false
}

func init() {
	kernel.Register("service", &Running{})
}

// goTermCode is the exit code of a Go program that does not handle TERM and is the first process of
// its container: the kernel does not apply the signal's default effect to it.
const goTermCode = 2

var (
	stopsClean = map[string]End{"TERM": {}, "INT": {}, "QUIT": {}}
	stopsAsGo  = map[string]End{"TERM": {Code: goTermCode}, "INT": {Code: goTermCode}}
	stopsAsJVM = map[string]End{"TERM": {Code: 143}, "INT": {Code: 130}}
)
