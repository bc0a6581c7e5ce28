package script

import (
	"slices"
	"strconv"
	"strings"
)

// pyParser parses a program's tokens into statements. Everything that it does not know is not
// emulated.
type pyParser struct {
	tokens []pyToken
	at     int
	depth  int
	names  map[string]string // imported names: a module, or one of its functions
}

// pyModules are the modules that are emulated, at least in part.
var pyModules = strings.Fields("time os sys random socket datetime platform")

// pyProgram holds the statements of a program at its outermost level. For a while loop, loops has
// the condition, and the statement is its body.
type pyProgram struct {
	statements []pyStatement
	loops      []pyExpression
}

func parsePython(text string) (*pyProgram, error) {
	tokens, err := pyTokens(text)
	if err != nil {
		return nil, err
	}
	p, all := &pyParser{tokens: tokens, names: map[string]string{}}, &pyProgram{}
	for p.here().kind != 0 {
		switch {
		case p.here().kind == '\n':
			p.at++
		case p.takes("while"):
			condition, body, err := p.clause()
			if err != nil {
				return nil, err
			}
			all.statements, all.loops = append(all.statements, body), append(all.loops, condition)
		default:
			s, err := p.statement()
			if err != nil {
				return nil, err
			}
			all.statements, all.loops = append(all.statements, s), append(all.loops, nil)
		}
	}
	return all, nil
}

func (p *pyParser) here() pyToken { return p.tokens[min(p.at, len(p.tokens)-1)] }

// takes skips a name or an operator if it comes next.
func (p *pyParser) takes(text string) bool {
	t := p.here()
	if (t.kind == 'a' || t.kind == 'o') && t.text == text {
		p.at++
		return true
	}
	return false
}

// clause parses a condition and its block.
func (p *pyParser) clause() (condition pyExpression, body pyStatement, err error) {
	if condition, err = p.expression(0); err != nil {
		return nil, nil, err
	}
	body, err = p.block()
	return condition, body, err
}

// block parses a colon and what follows it, on the same line or indented.
func (p *pyParser) block() (pyStatement, error) {
	if p.depth++; p.depth > maxDepth || !p.takes(":") {
		return nil, ErrScript
	}
	defer func() { p.depth-- }()
	var all []pyStatement
	if p.here().kind != '\n' {
		s, err := p.simpleLine()
		return s, err
	}
	p.at++
	if p.here().kind != '>' {
		return nil, ErrScript
	}
	for p.at++; p.here().kind != '<'; {
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	p.at++
	return inOrder(all), nil
}

func inOrder(all []pyStatement) pyStatement {
	return func(r *python) error {
		for _, s := range all {
			if err := s(r); err != nil {
				return err
			}
		}
		return nil
	}
}

func (p *pyParser) statement() (pyStatement, error) {
	switch {
	case p.here().kind == '\n':
		p.at++
		return inOrder(nil), nil
	case p.takes("if"):
		return p.condition()
	case p.takes("while"):
		condition, body, err := p.clause()
		return func(r *python) error { return r.while(condition, body) }, err
	case p.takes("for"):
		name := p.here()
		if p.at++; name.kind != 'a' || !p.takes("in") {
			return nil, ErrScript
		}
		items, body, err := p.clause()
		return func(r *python) error { return r.forEach(name.text, items, body) }, err
	}
	return p.simpleLine()
}

// condition parses the rest of an if with its branches.
func (p *pyParser) condition() (pyStatement, error) {
	condition, body, err := p.clause()
	if err != nil {
		return nil, err
	}
	otherwise := inOrder(nil)
	switch {
	case p.takes("elif"):
		otherwise, err = p.condition()
	case p.takes("else"):
		otherwise, err = p.block()
	}
	return func(r *python) error {
		v, err := condition(r)
		switch {
		case err != nil:
			return err
		case v.truth():
			return body(r)
		}
		return otherwise(r)
	}, err
}

// simpleLine parses statements without blocks, up to the end of the line.
func (p *pyParser) simpleLine() (pyStatement, error) {
	var all []pyStatement
	for {
		s, err := p.simple()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
		more := p.takes(";")
		if p.here().kind == '\n' {
			p.at++
			return inOrder(all), nil
		}
		if !more {
			return nil, ErrScript
		}
	}
}

func (p *pyParser) simple() (pyStatement, error) {
	t := p.here()
	switch {
	case p.takes("pass"):
		return inOrder(nil), nil
	case p.takes("break"):
		return func(*python) error { return errBreak }, nil
	case p.takes("continue"):
		return func(*python) error { return errContinue }, nil
	case p.takes("import"):
		return inOrder(nil), p.imports("")
	case p.takes("from"):
		module := p.here().text
		if p.at++; !slices.Contains(pyModules, module) || !p.takes("import") {
			return nil, ErrScript
		}
		return inOrder(nil), p.imports(module + ".")
	case p.takes("raise"):
		v, err := p.expression(0)
		return func(r *python) error { return r.raise(v, t.line) }, err
	}
	if t.kind == 'a' && p.at+1 < len(p.tokens) && p.tokens[p.at+1].kind == 'o' {
		switch op := p.tokens[p.at+1].text; op {
		case "=", "+=", "-=", "*=", "%=":
			p.at += 2
			v, err := p.expression(0)
			return func(r *python) error { return r.assign(t.text, strings.TrimSuffix(op, "="), v) }, err
		}
	}
	v, err := p.expression(0)
	return func(r *python) error {
		_, err := v(r)
		return err
	}, err
}

// imports parses the names after import, of modules or of their functions.
func (p *pyParser) imports(module string) error {
	for {
		t := p.here()
		if t.kind != 'a' || module == "" && !slices.Contains(pyModules, t.text) {
			return ErrScript
		}
		name := t.text
		if p.at++; p.takes("as") {
			name = p.here().text
			p.at++
		}
		p.names[name] = module + t.text
		if !p.takes(",") {
			return nil
		}
	}
}

// pyLevels are the binary operators, those of the lowest precedence first.
var pyLevels = [][]string{{"or"}, {"and"}, {"==", "!=", "<", ">", "<=", ">=", "in"}, {"+", "-"}, {"*", "/", "//", "%"}, {"**"}}

// expression parses operators from a level of precedence on.
func (p *pyParser) expression(level int) (pyExpression, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, ErrScript
	}
	defer func() { p.depth-- }()
	if level == 2 && p.takes("not") {
		v, err := p.expression(2)
		return func(r *python) (pyValue, error) {
			of, err := v(r)
			return pyBool(!of.truth()), err
		}, err
	}
	if level == len(pyLevels) {
		return p.operand()
	}
	left, err := p.expression(level + 1)
	for err == nil {
		negated := level == 2 && p.here().text == "not" && p.tokens[p.at+1].text == "in"
		if negated {
			p.at++
		}
		op := p.here().text
		if t := p.here(); t.kind != 'a' && t.kind != 'o' || !slices.Contains(pyLevels[level], op) {
			break
		}
		p.at++
		var right pyExpression
		a := left
		next := level + 1
		if op == "**" {
			next = level
		}
		if right, err = p.expression(next); err == nil {
			left = func(r *python) (pyValue, error) { return r.binary(op, negated, a, right) }
		}
	}
	return left, err
}

