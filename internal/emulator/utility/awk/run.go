package awk

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// ending is how a statement ended.
type ending int

const (
	normal ending = iota
	breaks
	continues
	nextRecord
	nextFile
	exits
	returns
)

// run runs a statement.
func (u *awk) run(n *node) ending {
	u.Step(1)
	switch n.op {
	case "block":
		for _, kid := range n.kids {
			if done := u.run(kid); done != normal {
				return done
			}
		}
	case "if":
		if u.holds(u.eval(n.kids[0])) {
			return u.run(n.kids[1])
		}
		if len(n.kids) > 2 {
			return u.run(n.kids[2])
		}
	case "while", "do", "for", "forin":
		return u.loop(n)
	case "break":
		return breaks
	case "continue":
		return continues
	case "next":
		return nextRecord
	case "nextfile":
		return nextFile
	case "exit":
		if len(n.kids) > 0 {
			u.Code = int(clampInt(u.num(u.eval(n.kids[0])))) & 255
		}
		return exits
	case "return":
		u.result = value{}
		if len(n.kids) > 0 {
			u.result = u.eval(n.kids[0])
		}
		return returns
	case "delete":
		a := u.array(n.text)
		if len(n.kids) == 0 {
			u.clearArray(a)
		} else if key := u.key(n.kids); true {
			if old, known := a[key]; known {
				u.Held -= int64(len(key) + len(old.text) + elementBytes)
			}
			delete(a, key)
		}
	case "print", "printf":
		u.print1(n)
	default:
		u.eval(n)
		if u.Exits {
			return exits
		}
	}
	return normal
}

func (u *awk) loop(n *node) ending {
	switch n.op {
	case "forin":
		return u.each(n)
	case "for":
		if n.kids[0] != nil {
			u.run(n.kids[0])
		}
	}
	condition, body, next := n.kids[0], n.kids[1], (*node)(nil)
	switch n.op {
	case "do":
		condition, body = n.kids[1], n.kids[0]
	case "for":
		condition, next, body = n.kids[1], n.kids[2], n.kids[3]
	}
	for first := true; ; first = false {
		u.Step(1)
		if !(first && n.op == "do") && condition != nil && !u.holds(u.eval(condition)) {
			return normal
		}
		switch done := u.run(body); done {
		case breaks:
			return normal
		case normal, continues:
		default:
			return done
		}
		if next != nil {
			u.run(next)
		}
	}
}

