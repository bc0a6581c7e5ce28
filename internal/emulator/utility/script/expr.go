package script

import (
	"math/big"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// expression evaluates the arguments of expr.
type expression struct {
	*utility.Call
	words []string
	depth int
}

// expr evaluates its arguments. Its exit code is 1 if the value is empty or zero, and 2 if the
// expression is wrong.
func expr(c *utility.Call, _ []byte) int {
	e := &expression{Call: c, words: c.Args[min(1, len(c.Args)):]}
	if len(e.words) > 0 && e.words[0] == "--" {
		e.words = e.words[1:]
	}
	if len(e.words) == 0 {
		c.Fatal(2, "too few arguments")
	}
	value := e.or()
	if len(e.words) > 0 {
		e.wrong()
	}
	c.Print(value + "\n")
	return utility.ExitIf(isNull(value))
}

func (e *expression) wrong() { e.Fatal(2, "syntax error") }

func isNull(v string) bool {
	n, ok := integerOf(v)
	return v == "" || ok && n.Sign() == 0
}

// integerOf parses an integer of at most a thousand digits.
func integerOf(v string) (*big.Int, bool) {
	digits := strings.TrimPrefix(v, "-")
	if digits == "" || len(digits) > 1000 || strings.Trim(digits, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(v, 10)
}

func (e *expression) accept(operators ...string) (string, bool) {
	if len(e.words) == 0 {
		return "", false
	}
	for _, o := range operators {
		if e.words[0] == o {
			e.words = e.words[1:]
			return o, true
		}
	}
	return "", false
}

func (e *expression) or() string {
	left := e.and()
	for {
		if _, ok := e.accept("|"); !ok {
			return left
		}
		right := e.and()
		if isNull(left) {
			if left = right; isNull(right) {
				left = "0"
			}
		}
	}
}

func (e *expression) and() string {
	left := e.comparison()
	for {
		if _, ok := e.accept("&"); !ok {
			return left
		}
		if right := e.comparison(); isNull(left) || isNull(right) {
			left = "0"
		}
	}
}

func (e *expression) comparison() string {
	left := e.sum()
	for {
		operator, ok := e.accept("=", "==", "!=", "<", "<=", ">", ">=")
		if !ok {
			return left
		}
		right := e.sum()
		by := strings.Compare(left, right)
		if x, ok := integerOf(left); ok {
			if y, ok := integerOf(right); ok {
				by = x.Cmp(y)
			}
		}
		holds := map[string]bool{"=": by == 0, "==": by == 0, "!=": by != 0, "<": by < 0, "<=": by <= 0, ">": by > 0, ">=": by >= 0}[operator]
		if left = "0"; holds {
			left = "1"
		}
	}
}

func (e *expression) operand(v string) *big.Int {
	n, ok := integerOf(v)
	if !ok {
		if e.GNU {
			e.Fatal(2, "non-integer argument")
		}
		e.Fatal(2, "non-numeric argument")
	}
	return n
}

func (e *expression) sum() string {
	left := e.product()
	for {
		operator, ok := e.accept("+", "-")
		if !ok {
			return left
		}
		x, y := e.operand(left), e.operand(e.product())
		if operator == "-" {
			y.Neg(y)
		}
		left = x.Add(x, y).String()
	}
}

func (e *expression) product() string {
	left := e.match()
	for {
		operator, ok := e.accept("*", "/", "%")
		if !ok {
			return left
		}
		x, y := e.operand(left), e.operand(e.match())
		if operator != "*" && y.Sign() == 0 {
			e.Fatal(2, "division by zero")
		}
		switch operator {
		case "*":
			x.Mul(x, y)
		case "/":
			x.Quo(x, y)
		case "%":
			x.Rem(x, y)
		}
		left = x.String()
	}
}

func (e *expression) match() string {
	left := e.primary()
	for {
		if _, ok := e.accept(":"); !ok {
			return left
		}
		left = e.matches(left, e.primary())
	}
}

// matches returns the text of the first group of a pattern that matches at the beginning of a text,
// or the length of the match.
func (e *expression) matches(text, posix string) string {
	re := pattern.MustCompile(e.Call, strings.TrimPrefix(posix, "^"), pattern.Options{Prefix: true}, 2)
	found := re.Find(e.Step, text, 0, 1)
	switch {
	case re.Groups() > 0 && (found == nil || found[2] < 0):
		return ""
	case re.Groups() > 0:
		return text[found[2]:found[3]]
	case found == nil:
		return "0"
	}
	return big.NewInt(int64(len([]rune(text[:found[1]])))).String()
}

func (e *expression) primary() string {
	if e.depth++; e.depth > utility.MaxDepth {
		e.Fatal(2, "expression too deep")
	}
	defer func() { e.depth-- }()
	if len(e.words) == 0 {
		e.wrong()
	}
	word := e.words[0]
	e.words = e.words[1:]
	switch {
	case word == "(":
		value := e.or()
		if _, ok := e.accept(")"); !ok {
			e.wrong()
		}
		return value
	case word == "+" && len(e.words) > 0:
		return e.take()
	case word == "length" && len(e.words) > 0:
		return big.NewInt(int64(len([]rune(e.primary())))).String()
	case word == "match" && len(e.words) > 1:
		text := e.primary()
		return e.matches(text, e.primary())
	case word == "index" && len(e.words) > 1:
		text := e.primary()
		return big.NewInt(int64(strings.IndexAny(text, e.primary()) + 1)).String()
	case word == "substr" && len(e.words) > 2:
		return substring(e.primary(), e.primary(), e.primary())
	case word == ")":
		e.wrong()
	}
	return word
}

func (e *expression) take() string {
	w := e.words[0]
	e.words = e.words[1:]
	return w
}

// substring returns a part of a text, by the position of its first character, from 1, and its
// length.
func substring(text, position, length string) string {
	p, okP := integerOf(position)
	n, okN := integerOf(length)
	if !okP || !okN || p.Sign() <= 0 || n.Sign() <= 0 || !p.IsInt64() {
		return ""
	}
	runes := []rune(text)
	start := p.Int64() - 1
	if start >= int64(len(runes)) {
		return ""
	}
	end := int64(len(runes))
	if n.IsInt64() {
		end = min(end, start+n.Int64())
	}
	return string(runes[start:max(start, end)])
}
