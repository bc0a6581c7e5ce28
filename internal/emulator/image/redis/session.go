package redis

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Session is what the server knows of a connection. The zero value is a new one.
type Session struct {
	Input []byte `json:",omitempty"` // an incomplete command, or commands after a blocked one
	DB    int    `json:",omitempty"`
	User  bool   `json:",omitempty"` // the client has given the password
	Name  string `json:",omitempty"`

	Multi  bool       `json:",omitempty"` // commands are queued for EXEC
	Failed bool       `json:",omitempty"` // one of them was refused
	Queue  [][][]byte `json:",omitempty"`

	Blocked *Blocked `json:",omitempty"`
	Closed  bool     `json:",omitempty"` // nothing more is answered
}

// Blocked is a command that waits for an element.
type Blocked struct {
	Args  [][]byte
	Until int64 `json:",omitempty"` // in milliseconds since 1970; 0 means for ever
}

// Encode returns the session as text. The zero session is "".
func (c *Session) Encode() string {
	text, err := json.Marshal(c)
	if err != nil || string(text) == "{}" {
		return "" // cannot happen: it is plain data
	}
	return string(text)
}

// DecodeSession reads what Encode has written. For any other text it returns a new session.
func DecodeSession(text string) *Session {
	c := &Session{}
	if text != "" && json.Unmarshal([]byte(text), c) != nil {
		return &Session{}
	}
	return c
}

const (
	// maxAnswer is the most bytes in the answers of one Talk, and maxWork the most elements that
	// its commands visit.
	maxAnswer = 512 << 10
	maxWork   = 2 << 20
)

// call is one Talk.
type call struct {
	s    *Server
	c    *Session
	now  int64 // in milliseconds since 1970
	out  []byte
	work int

	args    []string // of the command
	inExec  bool
	changed bool
}

// Talk takes a client's bytes and returns the server's. Without input it continues a blocked
// command. If Session.Blocked is set afterwards, the rest of the answer comes when another client
// has added an element, or at Blocked.Until.
func (s *Server) Talk(c *Session, input string, now time.Time) (out []byte) {
	x := &call{s: s, c: c, now: now.UnixMilli()}
	c.Input = append(c.Input, input...)
	if b := c.Blocked; b != nil && !c.Closed {
		c.Blocked = nil
		x.execute(texts(b.Args), b.Until)
	}
	for c.Blocked == nil && !c.Closed {
		args, n, err := parse(c.Input)
		if err != nil {
			x.error("ERR " + err.Error())
			c.Closed = true
			break
		}
		if n == 0 {
			break
		}
		c.Input = c.Input[n:]
		if len(args) > 0 {
			x.execute(args, 0)
		}
	}
	switch {
	case c.Closed:
		c.Input, c.Queue = nil, nil
	case len(c.Input) > maxCommand: // after a blocked command
		x.error("ERR " + errLong.Error())
		c.Closed, c.Input, c.Blocked = true, nil, nil
	}
	return x.out
}

func texts(args [][]byte) []string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = string(a)
	}
	return all
}

func raws(args []string) [][]byte {
	all := make([][]byte, len(args))
	for i, a := range args {
		all[i] = []byte(a)
	}
	return all
}

// execute runs a command. until is when a command that was blocked gives up; 0 for a new one.
func (x *call) execute(args []string, until int64) {
	x.s.Commands++
	x.args = args
	name := strings.ToLower(args[0])
	known, ok := commands[name]
	if refusal := x.refusal(name, known, ok); refusal != "" {
		if x.c.Failed = x.c.Failed || x.c.Multi; !x.c.Closed {
			x.error(refusal)
		}
		return
	}
	if x.c.Multi && !known.outside {
		x.enqueue()
		return
	}
	x.run(known, until)
}

// run runs a command that is not refused.
func (x *call) run(known command, until int64) {
	x.changed = false
	known.run(x, until)
	if x.changed {
		x.s.Offset++
	}
	if len(x.out) > maxAnswer || x.work > maxWork {
		x.out = x.out[:min(len(x.out), maxAnswer)]
		x.c.Closed = true // as for a client that exceeds its output buffer limit
	}
}