// each runs a loop over the keys of an array that exist when it begins; numeric keys are in numeric
// order.
func (u *awk) each(n *node) ending {
	in := n.kids[0]
	a := u.array(in.text)
	keys := make([]string, 0, len(a))
	for k := range a {
		keys = append(keys, k)
	}
	u.Step(int64(len(keys) * (8 + 4*bits.Len(uint(len(keys))))))
	slices.SortFunc(keys, func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(x, y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, k := range keys {
		if _, there := a[k]; !there {
			continue
		}
		u.store(in.kids[0], inputValue(k))
		switch done := u.run(n.kids[1]); done {
		case breaks:
			return normal
		case normal, continues:
		default:
			return done
		}
	}
	return normal
}

// print1 runs print or printf.
func (u *awk) print1(n *node) {
	var text string
	values := make([]value, 0, len(n.kids))
	for _, kid := range n.kids[1:] {
		values = append(values, u.eval(kid))
	}
	switch {
	case n.op == "printf":
		text = sprintf(u.Call, values[0].string(u.Call, u.Vars["CONVFMT"].text), values[1:])
	case len(values) == 0:
		text = u.text() + u.Vars["ORS"].string(u.Call, "")
	default:
		parts := make([]string, len(values))
		for i, v := range values {
			parts[i] = u.shown(v, u.Vars["OFMT"].text)
		}
		text = strings.Join(parts, u.Vars["OFS"].string(u.Call, "")) + u.Vars["ORS"].string(u.Call, "")
	}
	if n.text == "" {
		u.write(text)
		return
	}
	file := u.eval(n.kids[0]).string(u.Call, "")
	switch file {
	case "/dev/stdout", "-":
		u.write(text)
		return
	case "/dev/stderr":
		u.flush()
		u.Put(u.Stderr, []byte(text))
		return
	}
	f := u.Files[file]
	if f == nil {
		if len(u.Files) > 100 {
			u.Fatal(2, "too many open files")
		}
		var err error
		if f, err = u.Create(file, n.text == ">>"); err != nil {
			u.flush()
			u.Fatal(2, "can't redirect to %s: %s", file, vfs.Reason(err))
		}
		set(&u.Files, file, f)
	}
	u.Step(8)
	u.Pass(2 * len(text))
	if err := f.Write(u.Call, []byte(text)); err != nil {
		u.flush()
		u.Fatal(2, "write error: %s", vfs.Reason(err))
	}
}

// eval returns the value of an expression.
func (u *awk) eval(n *node) value {
	u.Step(1)
	switch n.op {
	case "number":
		return numberValue(n.n)
	case "string":
		return textValue(n.text)
	case "regex":
		return boolValue(n.re.Matches(u.Step, u.text()))
	case "name":
		return u.get(n.text)
	case "$":
		return u.field(u.fieldNumber(u.num(u.eval(n.kids[0]))))
	case "index":
		key := u.key(n.kids)
		v, known := u.array(n.text)[key]
		if !known {
			u.setElement(n.text, key, value{}) // referring to an element creates it
		}
		return v
	case "paren":
		return u.eval(n.kids[0])
	case "group":
		u.Fatal(2, "syntax error: a list stands where a value should")
	case "=":
		v := u.eval(n.kids[1])
		if n.text != "" {
			v = numberValue(u.arith(n.text, u.num(u.eval(n.kids[0])), v.number()))
		}
		u.store(n.kids[0], v)
		return v
	case "?":
		if u.holds(u.eval(n.kids[0])) {
			return u.eval(n.kids[1])
		}
		return u.eval(n.kids[2])
	case "||":
		return boolValue(u.holds(u.eval(n.kids[0])) || u.holds(u.eval(n.kids[1])))
	case "&&":
		return boolValue(u.holds(u.eval(n.kids[0])) && u.holds(u.eval(n.kids[1])))
	case "!":
		return boolValue(!u.holds(u.eval(n.kids[0])))
	case "neg":
		return numberValue(-u.num(u.eval(n.kids[0])))
	case "plus":
		return numberValue(u.num(u.eval(n.kids[0])))
	}
	return u.evalMore(n)
}

func (u *awk) evalMore(n *node) value {
	switch n.op {
	case "in":
		_, known := u.array(n.text)[u.key(n.kids)]
		return boolValue(known)
	case "~", "!~":
		text := u.str(u.eval(n.kids[0]))
		return boolValue(u.pattern(n.kids[1]).Matches(u.Step, text) == (n.op == "~"))
	case "compare":
		return boolValue(u.compare(n.text, u.eval(n.kids[0]), u.eval(n.kids[1])))
	case "concat":
		left := u.str(u.eval(n.kids[0]))
		text := left + u.str(u.eval(n.kids[1]))
		u.Need(int64(len(text)))
		u.Pass(2 * len(text))
		return textValue(text)
	case "arith":
		x := u.num(u.eval(n.kids[0]))
		return numberValue(u.arith(n.text, x, u.num(u.eval(n.kids[1]))))
	case "pre", "post":
		old := u.num(u.eval(n.kids[0]))
		changed := u.arith(n.text, old, 1)
		u.store(n.kids[0], numberValue(changed))
		if n.op == "post" {
			return numberValue(old)
		}
		return numberValue(changed)
	case "call":
		return u.callFunction(n)
	case "builtin":
		return u.callBuiltin(n)
	}
	u.Fatal(2, "syntax error: %s stands where a value should", n.op)
	return value{}
}

// store assigns a value to a variable, a field or an element of an array.
func (u *awk) store(to *node, v value) {
	switch to.op {
	case "name":
		u.setVariable(to.text, v)
	case "index":
		u.setElement(to.text, u.key(to.kids), v)
	case "$":
		u.setField(u.fieldNumber(u.num(u.eval(to.kids[0]))), u.str(v))
	case "paren":
		u.store(to.kids[0], v)
	default:
		u.Fatal(2, "syntax error: assignment to what is not a variable")
	}
}

func (u *awk) arith(op string, x, y float64) float64 {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "^":
		return math.Pow(x, y)
	}
	if y == 0 {
		u.flush()
		u.Fatal(2, "division by zero")
	}
	if op == "/" {
		return x / y
	}
	return math.Mod(x, y)
}

func (u *awk) compare(op string, a, b value) bool {
	by := 0
	if u.numeric(a) && u.numeric(b) {
		by = cmp.Compare(a.number(), b.number())
	} else {
		x, y := u.str(a), u.str(b)
		u.Pass(min(len(x), len(y)))
		by = strings.Compare(x, y)
	}
	switch op {
	case "<":
		return by < 0
	case "<=":
		return by <= 0
	case "==":
		return by == 0
	case "!=":
		return by != 0
	case ">=":
		return by >= 0
	}
	return by > 0
}

func (u *awk) key(nodes []*node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = u.str(u.eval(n))
	}
	return strings.Join(parts, u.Vars["SUBSEP"].string(u.Call, ""))
}
