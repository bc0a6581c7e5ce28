package script

import (
	"math"
	"slices"
	"strings"
)

// binary applies an operator to two values.
func (r *python) binary(op string, negated bool, left, right pyExpression) (pyValue, error) {
	a, err := left(r)
	if err != nil || op == "and" && !a.truth() || op == "or" && a.truth() {
		return a, err
	}
	b, err := right(r)
	if err == nil {
		err = r.count(1)
	}
	if err != nil || op == "and" || op == "or" {
		return b, err
	}
	switch op {
	case "==", "!=", "<", ">", "<=", ">=":
		return compared(op, a, b)
	case "in":
		return contained(negated, a, b)
	}
	switch {
	case op == "+" && a.Kind == 's' && b.Kind == 's':
		return pyText(a.Text + b.Text), r.count(len(a.Text+b.Text) / 16)
	case op == "*" && a.Kind == 's' && b.Kind == 'n' && b.Number >= 0 && b.Number*int64(len(a.Text)) < maxString && b.Number < maxString:
		return pyText(strings.Repeat(a.Text, int(b.Number))), r.count(len(a.Text) * int(b.Number) / 16)
	case a.isNumber() && b.isNumber():
		return calculated(op, a, b)
	}
	return pyValue{}, ErrScript
}

func compared(op string, a, b pyValue) (pyValue, error) {
	order := 0
	switch {
	case a.isNumber() && b.isNumber():
		order = map[bool]int{true: 1}[a.amount() > b.amount()] - map[bool]int{true: 1}[a.amount() < b.amount()]
	case a.Kind == 's' && b.Kind == 's':
		order = strings.Compare(a.Text, b.Text)
	case op == "==" || op == "!=":
		if a.Kind == 'l' && b.Kind == 'l' {
			return pyValue{}, ErrScript
		}
		return pyBool((a.Kind == b.Kind) == (op == "==")), nil // None is None
	default:
		return pyValue{}, ErrScript
	}
	switch op {
	case "==":
		return pyBool(order == 0), nil
	case "!=":
		return pyBool(order != 0), nil
	case "<":
		return pyBool(order < 0), nil
	case ">":
		return pyBool(order > 0), nil
	case "<=":
		return pyBool(order <= 0), nil
	}
	return pyBool(order >= 0), nil
}

func contained(negated bool, a, b pyValue) (pyValue, error) {
	switch {
	case a.Kind == 's' && b.Kind == 's':
		return pyBool(strings.Contains(b.Text, a.Text) != negated), nil
	case b.Kind == 'l':
		found := slices.ContainsFunc(b.Items, func(item pyValue) bool {
			same, err := compared("==", a, item)
			return err == nil && same.truth()
		})
		return pyBool(found != negated), nil
	}
	return pyValue{}, ErrScript
}

func calculated(op string, a, b pyValue) (pyValue, error) {
	const small = 1 << 31 // so that no result overflows
	x, y := a.amount(), b.amount()
	if math.Abs(x) > 1e15 || math.Abs(y) > 1e15 || y == 0 && strings.Contains("/ // %", op) {
		return pyValue{}, ErrScript
	}
	var f float64
	switch op {
	case "+":
		f = x + y
	case "-":
		f = x - y
	case "*":
		f = x * y
	case "/":
		f, a.Kind = x/y, 'f'
	case "//":
		f = math.Floor(x / y)
	case "%":
		f = x - y*math.Floor(x/y)
	case "**":
		f = math.Pow(x, y)
	}
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return pyValue{}, ErrScript
	case !a.whole() || !b.whole():
		return pyFloat(f), nil
	case math.Abs(f) > small*small/(1<<10) || y < 0 && op == "**":
		return pyValue{}, ErrScript
	}
	return pyInt(int64(f)), nil
}
