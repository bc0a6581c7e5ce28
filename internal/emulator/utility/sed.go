package utility

import (
	"bytes"
	"fmt"
	"strings"
)

var sedUtilities = map[string]Utility{"sed": {stream: func() Stream { return &sed{} }}}

// sedRange is the state of a command with two addresses.
type sedRange struct {
	In    bool  `json:"in,omitempty"`
	Until int64 `json:"until,omitempty"` // its last line; 0: until the second pattern matches
}

// sed edits its input line by line.
type sed struct {
	Feed   feed     `json:"feed"`
	Lines  lines    `json:"lines"`
	Ahead  [][]byte `json:"ahead,omitempty"` // lines that were read but not started
	Bare   bool     `json:"bare,omitempty"`  // the last line of the input has no newline
	Ended  bool     `json:"ended,omitempty"` // no more lines will come, of this file or at all
	Number int64    `json:"number,omitempty"`

	Space   []byte      `json:"space,omitempty"` // the pattern space
	Hold    []byte      `json:"hold,omitempty"`
	At      int         `json:"at"`              // the next command; -1: a new cycle
	Waits   bool        `json:"waits,omitempty"` // n or N waits for a line
	Keep    bool        `json:"keep,omitempty"`  // after D: start the cycle without a new line
	Flag    bool        `json:"flag,omitempty"`  // a substitution was made, for t
	Ranges  []sedRange  `json:"ranges,omitempty"`
	Queue   []sedQueued `json:"queue,omitempty"`   // output of a and r after the line
	Out     []byte      `json:"out,omitempty"`     // with -i: the new content
	Missing bool        `json:"missing,omitempty"` // the last output lacks its newline
	Exit    int         `json:"exit,omitempty"`
	Quit    bool        `json:"quit,omitempty"`
	Failed  bool        `json:"failed,omitempty"`
	LastRE  int         `json:"lastRE,omitempty"` // the last pattern used, from 1

	o       *options
	script  *sedScript
	files   []string
	inPlace bool
	quiet   bool
}

// sedQueued is a text or a file to write at the end of a cycle.
type sedQueued struct {
	Text string `json:"text,omitempty"`
	File string `json:"file,omitempty"`
}

var sedSyntax = syntax{short: "nEre:f:i::szu", long: map[string]byte{
	"quiet": 'n', "silent": 'n', "regexp-extended": 'E', "expression:": 'e', "file:": 'f', "in-place::": 'i', "separate": 's', "null-data": 'z', "unbuffered": 'u', "posix": 'u',
}}

// Chunk implements Stream.
func (u *sed) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	u.prepare(c)
	next := u.Feed.run(c, u.files, in, eof, u)
	if next == Done && !u.Quit {
		u.Ended = true
		if u.cycles(c); c.tired() && !u.Quit && !u.idle() {
			return Again, 0
		}
	}
	if u.Exit != 0 {
		return next, u.Exit
	}
	if u.Failed && c.GNU {
		return next, 2
	}
	return next, exitIf(u.Failed)
}

// prepare parses the arguments.
func (u *sed) prepare(c *Call) {
	if u.script != nil {
		return
	}
	u.o = c.parse(sedSyntax) // -u has no effect: output is never buffered
	u.files = u.o.rest
	var pieces []string
	for _, g := range u.o.given {
		switch g.name {
		case 'e':
			pieces = append(pieces, g.value)
		case 'f':
			data, err := c.read(g.value, nil)
			if err != nil {
				c.cantOpen(g.value, err)
				panic(stopped{1})
			}
			pieces = append(pieces, strings.TrimSuffix(string(data), "\n"))
		}
	}
	if pieces == nil {
		if len(u.files) == 0 {
			c.fatal(1, "no script specified")
		}
		pieces, u.files = u.files[:1], u.files[1:]
	}
	before := c.steps
	u.script = c.parseSed(strings.Join(pieces, "\n"), u.o.has('E') || u.o.has('r'))
	if u.Ranges != nil {
		c.again(before)
	}
	u.quiet = u.o.has('n') || u.script.quiet
	u.inPlace = u.o.has('i')
	if u.files = orStdin(u.files); u.inPlace && u.files[0] == "-" {
		c.fatal(1, "no input files")
	}
	if u.Ranges == nil {
		u.Ranges = make([]sedRange, len(u.script.commands))
		u.At = -1
	}
	if len(u.Ranges) != len(u.script.commands) {
		c.fatal(1, "the script changed") // the file of -f, between two pieces of input
	}
}

func (u *sed) separate() bool { return u.inPlace || u.o.has('s') }

func (u *sed) newline() byte {
	if u.o.has('z') {
		return 0
	}
	return '\n'
}

func (u *sed) start(*Call, string) {
	u.Bare = false
	if u.separate() {
		u.Number, u.Ended, u.Out, u.Missing = 0, false, nil, false
	}
}

