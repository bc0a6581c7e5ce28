package utility

import (
	"bytes"
	"strconv"
	"strings"
)

// uniq drops lines that equal the one before.
type uniq struct {
	Feed   feed      `json:"feed"`
	Lines  lines     `json:"lines"`
	Last   []byte    `json:"last,omitempty"`
	Count  int       `json:"count,omitempty"` // how often the last line was seen
	Out    *openFile `json:"out,omitempty"`
	Failed bool      `json:"failed,omitempty"`

	o                   *options
	fields, chars, only int
}

// Chunk implements Stream.
func (u *uniq) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	u.o = c.parse(syntax{short: "cduif:s:w:z", long: map[string]byte{
		"count": 'c', "repeated": 'd', "unique": 'u', "ignore-case": 'i', "skip-fields:": 'f', "skip-chars:": 's', "check-chars:": 'w', "zero-terminated": 'z',
	}})
	c.operands(u.o, 0, 2)
	u.only = -1
	for letter, to := range map[byte]*int{'f': &u.fields, 's': &u.chars, 'w': &u.only} {
		if text, ok := u.o.last(letter); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				c.fatal(1, "invalid number '%s'", text)
			}
			*to = n
		}
	}
	files := orStdin(u.o.rest)
	if len(files) == 2 && u.Out == nil {
		var err error
		if u.Out, err = c.create(files[1], false); err != nil {
			c.fatal(1, "%s: %s", files[1], reason(err))
		}
	}
	next := u.Feed.run(c, files[:1], in, eof, u)
	if next == Done && u.Out != nil {
		u.Out.close(c)
	}
	return next, exitIf(u.Failed)
}

func (u *uniq) newline() byte {
	if u.o.has('z') {
		return 0
	}
	return '\n'
}

func (u *uniq) start(*Call, string) {}

func (u *uniq) take(c *Call, data []byte) verdict {
	return u.Lines.each(c, data, u.newline(), func(text []byte) verdict { u.line(c, text); return more })
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
	if u.o.has('i') {
		text = bytes.ToLower(text)
	}
	return text
}

func (u *uniq) line(c *Call, text []byte) {
	if u.Count > 0 && bytes.Equal(u.compared(u.Last), u.compared(text)) {
		u.Count++
		return
	}
	u.flush(c)
	u.Last, u.Count = bytes.Clone(text), 1
}

// flush prints the last line seen.
func (u *uniq) flush(c *Call) {
	if u.Count == 0 || u.o.has('d') && u.Count == 1 || u.o.has('u') && u.Count > 1 {
		return
	}
	line := append(bytes.Clone(u.Last), u.newline())
	if u.o.has('c') {
		n := strconv.Itoa(u.Count)
		line = append([]byte(strings.Repeat(" ", max(0, 7-len(n)))+n+" "), line...)
	}
	if u.Out == nil {
		c.put(c.Stdout, line)
	} else if err := u.Out.write(c, line); err != nil {
		c.fatal(1, "write error: %s", reason(err))
	}
}

func (u *uniq) finish(c *Call, _ string) verdict {
	if text, ok := u.Lines.rest(); ok {
		u.line(c, text)
	}
	u.flush(c)
	return more
}

func (u *uniq) failed(c *Call, file string, err error) {
	if c.GNU {
		c.complain("%s: %s", file, reason(err))
	} else {
		c.cantOpen(file, err)
	}
	u.Failed = true
}
