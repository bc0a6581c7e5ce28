package utility

import "strings"

// Unescape resolves the escapes of echo -e and of printf's %b, where an octal number begins with
// \0, or those of printf's format, where the zero is optional. ended reports that \c ended the
// text.
func Unescape(s string, zero bool) (text string, ended bool) {
	var out []byte
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			i++
			continue
		}
		b, size, end := Escape(s[i:], zero)
		if end {
			return string(out), true
		}
		out = append(out, b...)
		i += size
	}
	return string(out), false
}

// Escape parses one escape, which begins with the backslash: its bytes and its length. end reports
// that it is \c.
func Escape(s string, zero bool) (out []byte, size int, end bool) {
	const letters, meanings = `abefnrtv\`, "\a\b\x1b\f\n\r\t\v\\"
	if i := strings.IndexByte(letters, s[1]); i >= 0 {
		return []byte{meanings[i]}, 2, false
	}
	switch b := s[1]; {
	case b == 'c':
		return nil, 2, true
	case b == 'x':
		if n, digits := ParseDigits(s[2:], 16, 2); digits > 0 {
			return []byte{byte(n)}, 2 + digits, false
		}
	case b == '0' && zero:
		n, digits := ParseDigits(s[2:], 8, 3)
		return []byte{byte(n)}, 2 + digits, false
	case b >= '0' && b <= '7':
		n, digits := ParseDigits(s[1:], 8, 3)
		return []byte{byte(n)}, 1 + digits, false
	}
	return []byte{'\\', s[1]}, 2, false
}
