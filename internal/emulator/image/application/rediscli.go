package application

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/image/redis"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/program"
)

// RedisCLI is redis-cli: it sends one command, the commands on its standard input, or those that a
// user types.
//
// Source: redis 7.4 src/redis-cli.c
type RedisCLI struct {
	redisOptions

	Begun   bool `json:",omitempty"`
	Name    program.Resolve
	Session kernel.Text    `json:",omitempty"`
	Asking  bool           `json:",omitempty"` // it waits for an answer
	Greets  bool           `json:",omitempty"` // the answer is to AUTH and SELECT
	Up      bool           `json:",omitempty"` // it is connected
	Lost    kernel.Outcome `json:",omitempty"` // why it is not
	Fails   time.Duration  `json:",omitempty"` // when a connection without an answer fails

	Typing   bool        `json:",omitempty"` // a user types
	Prompted bool        `json:",omitempty"`
	Line     kernel.Text `json:",omitempty"` // an incomplete line
	Ended    bool        `json:",omitempty"` // the input is at its end

	Sent    kernel.Texts  `json:",omitempty"` // the current command
	Got     kernel.Text   `json:",omitempty"` // its answer so far
	Done    int           `json:",omitempty"` // how often it was repeated
	Next    time.Duration `json:",omitempty"`
	DB      int           `json:",omitempty"` // the selected database
	Multi   bool          `json:",omitempty"`
	Code    int           `json:",omitempty"`
	Written kernel.Text   `json:",omitempty"` // output that is still to write
	Closed  bool          `json:",omitempty"`
}

// maxTyped is the most bytes of a command from standard input.
const maxTyped = 64 << 10

// Step implements kernel.Program.
func (c *RedisCLI) Step(p *kernel.Process) kernel.Wait {
	if c.Written != "" {
		if wait, done := write(p, 1, &c.Written); !done {
			return wait
		}
	}
	if !c.Begun {
		if wait, ok := c.begin(p); !ok {
			return wait
		}
	}
	switch {
	case c.Closed:
		return kernel.Done(c.Code)
	case c.Asking:
		return c.answered(p)
	case c.Sent != nil:
		return c.send(p)
	case !c.Up && c.Lost == "":
		return c.connect(p)
	case c.Args != nil && !c.FromInput:
		return c.repeat(p)
	}
	return c.read(p)
}

func (c *RedisCLI) begin(p *kernel.Process) (kernel.Wait, bool) {
	c.Begun = true
	o, said := parseRedisOptions(p.Args[min(1, len(p.Args)):], p.Getenv("REDISCLI_AUTH"))
	if said != nil {
		if version, ok := said.(*Said); ok && version.Out == versionOfRedis {
			version.Out = kernel.Text("redis-cli " + p.Getenv("REDIS_VERSION") + "\n")
		}
		p.Run.Program = said
		return kernel.Wait{}, false
	}
	if c.redisOptions = *o; o.Warns {
		say(p, 2, "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n")
	}
	if c.Name.Name = c.Host; c.Host == "localhost" {
		c.Name.Name = "127.0.0.1"
	}
	c.Typing = c.Args == nil && p.IsTerminal(0)
	c.Raw = c.Raw || !c.Pretty && !p.IsTerminal(1)
	return kernel.Wait{}, true
}

// connect begins a connection, with the password and the requested database.
func (c *RedisCLI) connect(p *kernel.Process) kernel.Wait {
	if wait, done := c.Name.Next(p); !done {
		return wait
	}
	if c.Name.First() == "" {
		c.Lost = kernel.OutcomeNoName
		return c.unconnected(p)
	}
	hello := ""
	if c.Password != "" && c.User != "" {
		hello = redis.Command("AUTH", string(c.User), string(c.Password))
	} else if c.Password != "" {
		hello = redis.Command("AUTH", string(c.Password))
	}
	if c.Number != 0 {
		hello += redis.Command("SELECT", strconv.Itoa(c.Number))
	}
	c.Greets, c.Session, c.Got = true, "", ""
	return c.ask(p, hello)
}