// refusal is why a command is refused; "" if it is not.
//
// Source: redis 7.4 src/server.c, processCommand
func (x *call) refusal(name string, known command, ok bool) string {
	switch {
	case !ok && notEmulated[name]:
		return "ERR rowlock: " + strings.ToUpper(name) + " is not emulated"
	case !ok:
		var b strings.Builder
		for _, arg := range x.args[1:] {
			if b.Len() > 128 {
				break
			}
			b.WriteString("'" + arg[:min(len(arg), 128)] + "' ")
		}
		return "ERR unknown command '" + x.args[0][:min(len(x.args[0]), 128)] + "', with args beginning with: " + b.String()
	case known.arity > 0 && len(x.args) != known.arity || len(x.args) < -known.arity:
		return "ERR wrong number of arguments for '" + name + "' command"
	case x.s.Password != "" && !x.c.User && !known.open:
		return "NOAUTH Authentication required."
	case known.writes && x.s.Leader != "":
		return "READONLY You can't write against a read only replica."
	case known.grows && !x.s.makeRoom(len(strings.Join(x.args, ""))+len(x.args)*perItem):
		return "OOM command not allowed when used memory > 'maxmemory'."
	}
	return ""
}

// oneLine keeps an error on one line.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

func (x *call) enqueue() {
	size := len(x.args)
	for _, args := range x.c.Queue {
		for _, a := range args {
			size += len(a) + 1
		}
	}
	if size+len(strings.Join(x.args, "")) > maxCommand {
		x.c.Failed = true
		x.error("ERR rowlock: a transaction of more than " + strconv.Itoa(maxCommand) + " bytes is not emulated")
		return
	}
	x.c.Queue = append(x.c.Queue, raws(x.args))
	x.status("QUEUED")
}

// Writing answers.

func (x *call) add(parts ...string) {
	if len(x.out) > maxAnswer {
		return // the connection is closed
	}
	for _, p := range parts {
		x.out = append(x.out, p...)
	}
}

func (x *call) ok()                     { x.status("OK") }
func (x *call) status(s string)         { x.add("+", s, "\r\n") }
func (x *call) error(s string)          { x.add("-", oneLine(s), "\r\n") }
func (x *call) number(n int64)          { x.add(":", strconv.FormatInt(n, 10), "\r\n") }
func (x *call) text(s string)           { x.add("$", strconv.Itoa(len(s)), "\r\n", s, "\r\n") }
func (x *call) none()                   { x.add("$-1\r\n") }
func (x *call) noList()                 { x.add("*-1\r\n") }
func (x *call) list(n int)              { x.add("*", strconv.Itoa(n), "\r\n") }
func (x *call) count(n int)             { x.number(int64(n)) }
func (x *call) yes(is bool)             { x.count(map[bool]int{true: 1}[is]) }
func (x *call) spend(n int) bool        { x.work += n; return x.work <= maxWork }
func (x *call) fail(err error)          { x.error(err.Error()) }
func (x *call) arg(i int) string        { return x.args[i] }
func (x *call) is(i int, w string) bool { return i < len(x.args) && strings.EqualFold(x.args[i], w) }

func (x *call) texts(all []string) {
	x.spend(len(all))
	x.list(len(all))
	for _, s := range all {
		x.text(s)
	}
}

// The errors of many commands.
var (
	errKind    = errors.New("WRONGTYPE Operation against a key holding the wrong kind of value")
	errInteger = errors.New("ERR value is not an integer or out of range")
	errFloat   = errors.New("ERR value is not a valid float")
	errSyntax  = errors.New("ERR syntax error")
	errNoKey   = errors.New("ERR no such key")
	errIndex   = errors.New("ERR index out of range")
	errWork    = errors.New("ERR rowlock: the command takes more than is emulated")
)

func integer(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return 0, errInteger
	}
	return n, nil
}
