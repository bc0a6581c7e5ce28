package utility

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/regex"
)

// awkNode is a part of a program: an expression or a statement.
type awkNode struct {
	op   string // its kind: an operator, a statement, "number", "string", "regex", "name", "$", "index", "call", "builtin", …
	text string // a name, a string, an assignment operator
	n    float64
	re   *regex.Regex
	kids []*awkNode
}

// awkRule is a pattern and its action.
type awkRule struct {
	pattern, until *awkNode // until: the end of a range
	action         *awkNode // nil means print
}

// awkFunction is a function of the program.
type awkFunction struct {
	params []string
	body   *awkNode
}

// awkProgram is a parsed program.
type awkProgram struct {
	begin, end []*awkNode
	rules      []awkRule
	functions  map[string]*awkFunction
}

// awkToken is a token of a program.
type awkToken struct {
	// kind is 'n' number, 's' string, 'r' regex, 'w' name, 'f' name before a parenthesis, 'k'
	// keyword, 'b' builtin, 'p' punctuation, 'l' newline, 0 the end.
	kind byte
	text string
	n    float64
}

// awkParser parses a program.
type awkParser struct {
	*Call
	in      string
	at      int
	line    int
	tok     awkToken
	last    awkToken // the previous one
	depth   int
	noGT    bool // in a print, where > is a redirection
	program *awkProgram
}

var awkKeywords = strings.Fields("BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf")
var awkBuiltins = strings.Fields("length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush strftime systime")

// parseAwk parses a program; if it is wrong, it prints an error and ends the utility.
func (c *Call) parseAwk(text string) *awkProgram {
	if len(text) > maxScript {
		c.fatal(2, "program too long")
	}
	p := &awkParser{Call: c, in: text, line: 1, program: &awkProgram{functions: map[string]*awkFunction{}}}
	p.advance()
	for p.newlines(); p.tok.kind != 0; p.newlines() {
		p.item()
	}
	return p.program
}

func (p *awkParser) wrong() {
	near := p.tok.text
	if p.tok.kind == 0 {
		near = "end of program"
	}
	p.fatal(2, "syntax error at line %d near %s", p.line, strings.ReplaceAll(near, "\n", "newline"))
}

func (p *awkParser) is(text string) bool {
	return (p.tok.kind == 'p' || p.tok.kind == 'k') && p.tok.text == text
}

func (p *awkParser) accept(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

func (p *awkParser) expect(text string) {
	if !p.accept(text) {
		p.wrong()
	}
}

func (p *awkParser) newlines() {
	for p.tok.kind == 'l' || p.is(";") {
		p.advance()
	}
}

func (p *awkParser) optNewlines() {
	for p.tok.kind == 'l' {
		p.advance()
	}
}

// item parses a rule or a function.
func (p *awkParser) item() {
	switch {
	case p.accept("BEGIN"):
		p.program.begin = append(p.program.begin, p.block())
	case p.accept("END"):
		p.program.end = append(p.program.end, p.block())
	case p.accept("function"), p.accept("func"):
		p.function()
	default:
		r := awkRule{}
		if !p.is("{") {
			r.pattern = p.expression()
			if p.accept(",") {
				p.optNewlines()
				r.until = p.expression()
			}
		}
		if p.is("{") {
			r.action = p.block()
		}
		p.program.rules = append(p.program.rules, r)
	}
}

func (p *awkParser) function() {
	name := p.tok.text
	if p.tok.kind != 'w' && p.tok.kind != 'f' {
		p.wrong()
	}
	p.advance()
	p.expect("(")
	f := &awkFunction{}
	for !p.is(")") {
		if p.tok.kind != 'w' {
			p.wrong()
		}
		f.params = append(f.params, p.tok.text)
		p.advance()
		if !p.accept(",") {
			break
		}
		p.optNewlines()
	}
	p.expect(")")
	p.optNewlines()
	p.program.functions[name] = f
	f.body = p.block()
}

func (p *awkParser) block() *awkNode {
	p.expect("{")
	b := &awkNode{op: "block"}
	for p.newlines(); !p.is("}"); p.newlines() {
		if p.tok.kind == 0 {
			p.wrong()
		}
		b.kids = append(b.kids, p.statement())
	}
	p.advance()
	return b
}

func (p *awkParser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fatal(2, "program too deep")
	}
	return func() { p.depth-- }
}

// terminated parses the end of a simple statement.
func (p *awkParser) terminated() {
	if p.tok.kind == 'l' || p.is(";") {
		p.advance()
	} else if !p.is("}") && p.tok.kind != 0 {
		p.wrong()
	}
}