func (c *RedisCLI) ask(p *kernel.Process, body string) kernel.Wait {
	c.Asking = true
	return p.Ask(kernel.Query{Kind: kernel.QueryRaw, Address: c.Name.First(), Port: c.Port, Body: kernel.Text(body), Session: c.Session})
}

// answered processes the server's answer.
func (c *RedisCLI) answered(p *kernel.Process) kernel.Wait {
	if c.Fails != 0 && p.Since() < c.Fails {
		return kernel.Wait{For: kernel.Time, Until: c.Fails}
	}
	a := p.Answer()
	switch {
	case a == nil:
		return kernel.Wait{For: kernel.Answered}
	case a.Outcome == kernel.OutcomeTimeout && c.Fails == 0:
		c.Fails = p.In(clientWait)
		return kernel.Wait{For: kernel.Time, Until: c.Fails}
	case a.Outcome != kernel.OutcomeOK:
		c.Asking, c.Fails, c.Up, c.Sent = false, 0, false, nil
		c.Lost = a.Outcome
		return c.unconnected(p)
	}
	c.Got, c.Session = c.Got+a.Body, a.Session
	if len(c.Got) > maxReply {
		return c.end(p, 2, "Error: rowlock: an answer of more than "+strconv.Itoa(maxReply)+" bytes is not emulated\n", 1)
	}
	if a.Pending {
		return c.ask(p, "")
	}
	c.Asking, c.Up, c.Lost = false, true, ""
	if c.Greets {
		return c.greeted(p)
	}
	return c.show(p, a.Closed)
}

// greeted checks the answers to AUTH and SELECT.
func (c *RedisCLI) greeted(p *kernel.Process) kernel.Wait {
	c.Greets, c.DB = false, c.Number
	asked := []string{}
	if c.Password != "" {
		asked = append(asked, "AUTH")
	}
	if c.Number != 0 {
		asked = append(asked, "SELECT")
	}
	for rest := []byte(c.Got); len(rest) > 0 && len(asked) > 0; asked = asked[1:] {
		r, n, err := redis.ParseReply(rest)
		if err != nil || n == 0 {
			return c.protocol(p, rest)
		}
		switch {
		case r.Kind == '-' && asked[0] == "AUTH":
			say(p, 2, "AUTH failed: "+r.Text+"\n")
		case r.Kind == '-':
			say(p, 2, "SELECT "+strconv.Itoa(c.Number)+" failed: "+r.Text+"\n")
			c.DB = 0
		}
		rest = rest[n:]
	}
	c.Got = ""
	return kernel.Wait{}
}

// protocol ends with an error because the server is not a Redis.
func (c *RedisCLI) protocol(p *kernel.Process, got []byte) kernel.Wait {
	if len(got) == 0 {
		return c.end(p, 2, "Error: Server closed the connection\n", 1)
	}
	return c.end(p, 2, fmt.Sprintf("Error: Protocol error, got %q as reply type byte\n", string(got[:1])), 1)
}

// unconnected reports why there is no connection. A user who types may continue.
func (c *RedisCLI) unconnected(p *kernel.Process) kernel.Wait {
	why := "Connection refused"
	switch c.Lost {
	case kernel.OutcomeNoName, kernel.OutcomeNoServer:
		why = "Name or service not known"
	case kernel.OutcomeTimeout:
		why = "Connection timed out"
	case kernel.OutcomeUnreachable:
		why = "No route to host"
	case kernel.OutcomeReset:
		why = "Server closed the connection"
	}
	text := fmt.Sprintf("Could not connect to Redis at %s:%d: %s\n", c.Host, c.Port, why)
	if c.Typing {
		say(p, 2, text)
		return kernel.Wait{}
	}
	return c.end(p, 2, text, 1)
}

func (c *RedisCLI) end(p *kernel.Process, fd int, text string, code int) kernel.Wait {
	say(p, fd, text)
	return kernel.Done(code)
}

// send sends the command.
func (c *RedisCLI) send(p *kernel.Process) kernel.Wait {
	if !c.Up { // the connection was lost
		c.Name.Done = c.Name.Done && c.Lost != kernel.OutcomeNoName
		c.Lost = ""
		return c.connect(p)
	}
	c.Got = ""
	return c.ask(p, redis.Command(c.Sent...))
}

