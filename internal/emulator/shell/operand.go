package shell

import (
	"errors"
	"strconv"
	"strings"
)

// target is a variable or element that can be assigned.
type target struct {
	name, index string
	indexed     bool
}

func (c *calc) load(t target) (int64, error) {
	if c.skip > 0 {
		return 0, nil
	}
	var text string
	var set bool
	if t.indexed {
		text, set = c.s.element(t.name, t.index)
	} else {
		text, set = c.s.lookup(t.name)
	}
	if !set && c.s.Opts.Nounset {
		return 0, errors.New(t.name + ": unbound variable")
	}
	return c.value(text)
}

// value returns the number in the text of a variable, which may itself be an expression.
func (c *calc) value(text string) (int64, error) {
	c.s.spend(16 + len(text)/4)
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	if v, ok := number(text); ok {
		return v, nil
	}
	inner := &calc{s: c.s, text: text, depth: c.depth + 10}
	if inner.depth > maxDepth {
		return 0, errDeepExpr
	}
	return inner.all()
}

func (c *calc) store(t target, v int64) (int64, error) {
	if c.skip > 0 {
		return v, nil
	}
	text := strconv.FormatInt(v, 10)
	ok := false
	if t.indexed {
		ok = c.s.setElement(t.name, t.index, text, false)
	} else {
		ok = c.s.set(t.name, text)
	}
	if !ok {
		return 0, errors.New(t.name + ": cannot assign")
	}
	return v, nil
}

// name parses the name of a variable, with its index; if none exists, ok is false and nothing is
// consumed.
func (c *calc) name() (t target, ok bool) {
	c.peek()
	end := c.at
	for end < len(c.text) && (isAlnum(c.text[end]) || c.text[end] == '_') && (end > c.at || c.text[end] < '0' || c.text[end] > '9') {
		end++
	}
	if end == c.at {
		return target{}, false
	}
	c.s.spend(4 + end - c.at)
	t.name = c.text[c.at:end]
	c.at = end
	if c.at < len(c.text) && c.text[c.at] == '[' {
		depth := 0
		for i := c.at; i < len(c.text); i++ {
			c.s.spend(1)
			switch c.text[i] {
			case '[':
				depth++
			case ']':
				if depth--; depth == 0 {
					t.index, t.indexed = c.text[c.at+1:i], true
					c.at = i + 1
					return t, true
				}
			}
		}
	}
	return t, true
}

// number parses a constant: decimal, 0x hexadecimal, 0 octal, or base#digits.
func number(text string) (int64, bool) {
	negative := strings.HasPrefix(text, "-")
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Contains(digits, "_") || digits[0] == '+' || digits[0] == '-' {
		return 0, false
	}
	base := 10
	switch {
	case strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X"):
		base, digits = 16, digits[2:]
	case strings.Contains(digits, "#"):
		b, rest, _ := strings.Cut(digits, "#")
		n, err := strconv.Atoi(b)
		if err != nil || n < 2 || n > 36 {
			return 0, false
		}
		base, digits = n, rest
	case len(digits) > 1 && digits[0] == '0':
		base = 8
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	if negative {
		return -int64(v), true
	}
	return int64(v), true
}