func (p *pyParser) operand() (pyExpression, error) {
	if p.takes("-") {
		v, err := p.expression(len(pyLevels) - 1)
		return func(r *python) (pyValue, error) { return r.binary("-", false, constant(pyInt(0)), v) }, err
	}
	t := p.here()
	p.at++
	var v pyExpression
	var err error
	switch t.kind {
	case 's':
		v = constant(pyText(t.text))
	case 'f':
		v, err = p.format(t.text)
	case 'n':
		v, err = pyNumber(t.text)
	case 'a':
		v, err = p.named(t)
	case 'o':
		switch t.text {
		case "(":
			v, err = p.tuple()
		case "[":
			var items []pyExpression
			items, err = p.list("]")
			v = pyList(items)
		default:
			err = ErrScript
		}
	default:
		err = ErrScript
	}
	if err != nil {
		return nil, err
	}
	return p.postfix(v)
}

func pyNumber(text string) (pyExpression, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return constant(pyInt(n)), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, ErrScript
	}
	return constant(pyFloat(f)), nil
}

// tuple parses parentheses with one or several expressions.
func (p *pyParser) tuple() (pyExpression, error) {
	if p.takes(")") {
		return nil, ErrScript
	}
	first, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if p.takes(")") {
		return first, nil
	}
	if !p.takes(",") {
		return nil, ErrScript
	}
	rest, err := p.list(")")
	return pyList(append([]pyExpression{first}, rest...)), err
}

// list parses expressions with commas between them, up to a token.
func (p *pyParser) list(end string) ([]pyExpression, error) {
	var all []pyExpression
	for !p.takes(end) {
		v, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		if all = append(all, v); !p.takes(",") && p.here().text != end {
			return nil, ErrScript
		}
	}
	return all, nil
}

// format parses an f-string: texts, and expressions in braces.
func (p *pyParser) format(text string) (pyExpression, error) {
	var parts []pyExpression
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			open = len(text)
		}
		if strings.Contains(text[:open], "}") || strings.HasPrefix(text[open:], "{{") {
			return nil, ErrScript
		}
		parts = append(parts, constant(pyText(text[:open])))
		if text = text[open:]; text == "" {
			break
		}
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return nil, ErrScript
		}
		tokens, err := pyTokens(text[1:end])
		if err != nil || p.depth > maxDepth {
			return nil, ErrScript
		}
		inner := &pyParser{tokens: tokens, names: p.names, depth: p.depth + 1}
		v, err := inner.expression(0)
		if err != nil || inner.here().kind != '\n' {
			return nil, ErrScript
		}
		parts, text = append(parts, v), text[end+1:]
	}
	return func(r *python) (pyValue, error) { return r.concatenate(parts) }, nil
}
