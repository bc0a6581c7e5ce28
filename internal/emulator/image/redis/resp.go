package redis

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxCommand is the most bytes of a command, and maxArgs the most arguments.
	maxCommand = 64 << 10
	maxArgs    = 8 << 10
)

// errLong is the answer to a command that is too long to be emulated.
var errLong = fmt.Errorf("Protocol error: rowlock: a command of more than %d bytes is not emulated", maxCommand)

// parse parses the first command in the bytes of a client: n is its length in bytes, 0 if it is
// incomplete. A command without arguments is skipped. The error is Redis' message before it closes
// the connection.
//
// Source: redis 7.4 src/networking.c, processMultibulkBuffer and processInlineBuffer
func parse(b []byte) (args []string, n int, err error) {
	if len(b) == 0 {
		return nil, 0, nil
	}
	if b[0] != '*' {
		line, n := cutLine(b)
		if n == 0 {
			return nil, 0, unfinished(b)
		}
		args, err = Split(string(line))
		return args, n, err
	}
	line, n := cutLine(b)
	if n == 0 {
		return nil, 0, unfinished(b)
	}
	count, err := strconv.ParseInt(string(line[1:]), 10, 64)
	if err != nil || count > maxArgs {
		return nil, 0, errors.New("Protocol error: invalid multibulk length")
	}
	for range count {
		line, size := cutLine(b[n:])
		if size == 0 {
			return nil, 0, unfinished(b)
		}
		if len(line) == 0 || line[0] != '$' {
			got := byte('\n')
			if len(line) > 0 {
				got = line[0]
			}
			return nil, 0, fmt.Errorf("Protocol error: expected '$', got '%c'", got)
		}
		length, err := strconv.ParseInt(string(line[1:]), 10, 64)
		if err != nil || length < 0 || length > 512<<20 {
			return nil, 0, errors.New("Protocol error: invalid bulk length")
		}
		if length > maxCommand {
			return nil, 0, errLong
		}
		n += size
		if len(b) < n+int(length)+2 {
			return nil, 0, unfinished(b)
		}
		args = append(args, string(b[n:n+int(length)]))
		n += int(length) + 2
	}
	return args, n, nil
}

// cutLine returns the first line without its end; n is its length with the end, 0 if it is
// incomplete.
func cutLine(b []byte) (line []byte, n int) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return nil, 0
	}
	return bytes.TrimSuffix(b[:i], []byte{'\r'}), i + 1
}

// unfinished returns nil if the rest of a command may still come.
func unfinished(b []byte) error {
	if len(b) > maxCommand {
		return errLong
	}
	return nil
}

// Split splits a typed line into arguments: words, and quoted text. The error means that a quote is
// not closed, or is not followed by a space.
//
// Source: redis 7.4 src/sds.c, sdssplitargs
func Split(line string) (args []string, err error) {
	for rest := strings.TrimLeft(line, " \t\r\n\v\f\x00"); rest != ""; rest = strings.TrimLeft(rest, " \t\r\n\v\f\x00") {
		var arg strings.Builder
		for rest != "" && !strings.ContainsRune(" \t\r\n\x00", rune(rest[0])) {
			switch rest[0] {
			case '"', '\'':
				if rest, err = quoted(&arg, rest); err != nil {
					return nil, err
				}
			default:
				arg.WriteByte(rest[0])
				rest = rest[1:]
			}
		}
		args = append(args, arg.String())
	}
	return args, nil
}

var errQuotes = errors.New("Protocol error: unbalanced quotes in request")

// quoted reads a quoted text.
func quoted(to *strings.Builder, text string) (rest string, err error) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && i+1 < len(text) && !strings.ContainsRune(" \t\r\n", rune(text[i+1])):
			return "", errQuotes
		case c == quote:
			return text[i+1:], nil
		case c == '\\' && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			to.WriteByte('\'')
			i++
		case c == '\\' && quote == '"' && i+1 < len(text):
			if n, err := strconv.ParseUint(text[min(i+2, len(text)):min(i+4, len(text))], 16, 8); text[i+1] == 'x' && err == nil && i+4 <= len(text) {
				to.WriteByte(byte(n))
				i += 3
				continue
			}
			i++
			if at := strings.IndexByte("nrtba", text[i]); at >= 0 {
				to.WriteByte("\n\r\t\b\a"[at])
			} else {
				to.WriteByte(text[i])
			}
		default:
			to.WriteByte(c)
		}
	}
	return "", errQuotes
}

// Command encodes a command as clients send it.
func Command(args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
	}
	return b.String()
}
