package sed

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

type step int

const (
	nextCommand step = iota // the next command
	endCycle                // the end of the cycle
	deleteCycle             // the end of the cycle, without printing the pattern space
	waitForLine             // for a line
)

// execute continues the script; it returns false if the script waits for a line.
func (u *sed) execute(c *utility.Call) bool {
	for u.At < len(u.script.commands) {
		if c.Tired() {
			return false
		}
		c.Step(1)
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
		case nextCommand:
		case endCycle:
			u.endCycle(c, !u.quiet)
			return true
		case deleteCycle:
			u.endCycle(c, false)
			return true
		case waitForLine:
			u.At, u.Waits = i, true
		}
	}
	u.endCycle(c, !u.quiet)
	return true
}

// resume continues n or N when there is a line, or when there will be none.
func (u *sed) resume(c *utility.Call, cmd *command) bool {
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
		c.Step(1)
		c.Need(int64(len(u.Space)))
	}
	u.At++
	return true
}

// command runs one command.
func (u *sed) command(c *utility.Call, i int, cmd *command) step {
	if strings.IndexByte("DgGhHPz", cmd.name) >= 0 {
		c.Pass(len(u.Space) + len(u.Hold))
	}
	switch cmd.name {
	case '=':
		u.raw(c, fmt.Appendf(nil, "%d\n", u.Number))
	case 'a':
		u.Queue = append(u.Queue, queued{Text: cmd.text})
	case 'r':
		u.Queue = append(u.Queue, queued{File: cmd.text})
	case 'i':
		u.raw(c, []byte(cmd.text))
	case 'c':
		if cmd.second == nil || cmd.not || !u.Ranges[i].In {
			u.raw(c, []byte(cmd.text))
		}
		return deleteCycle
	case 'd':
		return deleteCycle
	case 'D':
		at := bytes.IndexByte(u.Space, u.newline())
		if at >= 0 {
			u.Space, u.Keep = u.Space[at+1:], true
		}
		return deleteCycle
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
		return waitForLine
	case 'p':
		u.write(c, u.Space)
	case 'P':
		first, _, _ := bytes.Cut(u.Space, []byte{u.newline()})
		u.write(c, first)
	case 'l':
		c.Scan(2 * len(u.Space))
		u.raw(c, visible(u.Space))
	case 'q':
		u.Quit, u.Exit = true, cmd.n
		return endCycle
	case 'Q':
		u.Quit, u.Exit = true, cmd.n
		return deleteCycle
	case 'y':
		c.Scan(6 * len(u.Space))
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
	c.Need(int64(len(u.Space) + len(u.Hold)))
	return nextCommand
}

func (u *sed) substitute(c *utility.Call, s *substitution) {
	re := u.pattern(s.re)
	if re == nil {
		c.Fatal(1, "no previous regexp")
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
func (u *sed) endCycle(c *utility.Call, show bool) {
	if show {
		u.write(c, u.Space)
	}
	u.flush(c)
	u.At = -1
}

// flush prints the queue of a and r.
func (u *sed) flush(c *utility.Call) {
	for _, q := range u.Queue {
		if q.File == "" {
			u.raw(c, []byte(q.Text))
			continue
		}
		if data, err := c.ReadInput(q.File, nil); err == nil { // a file that cannot be read counts as empty
			u.raw(c, data)
		}
	}
	u.Queue = nil
}

// write prints a line. If the input does not end with a newline, neither does the last line.
func (u *sed) write(c *utility.Call, text []byte) {
	c.Pass(len(text))
	bare := u.Bare && len(u.Ahead) == 0
	line := append(bytes.Clone(text), u.newline())
	if bare {
		line = line[:len(line)-1]
	}
	u.raw(c, line)
	u.Missing = bare
}

func (u *sed) raw(c *utility.Call, text []byte) {
	if len(text) == 0 && !u.Missing {
		return
	}
	if u.Missing {
		text = append([]byte{u.newline()}, text...)
		u.Missing = false
	}
	if u.inPlace {
		c.Pass(len(text))
		u.Out = append(u.Out, text...)
		c.Need(int64(len(u.Out)))
		return
	}
	c.Put(c.Stdout, text)
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
