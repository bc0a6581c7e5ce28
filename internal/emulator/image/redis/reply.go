package redis

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Reply is what a server answers to a command.
type Reply struct {
	Kind byte   // '+' a status, '-' an error, ':' a number, '$' a text, '*' a list
	Text string // of all but lists
	Nil  bool   // there is nothing
	List []Reply
}

// maxNesting is how deep lists may be in lists.
const maxNesting = 8

// ErrReply says that what came back is no answer of a Redis.
var ErrReply = errors.New("not a reply of Redis")

// ParseReply takes the first answer from what a server has sent. n is how many bytes it has, 0 as long as it is not whole.
// The error is ErrReply.
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

// Raw is the answer as redis-cli prints it into a file or a pipe.
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

// String is the answer as redis-cli prints it for people.
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

// quote puts a text between quotes.
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
