package awk

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// Expressions of awk, from the lowest precedence.

func (p *parser) expression() *node {
	defer p.deeper()()
	return p.ternary()
}

func isLvalue(n *node) bool { return n.op == "name" || n.op == "$" || n.op == "index" }

func (p *parser) ternary() *node {
	n := p.or()
	if p.accept("?") {
		p.optNewlines()
		yes := p.expression()
		p.optNewlines()
		p.expect(":")
		p.optNewlines()
		return &node{op: "?", kids: []*node{n, yes, p.expression()}}
	}
	if isLvalue(n) && p.tok.kind == 'p' {
		switch p.tok.text {
		case "=", "+=", "-=", "*=", "/=", "%=", "^=":
			op := p.tok.text
			p.advance()
			p.optNewlines()
			return &node{op: "=", text: strings.TrimSuffix(op, "="), kids: []*node{n, p.expression()}}
		}
	}
	return n
}

func (p *parser) or() *node {
	n := p.and()
	for p.accept("||") {
		p.optNewlines()
		n = &node{op: "||", kids: []*node{n, p.and()}}
	}
	return n
}

func (p *parser) and() *node {
	n := p.membership()
	for p.accept("&&") {
		p.optNewlines()
		n = &node{op: "&&", kids: []*node{n, p.membership()}}
	}
	return n
}

func (p *parser) membership() *node {
	n := p.matching()
	for p.is("in") {
		p.advance()
		if p.tok.kind != 'w' {
			p.wrong()
		}
		keys := []*node{n}
		if n.op == "group" {
			keys = n.kids
		}
		n = &node{op: "in", text: p.tok.text, kids: keys}
		p.advance()
	}
	return n
}

func (p *parser) matching() *node {
	n := p.comparison()
	for p.is("~") || p.is("!~") {
		op := p.tok.text
		p.advance()
		n = &node{op: op, kids: []*node{n, p.comparison()}}
	}
	return n
}

func (p *parser) comparison() *node {
	n := p.concatenation()
	if p.tok.kind == 'p' {
		switch p.tok.text {
		case "<", "<=", "==", "!=", ">=", ">":
			if p.tok.text == ">" && p.noGT {
				return n
			}
			op := p.tok.text
			p.advance()
			return &node{op: "compare", text: op, kids: []*node{n, p.concatenation()}}
		}
	}
	return n
}

// concatenation concatenates operands that are side by side.
func (p *parser) concatenation() *node {
	n := p.sum()
	for {
		switch {
		case strings.IndexByte("nsrwfb", p.tok.kind) >= 0 && p.tok.kind != 0, p.is("$"), p.is("("), p.is("++"), p.is("--"):
			n = &node{op: "concat", kids: []*node{n, p.sum()}}
		case p.is("getline"):
			p.Fatal(2, "getline is not emulated")
		default:
			return n
		}
	}
}

func (p *parser) sum() *node {
	n := p.product()
	for p.is("+") || p.is("-") {
		op := p.tok.text
		p.advance()
		n = &node{op: "arith", text: op, kids: []*node{n, p.product()}}
	}
	return n
}

func (p *parser) product() *node {
	n := p.unary()
	for p.is("*") || p.is("/") || p.is("%") {
		op := p.tok.text
		p.advance()
		n = &node{op: "arith", text: op, kids: []*node{n, p.unary()}}
	}
	return n
}

func (p *parser) unary() *node {
	defer p.deeper()()
	switch {
	case p.accept("!"):
		return &node{op: "!", kids: []*node{p.unary()}}
	case p.accept("-"):
		return &node{op: "neg", kids: []*node{p.unary()}}
	case p.accept("+"):
		return &node{op: "plus", kids: []*node{p.unary()}}
	}
	return p.power()
}

func (p *parser) power() *node {
	n := p.postfix()
	if p.accept("^") {
		return &node{op: "arith", text: "^", kids: []*node{n, p.unary()}}
	}
	return n
}

func (p *parser) postfix() *node {
	n := p.primary()
	if isLvalue(n) && (p.is("++") || p.is("--")) {
		n = &node{op: "post", text: p.tok.text[:1], kids: []*node{n}}
		p.advance()
	}
	return n
}

func (p *parser) primary() *node {
	defer p.deeper()()
	t := p.tok
	switch {
	case t.kind == 'n':
		p.advance()
		return &node{op: "number", n: t.n}
	case t.kind == 's':
		p.advance()
		return &node{op: "string", text: t.text}
	case t.kind == 'r':
		p.advance()
		return &node{op: "regex", re: pattern.MustCompile(p.Call, t.text, pattern.Options{Extended: true, Awk: true}, 2)}
	case t.kind == 'b':
		return p.builtin()
	case t.kind == 'f':
		p.advance()
		p.expect("(")
		return &node{op: "call", text: t.text, kids: p.arguments()}
	case t.kind == 'w':
		p.advance()
		if p.accept("[") {
			was := p.noGT
			p.noGT = false
			n := &node{op: "index", text: t.text, kids: p.list("]")}
			p.noGT = was
			return n
		}
		return &node{op: "name", text: t.text}
	case p.accept("$"):
		if p.is("++") || p.is("--") || p.is("-") {
			return &node{op: "$", kids: []*node{p.unary()}}
		}
		return &node{op: "$", kids: []*node{p.primary()}}
	case p.is("++"), p.is("--"):
		op := p.tok.text[:1]
		p.advance()
		n := p.primary()
		if !isLvalue(n) {
			p.wrong()
		}
		return &node{op: "pre", text: op, kids: []*node{n}}
	case p.accept("("):
		was := p.noGT
		p.noGT = false
		kids := p.list(")")
		p.noGT = was
		if len(kids) == 1 {
			return &node{op: "paren", kids: kids}
		}
		return &node{op: "group", kids: kids}
	case p.accept("-"):
		return &node{op: "neg", kids: []*node{p.primary()}}
	case p.is("getline"):
		p.Fatal(2, "getline is not emulated")
	}
	p.wrong()
	return nil
}

func (p *parser) arguments() []*node {
	was := p.noGT
	p.noGT = false
	defer func() { p.noGT = was }()
	return p.list(")")
}

func (p *parser) builtin() *node {
	n := &node{op: "builtin", text: p.tok.text}
	p.advance()
	switch {
	case p.accept("("):
		n.kids = p.arguments()
	case n.text != "length":
		p.wrong()
	}
	if n.text == "system" {
		p.Fatal(2, "system is not emulated")
	}
	least := map[string]int{
		"substr": 2, "index": 2, "split": 2, "sub": 2, "gsub": 2, "match": 2, "sprintf": 1, "sin": 1, "cos": 1,
		"atan2": 2, "exp": 1, "log": 1, "sqrt": 1, "int": 1, "tolower": 1, "toupper": 1, "close": 1,
	}[n.text]
	if len(n.kids) < least {
		p.wrong()
	}
	return n
}

func (p *parser) list(end string) (all []*node) {
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