func (u *sed) take(c *Call, data []byte) verdict {
	v := u.run(c)
	switch v {
	case more:
		v = u.Lines.each(c, data, u.newline(), func(text []byte) verdict { return u.line(c, text) })
	case later:
		c.untaken = data
	}
	if v == quit && u.inPlace {
		u.replace(c, u.files[u.Feed.At]) // the unread rest is lost from the file
	}
	return v
}

// line takes one more line of the input.
func (u *sed) line(c *Call, text []byte) verdict {
	c.pass(len(text))
	u.Ahead = append(u.Ahead, bytes.Clone(text))
	return u.run(c)
}

// run runs the script on the available input, until the call has used its share of work.
func (u *sed) run(c *Call) verdict {
	u.cycles(c)
	switch {
	case u.Quit:
		return quit
	case c.tired() && !u.idle():
		return later
	}
	return more
}

// idle reports whether the script waits for a line.
func (u *sed) idle() bool { return !u.ready() && (u.At < 0 && !u.Keep || u.Waits && !u.Ended) }

func (u *sed) finish(c *Call, file string) verdict {
	if text, ok := u.Lines.rest(); ok {
		u.Bare = true
		u.Ahead = append(u.Ahead, text)
	}
	u.Ended = u.Ended || u.separate()
	v := u.run(c)
	if u.inPlace && v != later {
		u.replace(c, file)
	}
	return v
}

// replace replaces the content of a file.
func (u *sed) replace(c *Call, file string) {
	i, err := c.FS.Stat(c.abs(file))
	if err == nil {
		if suffix, _ := u.o.last('i'); suffix != "" {
			err = c.FS.Rename(c.abs(file), c.abs(file)+suffix)
		}
		if err == nil {
			err = c.FS.WriteFile(c.abs(file), u.Out, i.Mode&0o777)
		}
	}
	if err != nil {
		c.complain("%s: %s", file, reason(err))
		u.Failed = true
	}
	u.Out = nil
}

func (u *sed) failed(c *Call, file string, err error) {
	u.Failed = true
	if c.GNU {
		c.complain("can't read %s: %s", file, reason(err))
		return
	}
	c.complain("%s: %s", file, reason(err))
}

// ready reports whether a line can be started: if the script asks for the last line, only when it
// is known whether this is it.
func (u *sed) ready() bool {
	if u.Ended || !u.script.last {
		return len(u.Ahead) > 0
	}
	return len(u.Ahead) > 1
}

func (u *sed) isLast() bool { return u.Ended && len(u.Ahead) == 0 }

func (u *sed) next() []byte {
	text := u.Ahead[0]
	u.Ahead = u.Ahead[1:]
	u.Number++
	return text
}

// cycles runs the script on the available input.
func (u *sed) cycles(c *Call) {
	for !u.Quit && !c.tired() {
		if u.At < 0 {
			if !u.Keep {
				if !u.ready() {
					return
				}
				u.Space = u.next()
			}
			u.Keep, u.Flag, u.At = false, false, 0
		}
		if !u.execute(c) {
			return
		}
	}
}

// execute continues the script; it returns false if the script waits for a line.
func (u *sed) execute(c *Call) bool {
	for u.At < len(u.script.commands) {
		if c.tired() {
			return false
		}
		c.step(1)
		i := u.At
		cmd := &u.script.commands[i]
		if u.Waits {
			if !u.resume(c, cmd) {
				return false
			}
			continue
		}
		u.At++
		if u.selects(c, i, cmd) == cmd.not {
			if cmd.name == '{' {
				u.At = cmd.n
			}
			continue
		}
		switch u.command(c, i, cmd) {
		case sedNext:
		case sedEnd:
			u.endCycle(c, !u.quiet)
			return true
		case sedDelete:
			u.endCycle(c, false)
			return true
		case sedWait:
			u.At, u.Waits = i, true
		}
	}
	u.endCycle(c, !u.quiet)
	return true
}

// resume continues n or N when there is a line, or when there will be none.
func (u *sed) resume(c *Call, cmd *sedCommand) bool {
	if !u.ready() {
		if !u.Ended {
			return false
		}
		u.Waits = false
		u.endCycle(c, !u.quiet) // without a next line the script ends; N prints the pattern space, too
		return false
	}
	u.Waits = false
	if cmd.name == 'n' {
		if !u.quiet {
			u.write(c, u.Space)
		}
		u.flush(c)
		u.Space = u.next()
	} else {
		u.flush(c)
		u.Space = append(append(u.Space, u.newline()), u.next()...)
		c.step(1)
		c.need(int64(len(u.Space)))
	}
	u.At++
	return true
}

type sedStep int

const (
	sedNext   sedStep = iota // the next command
	sedEnd                   // the end of the cycle
	sedDelete                // the end of the cycle, without printing the pattern space
	sedWait                  // for a line
)

