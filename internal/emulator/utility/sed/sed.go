// Package sed has the utility sed: it parses a script to commands, and executes these line by line.
package sed

import (
	"bytes"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	"sed": {New: func() utility.Stream { return &sed{} }},
}

var syntax = utility.Syntax{Short: "nEre:f:i::szu", Long: map[string]byte{
	"quiet": 'n', "silent": 'n', "regexp-extended": 'E', "expression:": 'e', "file:": 'f', "in-place::": 'i',
	"separate": 's', "null-data": 'z', "unbuffered": 'u', "posix": 'u',
}}

// Chunk implements Stream.
func (u *sed) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	u.prepare(c)
	next := u.Feed.Run(c, u.files, in, eof, u)
	if next == utility.Done && !u.Quit {
		u.Ended = true
		if u.cycles(c); c.Tired() && !u.Quit && !u.idle() {
			return utility.Again, 0
		}
	}
	if u.Exit != 0 {
		return next, u.Exit
	}
	if u.Failed && c.GNU {
		return next, 2
	}
	return next, utility.ExitIf(u.Failed)
}

// prepare parses the arguments.
func (u *sed) prepare(c *utility.Call) {
	if u.script != nil {
		return
	}
	u.o = c.Parse(syntax) // -u has no effect: output is never buffered
	u.files = u.o.Rest
	var pieces []string
	for _, g := range u.o.Given {
		switch g.Name {
		case 'e':
			pieces = append(pieces, g.Value)
		case 'f':
			data, err := c.ReadInput(g.Value, nil)
			if err != nil {
				c.CantOpen(g.Value, err)
				c.Exit(1)
			}
			pieces = append(pieces, strings.TrimSuffix(string(data), "\n"))
		}
	}
	if pieces == nil {
		if len(u.files) == 0 {
			c.Fatal(1, "no script specified")
		}
		pieces, u.files = u.files[:1], u.files[1:]
	}
	before := c.Steps()
	u.script = parse(c, strings.Join(pieces, "\n"), u.o.Has('E') || u.o.Has('r'))
	if u.Ranges != nil {
		c.ResetSteps(before)
	}
	u.quiet = u.o.Has('n') || u.script.quiet
	u.inPlace = u.o.Has('i')
	if u.files = utility.OrStdin(u.files); u.inPlace && u.files[0] == "-" {
		c.Fatal(1, "no input files")
	}
	if u.Ranges == nil {
		u.Ranges = make([]rangeState, len(u.script.commands))
		u.At = -1
	}
	if len(u.Ranges) != len(u.script.commands) {
		c.Fatal(1, "the script changed") // the file of -f, between two pieces of input
	}
}

func (u *sed) Start(*utility.Call, string) {
	u.Bare = false
	if u.separate() {
		u.Number, u.Ended, u.Out, u.Missing = 0, false, nil, false
	}
}

func (u *sed) Take(c *utility.Call, data []byte) utility.Verdict {
	v := u.run(c)
	switch v {
	case utility.More:
		v = u.Lines.Each(c, data, u.newline(), func(text []byte) utility.Verdict { return u.line(c, text) })
	case utility.Later:
		v = c.Leave(data)
	}
	if v == utility.Quit && u.inPlace {
		u.replace(c, u.files[u.Feed.At]) // the unread rest is lost from the file
	}
	return v
}

// line takes one more line of the input.
func (u *sed) line(c *utility.Call, text []byte) utility.Verdict {
	c.Pass(len(text))
	u.Ahead = append(u.Ahead, bytes.Clone(text))
	return u.run(c)
}

// run runs the script on the available input, until the call has used its share of work.
func (u *sed) run(c *utility.Call) utility.Verdict {
	u.cycles(c)
	switch {
	case u.Quit:
		return utility.Quit
	case c.Tired() && !u.idle():
		return utility.Later
	}
	return utility.More
}

// idle reports whether the script waits for a line.
func (u *sed) idle() bool { return !u.ready() && (u.At < 0 && !u.Keep || u.Waits && !u.Ended) }

func (u *sed) Finish(c *utility.Call, file string) utility.Verdict {
	if text, ok := u.Lines.Last(); ok {
		u.Bare = true
		u.Ahead = append(u.Ahead, text)
	}
	u.Ended = u.Ended || u.separate()
	v := u.run(c)
	if u.inPlace && v != utility.Later {
		u.replace(c, file)
	}
	return v
}

// replace replaces the content of a file.
func (u *sed) replace(c *utility.Call, file string) {
	i, err := c.FS.Stat(c.Abs(file))
	if err == nil {
		if suffix, _ := u.o.Last('i'); suffix != "" {
			err = c.FS.Rename(c.Abs(file), c.Abs(file)+suffix)
		}
		if err == nil {
			err = c.FS.WriteFile(c.Abs(file), u.Out, i.Mode&0o777)
		}
	}
	if err != nil {
		c.Complain("%s: %s", file, vfs.Reason(err))
		u.Failed = true
	}
	u.Out = nil
}

func (u *sed) CannotRead(c *utility.Call, file string, err error) {
	u.Failed = true
	if c.GNU {
		c.Complain("can't read %s: %s", file, vfs.Reason(err))
		return
	}
	c.Complain("%s: %s", file, vfs.Reason(err))
}

// cycles runs the script on the available input.
func (u *sed) cycles(c *utility.Call) {
	for !u.Quit && !c.Tired() {
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
