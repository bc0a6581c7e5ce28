package awk

import "github.com/rowlock/rowlock/internal/emulator/utility"

// parse parses a program; if it is wrong, it prints an error and ends the utility.
func parse(c *utility.Call, text string) *program {
	if len(text) > utility.MaxScript {
		c.Fatal(2, "program too long")
	}
	p := &parser{Call: c, in: text, line: 1, program: &program{functions: map[string]*function{}}}
	p.advance()
	for p.newlines(); p.tok.kind != 0; p.newlines() {
		p.item()
	}
	return p.program
}

// item parses a rule or a function.
func (p *parser) item() {
	switch {
	case p.accept("BEGIN"):
		p.program.begin = append(p.program.begin, p.block())
	case p.accept("END"):
		p.program.end = append(p.program.end, p.block())
	case p.accept("function"), p.accept("func"):
		p.function()
	default:
		r := rule{}
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

func (p *parser) function() {
	name := p.tok.text
	if p.tok.kind != 'w' && p.tok.kind != 'f' {
		p.wrong()
	}
	p.advance()
	p.expect("(")
	f := &function{}
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

func (p *parser) block() *node {
	p.expect("{")
	b := &node{op: "block"}
	for p.newlines(); !p.is("}"); p.newlines() {
		if p.tok.kind == 0 {
			p.wrong()
		}
		b.kids = append(b.kids, p.statement())
	}
	p.advance()
	return b
}

// terminated parses the end of a simple statement.
func (p *parser) terminated() {
	if p.tok.kind == 'l' || p.is(";") {
		p.advance()
	} else if !p.is("}") && p.tok.kind != 0 {
		p.wrong()
	}
}

// body parses the statement of a loop or a condition, which may be on the next line.
func (p *parser) body() *node {
	if p.accept(";") {
		return &node{op: "block"}
	}
	p.optNewlines()
	return p.statement()
}

func (p *parser) statement() *node {
	defer p.deeper()()
	switch {
	case p.is("{"):
		return p.block()
	case p.accept("if"):
		p.expect("(")
		n := &node{op: "if", kids: []*node{p.expression()}}
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
		n := &node{op: "while", kids: []*node{p.expression()}}
		p.expect(")")
		n.kids = append(n.kids, p.body())
		return n
	case p.accept("do"):
		n := &node{op: "do", kids: []*node{p.body()}}
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
func (p *parser) loop() *node {
	p.expect("(")
	var first *node
	if !p.is(";") {
		first = p.simple()
		if first.op == "in" && p.accept(")") {
			return &node{op: "forin", kids: []*node{first, p.body()}}
		}
	}
	n := &node{op: "for", kids: []*node{first, nil, nil}}
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
func (p *parser) simple() *node {
	switch {
	case p.is("print"), p.is("printf"):
		return p.print()
	case p.is("break"), p.is("continue"), p.is("next"), p.is("nextfile"):
		n := &node{op: p.tok.text}
		p.advance()
		return n
	case p.is("exit"), p.is("return"):
		n := &node{op: p.tok.text}
		p.advance()
		if p.tok.kind != 'l' && p.tok.kind != 0 && !p.is(";") && !p.is("}") {
			n.kids = append(n.kids, p.expression())
		}
		return n
	case p.accept("delete"):
		n := &node{op: "delete", text: p.tok.text}
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
func (p *parser) print() *node {
	n := &node{op: p.tok.text, kids: []*node{nil}}
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
		p.Fatal(2, "output to a command is not emulated")
	}
	return n
}
