package utility

import (
	"strconv"
	"strings"
)

// advance reads the next token.
func (p *awkParser) advance() {
	p.last = p.tok
	for p.at < len(p.in) {
		switch b := p.in[p.at]; {
		case b == ' ' || b == '\t' || b == '\r':
			p.at++
			continue
		case b == '\\' && strings.HasPrefix(p.in[p.at+1:], "\n"):
			p.at += 2
			p.line++
			continue
		case b == '#':
			for p.at < len(p.in) && p.in[p.at] != '\n' {
				p.at++
			}
			continue
		case b == '\n':
			p.at++
			p.line++
			p.tok = awkToken{kind: 'l', text: "\n"}
			return
		case b == '"':
			p.tok = awkToken{kind: 's', text: p.quoted('"')}
			return
		case b == '/' && p.operandNext():
			p.tok = awkToken{kind: 'r', text: p.quoted('/')}
			return
		case b >= '0' && b <= '9' || b == '.' && p.at+1 < len(p.in) && p.in[p.at+1] >= '0' && p.in[p.at+1] <= '9':
			text := leadingNumber([]byte(p.in[p.at:min(len(p.in), p.at+400)]), true)
			n, _ := strconv.ParseFloat(strings.TrimSuffix(text, "."), 64)
			p.at += len(text)
			p.tok = awkToken{kind: 'n', text: text, n: n}
			return
		}
		p.tok = p.word()
		return
	}
	p.tok = awkToken{}
}

// operandNext reports whether an operand may follow here, so that a slash begins a pattern.
func (p *awkParser) operandNext() bool {
	switch p.last.kind {
	case 'n', 's', 'r', 'w', 'b':
		return false
	case 'p':
		return p.last.text != ")" && p.last.text != "]" && p.last.text != "$" && p.last.text != "++" && p.last.text != "--"
	}
	return true
}

func (p *awkParser) word() awkToken {
	rest := p.in[p.at:]
	n := 0
	for n < len(rest) && (inClass("alnum", rest[n]) || rest[n] == '_') {
		n++
	}
	if n == 0 {
		for _, op := range []string{"**=", "&&", "||", "==", "<=", ">=", "!=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", ">>"} {
			if strings.HasPrefix(rest, op) {
				p.at += len(op)
				return awkToken{kind: 'p', text: strings.Replace(op, "**", "^", 1)}
			}
		}
		if strings.IndexByte("{}()[];,+-*/%^!<>~?:=$|", rest[0]) < 0 {
			p.fatal(2, "syntax error at line %d: unexpected character '%s'", p.line, rest[:1])
		}
		p.at++
		return awkToken{kind: 'p', text: rest[:1]}
	}
	p.at += n
	word := rest[:n]
	for _, k := range awkKeywords {
		if k == word {
			return awkToken{kind: 'k', text: word}
		}
	}
	for _, b := range awkBuiltins {
		if b == word {
			return awkToken{kind: 'b', text: word}
		}
	}
	if strings.HasPrefix(rest[n:], "(") {
		return awkToken{kind: 'f', text: word}
	}
	return awkToken{kind: 'w', text: word}
}

// quoted reads a string or a pattern up to its end.
func (p *awkParser) quoted(end byte) string {
	var b strings.Builder
	inSet := false
	for p.at++; ; p.at++ {
		if p.at >= len(p.in) || p.in[p.at] == '\n' {
			p.fatal(2, "unterminated string or regex at line %d", p.line)
		}
		switch here := p.in[p.at]; {
		case here == end && !inSet:
			p.at++
			return b.String()
		case here == '\\' && p.at+1 < len(p.in):
			p.at++
			switch {
			case p.in[p.at] == '\n':
				p.line++
			case end == '/' && p.in[p.at] == '/':
				b.WriteByte('/')
			case end == '/':
				b.WriteString(`\` + p.in[p.at:p.at+1])
			default:
				out, size := awkEscape(p.in[p.at-1:])
				b.WriteString(out)
				p.at += size - 2
			}
			continue
		case end == '/' && here == '[' && !inSet && strings.IndexByte(p.in[p.at+1:], ']') > 0:
			inSet = true
		case here == ']':
			inSet = false
		}
		b.WriteByte(p.in[p.at])
	}
}

// awkEscape resolves one backslash of a string.
func awkEscape(s string) (string, int) {
	if s[1] == '"' || s[1] == '/' {
		return s[1:2], 2
	}
	if s[1] == 'c' || s[1] == 'x' || s[1] == 'e' {
		return s[:2], 2
	}
	out, size, _ := escape(s, false)
	return string(out), size
}
