package utility

import "strings"

// Expressions of awk, from the lowest precedence.

func (p *awkParser) expression() *awkNode {
	defer p.deeper()()
	return p.ternary()
}

func isLvalue(n *awkNode) bool { return n.op == "name" || n.op == "$" || n.op == "index" }

func (p *awkParser) ternary() *awkNode {
	n := p.or()
	if p.accept("?") {
		p.optNewlines()
		yes := p.expression()
		p.optNewlines()
		p.expect(":")
		p.optNewlines()
		return &awkNode{op: "?", kids: []*awkNode{n, yes, p.expression()}}
	}
	if isLvalue(n) && p.tok.kind == 'p' {
		switch p.tok.text {
		case "=", "+=", "-=", "*=", "/=", "%=", "^=":
			op := p.tok.text
			p.advance()
			p.optNewlines()
			return &awkNode{op: "=", text: strings.TrimSuffix(op, "="), kids: []*awkNode{n, p.expression()}}
		}
	}
	return n
}

func (p *awkParser) or() *awkNode {
	n := p.and()
	for p.accept("||") {
		p.optNewlines()
		n = &awkNode{op: "||", kids: []*awkNode{n, p.and()}}
	}
	return n
}

func (p *awkParser) and() *awkNode {
	n := p.membership()
	for p.accept("&&") {
		p.optNewlines()
		n = &awkNode{op: "&&", kids: []*awkNode{n, p.membership()}}
	}
	return n
}

func (p *awkParser) membership() *awkNode {
	n := p.matching()
	for p.is("in") {
		p.advance()
		if p.tok.kind != 'w' {
			p.wrong()
		}
		keys := []*awkNode{n}
		if n.op == "group" {
			keys = n.kids
		}
		n = &awkNode{op: "in", text: p.tok.text, kids: keys}
		p.advance()
	}
	return n
}

func (p *awkParser) matching() *awkNode {
	n := p.comparison()
	for p.is("~") || p.is("!~") {
		op := p.tok.text
		p.advance()
		n = &awkNode{op: op, kids: []*awkNode{n, p.comparison()}}
	}
	return n
}

func (p *awkParser) comparison() *awkNode {
	n := p.concatenation()
	if p.tok.kind == 'p' {
		switch p.tok.text {
		case "<", "<=", "==", "!=", ">=", ">":
			if p.tok.text == ">" && p.noGT {
				return n
			}
			op := p.tok.text
			p.advance()
			return &awkNode{op: "compare", text: op, kids: []*awkNode{n, p.concatenation()}}
		}
	}
	return n
}

// concatenation concatenates operands that are side by side.
func (p *awkParser) concatenation() *awkNode {
	n := p.sum()
	for {
		switch {
		case strings.IndexByte("nsrwfb", p.tok.kind) >= 0 && p.tok.kind != 0, p.is("$"), p.is("("), p.is("++"), p.is("--"):
			n = &awkNode{op: "concat", kids: []*awkNode{n, p.sum()}}
		case p.is("getline"):
			p.fatal(2, "getline is not emulated")
		default:
			return n
		}
	}
}

func (p *awkParser) sum() *awkNode {
	n := p.product()
	for p.is("+") || p.is("-") {
		op := p.tok.text
		p.advance()
		n = &awkNode{op: "arith", text: op, kids: []*awkNode{n, p.product()}}
	}
	return n
}

func (p *awkParser) product() *awkNode {
	n := p.unary()
	for p.is("*") || p.is("/") || p.is("%") {
		op := p.tok.text
		p.advance()
		n = &awkNode{op: "arith", text: op, kids: []*awkNode{n, p.unary()}}
	}
	return n
}

func (p *awkParser) unary() *awkNode {
	defer p.deeper()()
	switch {
	case p.accept("!"):
		return &awkNode{op: "!", kids: []*awkNode{p.unary()}}
	case p.accept("-"):
		return &awkNode{op: "neg", kids: []*awkNode{p.unary()}}
	case p.accept("+"):
		return &awkNode{op: "plus", kids: []*awkNode{p.unary()}}
	}
	return p.power()
}

func (p *awkParser) power() *awkNode {
	n := p.postfix()
	if p.accept("^") {
		return &awkNode{op: "arith", text: "^", kids: []*awkNode{n, p.unary()}}
	}
	return n
}

func (p *awkParser) postfix() *awkNode {
	n := p.primary()
	if isLvalue(n) && (p.is("++") || p.is("--")) {
		n = &awkNode{op: "post", text: p.tok.text[:1], kids: []*awkNode{n}}
		p.advance()
	}
	return n
}

func (p *awkParser) primary() *awkNode {
	defer p.deeper()()
	t := p.tok
	switch {
	case t.kind == 'n':
		p.advance()
		return &awkNode{op: "number", n: t.n}
	case t.kind == 's':
		p.advance()
		return &awkNode{op: "string", text: t.text}
	case t.kind == 'r':
		p.advance()
		return &awkNode{op: "regex", re: p.mustCompile(t.text, regexOptions{extended: true, awk: true}, 2)}
	case t.kind == 'b':
		return p.builtin()
	case t.kind == 'f':
		p.advance()
		p.expect("(")
		return &awkNode{op: "call", text: t.text, kids: p.arguments()}
	case t.kind == 'w':
		p.advance()
		if p.accept("[") {
			was := p.noGT
			p.noGT = false
			n := &awkNode{op: "index", text: t.text, kids: p.list("]")}
			p.noGT = was
			return n
		}
		return &awkNode{op: "name", text: t.text}
	case p.accept("$"):
		if p.is("++") || p.is("--") || p.is("-") {
			return &awkNode{op: "$", kids: []*awkNode{p.unary()}}
		}
		return &awkNode{op: "$", kids: []*awkNode{p.primary()}}
	case p.is("++"), p.is("--"):
		op := p.tok.text[:1]
		p.advance()
		n := p.primary()
		if !isLvalue(n) {
			p.wrong()
		}
		return &awkNode{op: "pre", text: op, kids: []*awkNode{n}}
	case p.accept("("):
		was := p.noGT
		p.noGT = false
		kids := p.list(")")
		p.noGT = was
		if len(kids) == 1 {
			return &awkNode{op: "paren", kids: kids}
		}
		return &awkNode{op: "group", kids: kids}
	case p.accept("-"):
		return &awkNode{op: "neg", kids: []*awkNode{p.primary()}}
	case p.is("getline"):
		p.fatal(2, "getline is not emulated")
	}
	p.wrong()
	return nil
}

func (p *awkParser) arguments() []*awkNode {
	was := p.noGT
	p.noGT = false
	defer func() { p.noGT = was }()
	return p.list(")")
}

func (p *awkParser) builtin() *awkNode {
	n := &awkNode{op: "builtin", text: p.tok.text}
	p.advance()
	switch {
	case p.accept("("):
		n.kids = p.arguments()
	case n.text != "length":
		p.wrong()
	}
	if n.text == "system" {
		p.fatal(2, "system is not emulated")
	}
	least := map[string]int{"substr": 2, "index": 2, "split": 2, "sub": 2, "gsub": 2, "match": 2, "sprintf": 1, "sin": 1, "cos": 1, "atan2": 2, "exp": 1, "log": 1, "sqrt": 1, "int": 1, "tolower": 1, "toupper": 1, "close": 1}[n.text]
	if len(n.kids) < least {
		p.wrong()
	}
	return n
}
