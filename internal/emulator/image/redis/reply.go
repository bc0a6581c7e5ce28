package redis

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Reply is a server's answer to a command.
type Reply struct {
	Kind byte   // '+' a status, '-' an error, ':' a number, '$' a text, '*' a list
	Text string // of all kinds but lists
	Nil  bool   // the answer is nil
	List []Reply
}

// maxNesting is how deep lists may be nested.
const maxNesting = 8

// ErrReply means that bytes are not an answer of a Redis.
var ErrReply = errors.New("not a reply of Redis")

// ParseReply parses the first answer in the bytes of a server. n is its length in bytes, 0 if it is
// incomplete. The error is ErrReply.
func ParseReply(b []byte) (r Reply, n int, err error) { return parseReply(b, 0) }

func parseReply(b []byte, depth int) (r Reply, n int, err error) {
	line, n := cutLine(b)
	switch {
	case n == 0 && len(b) > 0 && !strings.ContainsRune("+-:$*", rune(b[0])):
		return r, 0, ErrReply
	case n == 0:
		return r, 0, nil
	case len(line) == 0 || depth > maxNesting:
		return r, 0, ErrReply
	}
	r.Kind, r.Text = line[0], string(line[1:])
	switch r.Kind {
	case '+', '-', ':':
		return r, n, nil
	case '$', '*':
	default:
		return r, 0, ErrReply
	}
	size, err := strconv.Atoi(r.Text)
	r.Text = ""
	switch {
	case err != nil || size > maxAnswer:
		return r, 0, ErrReply
	case size < 0:
		r.Nil = true
		return r, n, nil
	case r.Kind == '$' && len(b) < n+size+2:
		return r, 0, nil
	case r.Kind == '$':
		r.Text = string(b[n : n+size])
		return r, n + size + 2, nil
	}
	for range size {
		item, more, err := parseReply(b[n:], depth+1)
		if err != nil || more == 0 {
			return r, 0, err
		}
		r.List = append(r.List, item)
		n += more
	}
	return r, n, nil
}

// Raw returns the answer as redis-cli prints it into a file or a pipe.
//
// Source: redis 7.4 src/redis-cli.c, cliFormatReplyRaw
func (r Reply) Raw() string {
	if r.Kind != '*' {
		return r.Text
	}
	lines := make([]string, len(r.List))
	for i, item := range r.List {
		lines[i] = item.Raw()
	}
	return strings.Join(lines, "\n")
}

// String returns the answer as redis-cli prints it on a terminal.
//
// Source: redis 7.4 src/redis-cli.c, cliFormatReplyTTY
func (r Reply) String() string { return r.text("") }

func (r Reply) text(indent string) string {
	switch {
	case r.Nil:
		return "(nil)\n"
	case r.Kind == '-':
		return "(error) " + r.Text + "\n"
	case r.Kind == ':':
		return "(integer) " + r.Text + "\n"
	case r.Kind == '$':
		return quote(r.Text) + "\n"
	case r.Kind != '*':
		return r.Text + "\n"
	case len(r.List) == 0:
		return "(empty array)\n"
	}
	var b strings.Builder
	width := len(strconv.Itoa(len(r.List)))
	for i, item := range r.List {
		if i > 0 {
			b.WriteString(indent)
		}
		fmt.Fprintf(&b, "%*d) ", width, i+1)
		b.WriteString(item.text(indent + strings.Repeat(" ", width+2)))
	}
	return b.String()
}

// quote puts quotes around a text.
//
// Source: redis 7.4 src/sds.c, sdscatrepr
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case strings.IndexByte("\n\r\t\a\b", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("nrtab"[strings.IndexByte("\n\r\t\a\b", c)])
		case c < 0x20 || c > 0x7e:
			fmt.Fprintf(&b, "\\x%02x", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