// command runs one command.
func (u *sed) command(c *Call, i int, cmd *sedCommand) sedStep {
	if strings.IndexByte("DgGhHPz", cmd.name) >= 0 {
		c.pass(len(u.Space) + len(u.Hold))
	}
	switch cmd.name {
	case '=':
		u.raw(c, fmt.Appendf(nil, "%d\n", u.Number))
	case 'a':
		u.Queue = append(u.Queue, sedQueued{Text: cmd.text})
	case 'r':
		u.Queue = append(u.Queue, sedQueued{File: cmd.text})
	case 'i':
		u.raw(c, []byte(cmd.text))
	case 'c':
		if cmd.second == nil || cmd.not || !u.Ranges[i].In {
			u.raw(c, []byte(cmd.text))
		}
		return sedDelete
	case 'd':
		return sedDelete
	case 'D':
		at := bytes.IndexByte(u.Space, u.newline())
		if at >= 0 {
			u.Space, u.Keep = u.Space[at+1:], true
		}
		return sedDelete
	case 'g':
		u.Space = bytes.Clone(u.Hold)
	case 'G':
		u.Space = append(append(u.Space, u.newline()), u.Hold...)
	case 'h':
		u.Hold = bytes.Clone(u.Space)
	case 'H':
		u.Hold = append(append(u.Hold, u.newline()), u.Space...)
	case 'x':
		u.Space, u.Hold = u.Hold, u.Space
	case 'z':
		u.Space = nil
	case 'n', 'N':
		return sedWait
	case 'p':
		u.write(c, u.Space)
	case 'P':
		first, _, _ := bytes.Cut(u.Space, []byte{u.newline()})
		u.write(c, first)
	case 'l':
		c.scan(2 * len(u.Space))
		u.raw(c, visible(u.Space))
	case 'q':
		u.Quit, u.Exit = true, cmd.n
		return sedEnd
	case 'Q':
		u.Quit, u.Exit = true, cmd.n
		return sedDelete
	case 'y':
		c.scan(6 * len(u.Space))
		u.Space = bytes.Map(func(r rune) rune {
			if to, known := cmd.table[r]; known {
				return to
			}
			return r
		}, u.Space)
	case 's':
		u.substitute(c, cmd.sub)
	case 'b':
		u.At = cmd.n
	case 't':
		if u.Flag {
			u.Flag, u.At = false, cmd.n
		}
	case 'T':
		if !u.Flag {
			u.At = cmd.n
		}
		u.Flag = false
	}
	c.need(int64(len(u.Space) + len(u.Hold)))
	return sedNext
}

func (u *sed) substitute(c *Call, s *sedSubstitution) {
	re := u.pattern(s.re)
	if re == nil {
		c.fatal(1, "no previous regexp")
	}
	text, changed := s.apply(c, re, u.Space)
	u.Space = text
	if changed {
		u.Flag = true
		if s.print {
			u.write(c, u.Space)
		}
	}
}

// endCycle prints the pattern space, if requested, and the queue.
func (u *sed) endCycle(c *Call, show bool) {
	if show {
		u.write(c, u.Space)
	}
	u.flush(c)
	u.At = -1
}

// flush prints the queue of a and r.
func (u *sed) flush(c *Call) {
	for _, q := range u.Queue {
		if q.File == "" {
			u.raw(c, []byte(q.Text))
			continue
		}
		if data, err := c.read(q.File, nil); err == nil { // a file that cannot be read counts as empty
			u.raw(c, data)
		}
	}
	u.Queue = nil
}

// write prints a line. If the input does not end with a newline, neither does the last line.
func (u *sed) write(c *Call, text []byte) {
	c.pass(len(text))
	bare := u.Bare && len(u.Ahead) == 0
	line := append(bytes.Clone(text), u.newline())
	if bare {
		line = line[:len(line)-1]
	}
	u.raw(c, line)
	u.Missing = bare
}

func (u *sed) raw(c *Call, text []byte) {
	if len(text) == 0 && !u.Missing {
		return
	}
	if u.Missing {
		text = append([]byte{u.newline()}, text...)
		u.Missing = false
	}
	if u.inPlace {
		c.pass(len(text))
		u.Out = append(u.Out, text...)
		c.need(int64(len(u.Out)))
		return
	}
	c.put(c.Stdout, text)
}

// visible returns a text as l prints it, without line breaks.
func visible(text []byte) []byte {
	var out []byte
	for _, b := range text {
		switch i := strings.IndexByte("\\\a\b\f\n\r\t\v", b); {
		case i >= 0:
			out = append(out, '\\', `\abfnrtv`[i])
		case b < ' ' || b >= 0x7f:
			out = fmt.Appendf(out, "\\%03o", b)
		default:
			out = append(out, b)
		}
	}
	return append(out, "$\n"...)
}
