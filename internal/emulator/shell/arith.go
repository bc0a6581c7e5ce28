package shell

import (
	"errors"
	"math"
	"strings"
)

// calc evaluates one integer expression of a shell: 64 bits, the operators of C, and variables.
type calc struct {
	s     *Shell
	text  string
	at    int
	depth int // of brackets, and of variables that hold expressions
	skip  int // above 0 in a part of && || ?: that is not evaluated
}

var (
	errDivision = errors.New("division by zero")
	errArith    = errors.New("arithmetic syntax error")
	errDeepExpr = errors.New("expression recursion level exceeded")
)

// maxDepth bounds how deep an expression nests.
const maxDepth = 100

// arith evaluates an expression; an empty one is 0.
func (s *Shell) arith(text string) (int64, error) {
	c := &calc{s: s, text: text}
	v, err := c.all()
	s.spend(32 + len(text)/4)
	switch {
	case err == nil:
	case s.Dialect == bash && err == errDivision:
		err = errors.New(strings.TrimSpace(text) + ": division by 0 (error token is \"0\")")
	case s.Dialect == dash && err == errArith:
		err = errors.New("arithmetic expression: expecting primary: \"" + text + "\"")
	case s.Dialect == dash && err == errDivision:
		err = errors.New("arithmetic expression: division by zero: \"" + text + "\"")
	case s.Dialect == bash && err == errArith:
		err = errors.New(text + ": syntax error in expression")
	}
	return v, err
}

func (c *calc) all() (int64, error) {
	if strings.TrimSpace(c.text) == "" {
		return 0, nil
	}
	v, err := c.comma()
	if err == nil && c.peek() != 0 {
		return 0, errArith
	}
	return v, err
}

// peek returns the next byte that is not white space; 0 at the end.
func (c *calc) peek() byte {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return c.text[c.at]
		}
	}
	return 0
}

func (c *calc) has(op string) bool {
	c.peek()
	return strings.HasPrefix(c.text[c.at:], op)
}

func (c *calc) take(op string) bool {
	if c.has(op) {
		c.at += len(op)
		return true
	}
	return false
}

func (c *calc) comma() (int64, error) {
	if c.depth++; c.depth > maxDepth {
		return 0, errDeepExpr
	}
	defer func() { c.depth-- }()
	v, err := c.assign()
	for err == nil && c.take(",") {
		v, err = c.assign()
	}
	return v, err
}

