package text

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// uniq drops lines that equal the one before.
type uniq struct {
	Feed   utility.Feed     `json:"feed"`
	Lines  utility.Lines    `json:"lines"`
	Last   []byte           `json:"last,omitempty"`
	Count  int              `json:"count,omitempty"` // how often the last line was seen
	Out    *utility.OutFile `json:"out,omitempty"`
	Failed bool             `json:"failed,omitempty"`

	o                   *utility.Options
	fields, chars, only int
}

// Chunk implements Stream.
func (u *uniq) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	u.o = c.Parse(utility.Syntax{Short: "cduif:s:w:z", Long: map[string]byte{
		"count": 'c', "repeated": 'd', "unique": 'u', "ignore-case": 'i', "skip-fields:": 'f', "skip-chars:": 's', "check-chars:": 'w', "zero-terminated": 'z',
	}})
	c.CheckOperands(u.o, 0, 2)
	u.only = -1
	for letter, to := range map[byte]*int{'f': &u.fields, 's': &u.chars, 'w': &u.only} {
		if text, ok := u.o.Last(letter); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				c.Fatal(1, "invalid number '%s'", text)
			}
			*to = n
		}
	}
	files := utility.OrStdin(u.o.Rest)
	if len(files) == 2 && u.Out == nil {
		var err error
		if u.Out, err = c.Create(files[1], false); err != nil {
			c.Fatal(1, "%s: %s", files[1], vfs.Reason(err))
		}
	}
	next := u.Feed.Run(c, files[:1], in, eof, u)
	if next == utility.Done && u.Out != nil {
		u.Out.Close(c)
	}
	return next, utility.ExitIf(u.Failed)
}

func (u *uniq) newline() byte {
	if u.o.Has('z') {
		return 0
	}
	return '\n'
}

func (u *uniq) Start(*utility.Call, string) {}

func (u *uniq) Take(c *utility.Call, data []byte) utility.Verdict {
	return u.Lines.Each(c, data, u.newline(), func(text []byte) utility.Verdict { u.line(c, text); return utility.More })
}

// compared returns the part of a line that is compared.
func (u *uniq) compared(text []byte) []byte {
	for range u.fields {
		text = text[leadingBlanks(text):]
		i := bytes.IndexAny(text, " \t")
		if i < 0 {
			text = nil
			break
		}
		text = text[i:]
	}
	text = text[min(len(text), u.chars):]
	if u.only >= 0 {
		text = text[:min(len(text), u.only)]
	}
	if u.o.Has('i') {
		text = bytes.ToLower(text)
	}
	return text
}

func (u *uniq) line(c *utility.Call, text []byte) {
	if u.Count > 0 && bytes.Equal(u.compared(u.Last), u.compared(text)) {
		u.Count++
		return
	}
	u.flush(c)
	u.Last, u.Count = bytes.Clone(text), 1
}

// flush prints the last line seen.
func (u *uniq) flush(c *utility.Call) {
	if u.Count == 0 || u.o.Has('d') && u.Count == 1 || u.o.Has('u') && u.Count > 1 {
		return
	}
	line := append(bytes.Clone(u.Last), u.newline())
	if u.o.Has('c') {
		n := strconv.Itoa(u.Count)
		line = append([]byte(strings.Repeat(" ", max(0, 7-len(n)))+n+" "), line...)
	}
	if u.Out == nil {
		c.Put(c.Stdout, line)
	} else if err := u.Out.Write(c, line); err != nil {
		c.Fatal(1, "write error: %s", vfs.Reason(err))
	}
}

func (u *uniq) Finish(c *utility.Call, _ string) utility.Verdict {
	if text, ok := u.Lines.Last(); ok {
		u.line(c, text)
	}
	u.flush(c)
	return utility.More
}

func (u *uniq) CannotRead(c *utility.Call, file string, err error) {
	if c.GNU {
		c.Complain("%s: %s", file, vfs.Reason(err))
	} else {
		c.CantOpen(file, err)
	}
	u.Failed = true
}