// show writes the answer to the command.
func (c *RedisCLI) show(p *kernel.Process, closed bool) kernel.Wait {
	sent := c.Sent
	c.Sent = nil
	if closed {
		c.Up, c.Lost, c.Session = false, "", ""
	}
	if len(c.Got) == 0 && strings.EqualFold(sent[0], "shutdown") {
		c.Closed = !c.Typing
		return kernel.Wait{}
	}
	r, n, err := redis.ParseReply([]byte(c.Got))
	if err != nil || n == 0 {
		return c.protocol(p, []byte(c.Got))
	}
	c.Got = ""
	ok := r.Kind != '-'
	switch {
	case c.Raw:
		c.Written = kernel.Text(r.Raw() + "\n")
		if !ok {
			c.Written += "\n"
		}
	default:
		c.Written = kernel.Text(r.String())
	}
	if !ok && c.Strict {
		c.Code = 1
	}
	switch name := strings.ToLower(sent[0]); {
	case name == "select" && ok && len(sent) > 1:
		c.DB, _ = strconv.Atoi(sent[1]) // the server has accepted it
	case name == "multi" && ok:
		c.Multi = true
	case name == "exec" || name == "discard":
		c.Multi = false
	case name == "quit":
		c.Closed = true
	}
	return kernel.Wait{Steps: len(c.Written) / 64}
}

// repeat sends the command of the command line as often as requested.
func (c *RedisCLI) repeat(p *kernel.Process) kernel.Wait {
	switch {
	case c.Done == c.Times && c.Times > 0:
		return kernel.Done(c.Code)
	case p.Since() < c.Next:
		return kernel.Wait{For: kernel.Time, Until: c.Next}
	}
	c.Done++
	c.Next = p.In(c.Every)
	c.Sent = append(kernel.Texts{}, c.Args...)
	return kernel.Wait{}
}

// read reads the next command from standard input, or its last argument with -x.
func (c *RedisCLI) read(p *kernel.Process) kernel.Wait {
	if c.Typing && !c.Prompted {
		c.Prompted = true
		c.Written = kernel.Text(c.prompt())
		return kernel.Wait{}
	}
	if !c.Ended {
		data, err := p.ReadLine(0, 4096)
		switch {
		case err == kernel.ErrWouldBlock:
			return kernel.Wait{For: kernel.Readable}
		case err != nil:
			c.Ended = true
		case len(c.Line)+len(data) > maxTyped:
			return c.end(p, 2, "rowlock: a command of more than "+strconv.Itoa(maxTyped)+" bytes is not emulated\n", NotEmulatedCode)
		}
		c.Line += kernel.Text(data)
		if !c.Ended && (c.FromInput || !strings.HasSuffix(string(c.Line), "\n")) {
			return kernel.Wait{}
		}
	}
	line := string(c.Line)
	switch c.Line = ""; {
	case c.FromInput:
		c.FromInput, c.Args = false, append(c.Args, line)
		return kernel.Wait{}
	case c.Ended && line == "":
		return kernel.Done(c.Code)
	}
	c.Prompted = false
	words, err := redis.Split(line)
	switch {
	case err != nil:
		c.Written = "Invalid argument(s)\n"
	case len(words) == 0:
	case c.Typing && len(words) == 1 && (strings.EqualFold(words[0], "exit") || strings.EqualFold(words[0], "quit")):
		c.Closed = true
	case c.Typing && strings.EqualFold(words[0], "clear"):
		c.Written = "\x1b[H\x1b[2J"
	default:
		c.Sent = words
	}
	return kernel.Wait{}
}

// prompt returns the prompt.
func (c *RedisCLI) prompt() string {
	if !c.Up && c.Lost != "" {
		return "not connected> "
	}
	text := kernel.HostPort(string(c.Host), c.Port)
	if c.DB != 0 {
		text += "[" + strconv.Itoa(c.DB) + "]"
	}
	if c.Multi {
		text += "(TX)"
	}
	return text + "> "
}

func init() {
	kernel.Register("redis-cli", &RedisCLI{})
	kernel.Provide("redis-cli", func([]string) kernel.Program { return &RedisCLI{} })
}
