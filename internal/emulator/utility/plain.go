package utility

import "strings"

var plainUtilities = map[string]Utility{
	"true":  {whole: func(*Call, []byte) int { return 0 }},
	"false": {whole: func(*Call, []byte) int { return 1 }},
	":":     {whole: func(*Call, []byte) int { return 0 }},
	"echo":  {whole: echo},
}

// echo prints its arguments. As in busybox and bash, -n and -e are options, and escapes count only
// with -e.
func echo(c *Call, _ []byte) int {
	args := c.Args[min(1, len(c.Args)):]
	newline, escapes := true, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		for _, letter := range args[0][1:] {
			switch letter {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		var ended bool
		if text, ended = unescape(text, true); ended {
			newline = false
		}
	}
	if newline {
		text += "\n"
	}
	c.print(text)
	return 0
}

// unescape resolves the escapes of echo -e and of printf's %b, where an octal number begins with
// \0, or those of printf's format, where the zero is optional. ended reports that \c ended the
// text.
func unescape(s string, zero bool) (text string, ended bool) {
	var out []byte
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			i++
			continue
		}
		b, size, kind := escape(s[i:], zero)
		switch kind {
		case escapeEnd:
			return string(out), true
		default:
			out = append(out, b...)
		}
		i += size
	}
	return string(out), false
}

type escapeKind int

const (
	escapeByte escapeKind = iota
	escapeEnd
)

// escape parses one escape, which begins with the backslash: its bytes and its length.
func escape(s string, zero bool) (out []byte, size int, kind escapeKind) {
	const letters, meanings = `abefnrtv\`, "\a\b\x1b\f\n\r\t\v\\"
	if i := strings.IndexByte(letters, s[1]); i >= 0 {
		return []byte{meanings[i]}, 2, escapeByte
	}
	switch b := s[1]; {
	case b == 'c':
		return nil, 2, escapeEnd
	case b == 'x':
		if n, digits := number(s[2:], 16, 2); digits > 0 {
			return []byte{byte(n)}, 2 + digits, escapeByte
		}
	case b == '0' && zero:
		n, digits := number(s[2:], 8, 3)
		return []byte{byte(n)}, 2 + digits, escapeByte
	case b >= '0' && b <= '7':
		n, digits := number(s[1:], 8, 3)
		return []byte{byte(n)}, 1 + digits, escapeByte
	}
	return []byte{'\\', s[1]}, 2, escapeByte
}

// number parses at most that many digits.
func number(s string, base, most int) (n, digits int) {
	for digits < len(s) && digits < most {
		d := strings.IndexByte("0123456789abcdef", s[digits]|0x20)
		if s[digits] <= '9' {
			d = int(s[digits]) - '0'
		}
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
		digits++
	}
	return n, digits
}