var assignments = []string{"<<=", ">>=", "**=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

func (c *calc) assign() (int64, error) {
	start := c.at
	if t, ok := c.name(); ok {
		if c.has("=") && !c.has("==") {
			c.at++
			v, err := c.nested(c.assign)
			if err != nil {
				return 0, err
			}
			return c.store(t, v)
		}
		for _, op := range assignments {
			if c.take(op) {
				v, err := c.nested(c.assign)
				if err != nil {
					return 0, err
				}
				old, err := c.load(t)
				if err == nil {
					v, err = c.apply(strings.TrimSuffix(op, "="), old, v)
				}
				if err != nil {
					return 0, err
				}
				return c.store(t, v)
			}
		}
	}
	c.at = start
	return c.ternary()
}

// nested calls a rule one level deeper.
func (c *calc) nested(rule func() (int64, error)) (int64, error) {
	if c.depth++; c.depth > maxDepth {
		return 0, errDeepExpr
	}
	defer func() { c.depth-- }()
	return rule()
}

func (c *calc) ternary() (int64, error) {
	cond, err := c.binary(0)
	if err != nil || !c.take("?") {
		return cond, err
	}
	skipped := func(skip bool, rule func() (int64, error)) (int64, error) {
		if skip {
			c.skip++
			defer func() { c.skip-- }()
		}
		return c.nested(rule)
	}
	yes, err := skipped(cond == 0, c.assign)
	if err != nil {
		return 0, err
	}
	if !c.take(":") {
		return 0, errArith
	}
	no, err := skipped(cond != 0, c.assign)
	if cond != 0 {
		return yes, err
	}
	return no, err
}

// levels are the binary operators, those of the lowest precedence first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// operator parses an operator of a level; "" for any other.
func (c *calc) operator(level int) string {
	for _, op := range levels[level] {
		if !c.has(op) {
			continue
		}
		rest := c.text[c.at+len(op):]
		after := byte(0)
		if rest != "" {
			after = rest[0]
		}
		switch op {
		case "|", "&":
			if after == op[0] || after == '=' {
				continue
			}
		case "<", ">":
			if after == op[0] || after == '=' {
				continue
			}
		case "^", "+", "-", "*", "/", "%", "<<", ">>":
			if after == '=' || op == "*" && after == '*' {
				continue
			}
		}
		c.at += len(op)
		return op
	}
	return ""
}

func (c *calc) binary(level int) (int64, error) {
	if level == len(levels) {
		return c.power()
	}
	v, err := c.binary(level + 1)
	for err == nil {
		op := c.operator(level)
		if op == "" {
			return v, nil
		}
		c.s.spend(16)
		skip := op == "&&" && v == 0 || op == "||" && v != 0
		if skip {
			c.skip++
		}
		var w int64
		w, err = c.binary(level + 1)
		if skip {
			c.skip--
		}
		if err == nil {
			v, err = c.apply(op, v, w)
		}
	}
	return 0, err
}

func (c *calc) power() (int64, error) {
	v, err := c.unary()
	if err != nil || !c.has("**") || c.has("**=") {
		return v, err
	}
	c.at += 2
	e, err := c.nested(c.power)
	if err != nil {
		return 0, err
	}
	return c.apply("**", v, e)
}

func (c *calc) unary() (int64, error) {
	c.s.spend(80)
	switch {
	case c.has("++") || c.has("--"):
		op := c.text[c.at : c.at+2]
		start := c.at
		c.at += 2
		if t, ok := c.name(); ok {
			v, err := c.load(t)
			if err != nil {
				return 0, err
			}
			if op == "++" {
				return c.store(t, v+1)
			}
			return c.store(t, v-1)
		}
		c.at = start + 1
		v, err := c.nested(c.unary)
		if op == "--" {
			v = -v
		}
		return v, err
	case c.take("+"):
		return c.nested(c.unary)
	case c.take("-"):
		v, err := c.nested(c.unary)
		return -v, err
	case c.take("~"):
		v, err := c.nested(c.unary)
		return ^v, err
	case c.has("!") && !c.has("!="):
		c.at++
		v, err := c.nested(c.unary)
		return truth(v == 0), err
	}
	return c.primary()
}

func (c *calc) primary() (int64, error) {
	if c.take("(") {
		v, err := c.comma()
		if err == nil && !c.take(")") {
			err = errArith
		}
		return v, err
	}
	if t, ok := c.name(); ok {
		v, err := c.load(t)
		if err != nil {
			return 0, err
		}
		switch {
		case c.take("++"):
			_, err = c.store(t, v+1)
		case c.take("--"):
			_, err = c.store(t, v-1)
		}
		return v, err
	}
	c.peek()
	end := c.at
	for end < len(c.text) && (isAlnum(c.text[end]) || c.text[end] == '#' || c.text[end] == '@' || c.text[end] == '_') {
		end++
	}
	c.s.spend(end - c.at)
	v, ok := number(c.text[c.at:end])
	if !ok {
		return 0, errArith
	}
	c.at = end
	return v, nil
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// apply applies a binary operator.
func (c *calc) apply(op string, a, b int64) (int64, error) {
	switch op {
	case "||":
		return truth(a != 0 || b != 0), nil
	case "&&":
		return truth(a != 0 && b != 0), nil
	case "|":
		return a | b, nil
	case "^":
		return a ^ b, nil
	case "&":
		return a & b, nil
	case "==":
		return truth(a == b), nil
	case "!=":
		return truth(a != b), nil
	case "<=":
		return truth(a <= b), nil
	case ">=":
		return truth(a >= b), nil
	case "<":
		return truth(a < b), nil
	case ">":
		return truth(a > b), nil
	case "<<":
		return a << (uint64(b) & 63), nil
	case ">>":
		return a >> (uint64(b) & 63), nil
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	case "/", "%":
		switch {
		case c.skip > 0:
			return 0, nil
		case b == 0:
			return 0, errDivision
		case a == math.MinInt64 && b == -1:
			if op == "%" {
				return 0, nil
			}
			return a, nil
		case op == "/":
			return a / b, nil
		}
		return a % b, nil
	case "**":
		if b < 0 {
			return 0, errors.New("exponent less than 0")
		}
		v := int64(1)
		for ; b > 0; b >>= 1 {
			if b&1 == 1 {
				v *= a
			}
			a *= a
		}
		return v, nil
	}
	return 0, errArith
}