// body parses the statement of a loop or a condition, which may be on the next line.
func (p *awkParser) body() *awkNode {
	if p.accept(";") {
		return &awkNode{op: "block"}
	}
	p.optNewlines()
	return p.statement()
}

func (p *awkParser) statement() *awkNode {
	defer p.deeper()()
	switch {
	case p.is("{"):
		return p.block()
	case p.accept("if"):
		p.expect("(")
		n := &awkNode{op: "if", kids: []*awkNode{p.expression()}}
		p.expect(")")
		n.kids = append(n.kids, p.body())
		at, tok, last, line := p.at, p.tok, p.last, p.line
		p.newlines()
		if p.accept("else") {
			n.kids = append(n.kids, p.body())
		} else {
			p.at, p.tok, p.last, p.line = at, tok, last, line
		}
		return n
	case p.accept("while"):
		p.expect("(")
		n := &awkNode{op: "while", kids: []*awkNode{p.expression()}}
		p.expect(")")
		n.kids = append(n.kids, p.body())
		return n
	case p.accept("do"):
		n := &awkNode{op: "do", kids: []*awkNode{p.body()}}
		p.newlines()
		p.expect("while")
		p.expect("(")
		n.kids = append(n.kids, p.expression())
		p.expect(")")
		p.terminated()
		return n
	case p.accept("for"):
		return p.loop()
	}
	n := p.simple()
	p.terminated()
	return n
}

// loop parses a for, after the word.
func (p *awkParser) loop() *awkNode {
	p.expect("(")
	var first *awkNode
	if !p.is(";") {
		first = p.simple()
		if first.op == "in" && p.accept(")") {
			return &awkNode{op: "forin", kids: []*awkNode{first, p.body()}}
		}
	}
	n := &awkNode{op: "for", kids: []*awkNode{first, nil, nil}}
	p.expect(";")
	p.optNewlines()
	if !p.is(";") {
		n.kids[1] = p.expression()
	}
	p.expect(";")
	p.optNewlines()
	if !p.is(")") {
		n.kids[2] = p.simple()
	}
	p.expect(")")
	n.kids = append(n.kids, p.body())
	return n
}

// simple parses a statement without a block.
func (p *awkParser) simple() *awkNode {
	switch {
	case p.is("print"), p.is("printf"):
		return p.print()
	case p.is("break"), p.is("continue"), p.is("next"), p.is("nextfile"):
		n := &awkNode{op: p.tok.text}
		p.advance()
		return n
	case p.is("exit"), p.is("return"):
		n := &awkNode{op: p.tok.text}
		p.advance()
		if p.tok.kind != 'l' && p.tok.kind != 0 && !p.is(";") && !p.is("}") {
			n.kids = append(n.kids, p.expression())
		}
		return n
	case p.accept("delete"):
		n := &awkNode{op: "delete", text: p.tok.text}
		if p.tok.kind != 'w' {
			p.wrong()
		}
		p.advance()
		if p.accept("[") {
			n.kids = p.list("]")
		}
		return n
	}
	return p.expression()
}

// print parses print and printf: their arguments may be in parentheses, and the output may go to a
// file.
func (p *awkParser) print() *awkNode {
	n := &awkNode{op: p.tok.text, kids: []*awkNode{nil}}
	p.advance()
	if p.tok.kind != 'l' && p.tok.kind != 0 && !p.is(";") && !p.is("}") && !p.is(">") && !p.is(">>") && !p.is("|") {
		was := p.noGT
		p.noGT = true
		for {
			e := p.expression()
			if e.op == "group" {
				n.kids = append(n.kids, e.kids...)
			} else {
				n.kids = append(n.kids, e)
			}
			if !p.accept(",") {
				break
			}
			p.optNewlines()
		}
		p.noGT = was
	}
	if n.op == "printf" && len(n.kids) < 2 {
		p.wrong()
	}
	switch {
	case p.is(">"), p.is(">>"):
		n.text = p.tok.text
		p.advance()
		n.kids[0] = p.concatenation()
	case p.is("|"):
		p.fatal(2, "output to a command is not emulated")
	}
	return n
}

func (p *awkParser) list(end string) (all []*awkNode) {
	p.optNewlines()
	for !p.is(end) {
		all = append(all, p.expression())
		if p.optNewlines(); !p.accept(",") {
			break
		}
		p.optNewlines()
	}
	p.expect(end)
	return all
}
