package code

import (
	"strconv"
	"strings"
)

func stripTabs(text string, first bool) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		if i > 0 || first {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
	}
	return strings.Join(lines, "\n")
}

// unescape removes the backslashes before some bytes; a backslash before a newline removes both.
func unescape(text, escaped string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(escaped, text[i+1]) >= 0 {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// ansiC returns the text of $'…'.
func ansiC(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if j := strings.IndexByte(`abefnrtv\'"?E`, text[i]); j >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v\\'\"?\x1b"[j])
			continue
		}
		digits := func(from, most, base int) {
			end := from
			for end < len(text) && end < from+most {
				if _, err := strconv.ParseUint(text[end:end+1], base, 8); err != nil {
					break
				}
				end++
			}
			v, _ := strconv.ParseUint(text[from:end], base, 32)
			if most > 3 {
				b.WriteRune(rune(v))
			} else {
				b.WriteByte(byte(v))
			}
			i = end - 1
		}
		switch {
		case text[i] == 'x':
			digits(i+1, 2, 16)
		case text[i] == 'u':
			digits(i+1, 4, 16)
		case text[i] == 'U':
			digits(i+1, 8, 16)
		case text[i] >= '0' && text[i] <= '7':
			digits(i, 3, 8)
		default:
			b.WriteByte('\\')
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
