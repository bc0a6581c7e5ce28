package awk

import (
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// token is a token of a program.
type token struct {
	// kind is 'n' number, 's' string, 'r' regex, 'w' name, 'f' name before a parenthesis, 'k'
	// keyword, 'b' builtin, 'p' punctuation, 'l' newline, 0 the end.
	kind byte
	text string
	n    float64
}

// parser parses a program.
type parser struct {
	*utility.Call
	in      string
	at      int
	line    int
	tok     token
	last    token // the previous one
	depth   int
	noGT    bool // in a print, where > is a redirection
	program *program
}

var keywords = strings.Fields("BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf")

var builtins = strings.Fields("length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int " +
	"rand srand tolower toupper system close fflush strftime systime")

func (p *parser) wrong() {
	near := p.tok.text
	if p.tok.kind == 0 {
		near = "end of program"
	}
	p.Fatal(2, "syntax error at line %d near %s", p.line, strings.ReplaceAll(near, "\n", "newline"))
}

func (p *parser) is(text string) bool {
	return (p.tok.kind == 'p' || p.tok.kind == 'k') && p.tok.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.wrong()
	}
}

func (p *parser) newlines() {
	for p.tok.kind == 'l' || p.is(";") {
		p.advance()
	}
}

func (p *parser) optNewlines() {
	for p.tok.kind == 'l' {
		p.advance()
	}
}

func (p *parser) deeper() func() {
	if p.depth++; p.depth > utility.MaxDepth {
		p.Fatal(2, "program too deep")
	}
	return func() { p.depth-- }
}

// advance reads the next token.
func (p *parser) advance() {
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
			p.tok = token{kind: 'l', text: "\n"}
			return
		case b == '"':
			p.tok = token{kind: 's', text: p.quoted('"')}
			return
		case b == '/' && p.operandNext():
			p.tok = token{kind: 'r', text: p.quoted('/')}
			return
		case b >= '0' && b <= '9' || b == '.' && p.at+1 < len(p.in) && p.in[p.at+1] >= '0' && p.in[p.at+1] <= '9':
			text := utility.LeadingNumber([]byte(p.in[p.at:min(len(p.in), p.at+400)]), true)
			n, _ := strconv.ParseFloat(strings.TrimSuffix(text, "."), 64)
			p.at += len(text)
			p.tok = token{kind: 'n', text: text, n: n}
			return
		}
		p.tok = p.word()
		return
	}
	p.tok = token{}
}

// operandNext reports whether an operand may follow here, so that a slash begins a pattern.
func (p *parser) operandNext() bool {
	switch p.last.kind {
	case 'n', 's', 'r', 'w', 'b':
		return false
	case 'p':
		return p.last.text != ")" && p.last.text != "]" && p.last.text != "$" && p.last.text != "++" && p.last.text != "--"
	}
	return true
}

func (p *parser) word() token {
	rest := p.in[p.at:]
	n := 0
	for n < len(rest) && (pattern.InClass("alnum", rest[n]) || rest[n] == '_') {
		n++
	}
	if n == 0 {
		for _, op := range []string{"**=", "&&", "||", "==", "<=", ">=", "!=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", ">>"} {
			if strings.HasPrefix(rest, op) {
				p.at += len(op)
				return token{kind: 'p', text: strings.Replace(op, "**", "^", 1)}
			}
		}
		if strings.IndexByte("{}()[];,+-*/%^!<>~?:=$|", rest[0]) < 0 {
			p.Fatal(2, "syntax error at line %d: unexpected character '%s'", p.line, rest[:1])
		}
		p.at++
		return token{kind: 'p', text: rest[:1]}
	}
	p.at += n
	word := rest[:n]
	for _, k := range keywords {
		if k == word {
			return token{kind: 'k', text: word}
		}
	}
	for _, b := range builtins {
		if b == word {
			return token{kind: 'b', text: word}
		}
	}
	if strings.HasPrefix(rest[n:], "(") {
		return token{kind: 'f', text: word}
	}
	return token{kind: 'w', text: word}
}

// quoted reads a string or a pattern up to its end.
func (p *parser) quoted(end byte) string {
	var b strings.Builder
	inSet := false
	for p.at++; ; p.at++ {
		if p.at >= len(p.in) || p.in[p.at] == '\n' {
			p.Fatal(2, "unterminated string or regex at line %d", p.line)
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
				out, size := escape(p.in[p.at-1:])
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

// escape resolves one backslash of a string.
func escape(s string) (string, int) {
	if s[1] == '"' || s[1] == '/' {
		return s[1:2], 2
	}
	if s[1] == 'c' || s[1] == 'x' || s[1] == 'e' {
		return s[:2], 2
	}
	out, size, _ := utility.Escape(s, false)
	return string(out), size
}
