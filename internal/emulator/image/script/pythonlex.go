package script

import "strings"

// pyToken is a token of a Python program: a name, a number, a string, an operator, or the end of a
// line or of a block.
type pyToken struct {
	kind byte // 'a' a name, 'n' a number, 's' a string, 'f' an f-string, 'o' an operator, '\n', '>' indent, '<' dedent, 0 the end
	text string
	line int
}

// pySigns are the operators of more than one character, the longest first, because the longest
// match wins.
var pySigns = strings.Fields("**= //= ** // == != <= >= += -= *= /= %=")

// pyLexer splits a program into tokens.
type pyLexer struct {
	text    string
	at      int
	line    int
	depth   int // of open brackets, in which a line end does not count
	indents []int
	tokens  []pyToken
}

func pyTokens(text string) ([]pyToken, error) {
	l := &pyLexer{text: strings.ReplaceAll(text, "\r\n", "\n"), line: 1, indents: []int{0}}
	if len(text) > MaxSize {
		return nil, ErrScript
	}
	for begins := true; ; {
		if begins {
			if err := l.indent(); err != nil {
				return nil, err
			}
			begins = false
		}
		for l.at < len(l.text) && (l.text[l.at] == ' ' || l.text[l.at] == '\t' || strings.HasPrefix(l.text[l.at:], "\\\n")) {
			if l.text[l.at] == '\\' {
				l.at++
				l.line++
			}
			l.at++
		}
		if l.at < len(l.text) && l.text[l.at] == '#' {
			l.comment()
		}
		switch {
		case l.at >= len(l.text):
			l.add('\n', "")
			for range l.indents[1:] {
				l.add('<', "")
			}
			l.add(0, "")
			return l.tokens, nil
		case l.text[l.at] == '\n':
			l.at++
			if l.depth == 0 {
				l.add('\n', "")
				begins = true
			}
			l.line++
		default:
			if err := l.word(); err != nil {
				return nil, err
			}
		}
	}
}

func (l *pyLexer) add(kind byte, text string) {
	l.tokens = append(l.tokens, pyToken{kind, text, l.line})
}

func (l *pyLexer) comment() {
	for l.at < len(l.text) && l.text[l.at] != '\n' {
		l.at++
	}
}

// indent reads the indentation of a line. Lines without tokens are ignored.
func (l *pyLexer) indent() error {
	for {
		start := l.at
		for l.at < len(l.text) && l.text[l.at] == ' ' {
			l.at++
		}
		width := l.at - start
		if l.at < len(l.text) && l.text[l.at] == '#' {
			l.comment()
		}
		if l.at >= len(l.text) {
			return nil
		}
		if l.text[l.at] == '\n' {
			l.at++
			l.line++
			continue
		}
		if l.text[l.at] == '\t' {
			return ErrScript // a tab is eight blanks, or an error
		}
		if width > l.indents[len(l.indents)-1] {
			if l.indents = append(l.indents, width); len(l.indents) > maxDepth {
				return ErrScript
			}
			l.add('>', "")
		}
		for width < l.indents[len(l.indents)-1] {
			l.indents = l.indents[:len(l.indents)-1]
			l.add('<', "")
		}
		if width != l.indents[len(l.indents)-1] {
			return ErrScript
		}
		return nil
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

func (l *pyLexer) word() error {
	start, c := l.at, l.text[l.at]
	switch {
	case c == '"' || c == '\'':
		return l.quoted(false, false)
	case c >= '0' && c <= '9':
		for l.at < len(l.text) && (l.text[l.at] >= '0' && l.text[l.at] <= '9' || l.text[l.at] == '.' || l.text[l.at] == '_') {
			l.at++
		}
		l.add('n', strings.ReplaceAll(l.text[start:l.at], "_", ""))
		return nil
	case isNameByte(c):
		for l.at < len(l.text) && isNameByte(l.text[l.at]) {
			l.at++
		}
		name := l.text[start:l.at]
		if l.at < len(l.text) && (l.text[l.at] == '"' || l.text[l.at] == '\'') {
			switch prefix := strings.ToLower(name); prefix {
			case "f", "r", "fr", "rf":
				return l.quoted(strings.Contains(prefix, "f"), strings.Contains(prefix, "r"))
			}
			return ErrScript
		}
		l.add('a', name)
		return nil
	}
	sign := string(c)
	for _, long := range pySigns {
		if strings.HasPrefix(l.text[l.at:], long) {
			sign = long
			break
		}
	}
	switch {
	case strings.Contains("([{", sign):
		l.depth++
	case strings.Contains(")]}", sign):
		l.depth--
	case len(sign) == 1 && !strings.Contains("+-*/%<>=.,:;", sign):
		return ErrScript
	}
	l.at += len(sign)
	l.add('o', sign)
	return nil
}

// quoted reads a string.
func (l *pyLexer) quoted(format, raw bool) error {
	quote := l.text[l.at : l.at+1]
	if strings.HasPrefix(l.text[l.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	l.at += len(quote)
	var b strings.Builder
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		switch {
		case strings.HasPrefix(l.text[l.at:], quote):
			l.at += len(quote)
			l.add(map[bool]byte{false: 's', true: 'f'}[format], b.String())
			return nil
		case c == '\n' && len(quote) == 1:
			return ErrScript
		case c == '\\' && !raw && l.at+1 < len(l.text):
			l.at++
			i := strings.IndexByte("nt\\\"'0r", l.text[l.at])
			if i < 0 {
				return ErrScript
			}
			b.WriteByte("\n\t\\\"'\x00\r"[i])
		default:
			if c == '\n' {
				l.line++
			}
			b.WriteByte(c)
		}
	}
	return ErrScript
}
