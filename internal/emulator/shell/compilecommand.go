package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call compiles a simple command.
func (c *compiler) call(x *syntax.CallExpr, redirs []*syntax.Redirect, tail bool) {
	if len(x.Args) > 0 && c.dialect == dash {
		switch x.Args[0].Lit() {
		case "export", "readonly", "local":
			c.plainDeclare(x, redirs)
			return
		}
	}
	c.emit(instr{op: opCmd})
	c.words(x.Args)
	begin := -1
	if len(redirs) > 0 {
		begin = c.emit(instr{op: opRedirs})
		c.redirs(redirs)
	}
	for _, a := range x.Assigns {
		c.assign(a, len(x.Args) > 0)
	}
	if len(x.Args) > 0 {
		t := 0
		if tail {
			t = 1
		}
		c.emit(instr{op: opRun, a: t})
	} else {
		c.emit(instr{op: opAssigned})
	}
	if begin >= 0 {
		c.emit(instr{op: opUnredir})
		c.here(begin)
	}
}

// plainDeclare compiles export, readonly and local where they are ordinary commands, except for
// their assignments.
func (c *compiler) plainDeclare(x *syntax.CallExpr, redirs []*syntax.Redirect) {
	c.emit(instr{op: opCmd})
	c.words(x.Args[:1])
	for _, w := range x.Args[1:] {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok {
			if name, _, is := strings.Cut(lit.Value, "="); is && syntax.ValidName(name) {
				c.word(w, true)
				c.emit(instr{op: opField, a: 1})
				continue
			}
		}
		c.words([]*syntax.Word{w})
	}
	begin := -1
	if len(redirs) > 0 {
		begin = c.emit(instr{op: opRedirs})
		c.redirs(redirs)
	}
	c.emit(instr{op: opDeclare})
	if begin >= 0 {
		c.emit(instr{op: opUnredir})
		c.here(begin)
	}
}

// assign compiles an assignment, either for a command or permanent.
func (c *compiler) assign(a *syntax.Assign, forCommand bool) {
	name := a.Name.Value
	plus := 0
	if a.Append {
		plus = 1
	}
	if a.Array != nil {
		c.array(name, a.Array, plus)
		return
	}
	if a.Index != nil {
		c.arithText(a.Index)
		c.emit(instr{op: opString})
	}
	c.value(a.Value)
	switch {
	case forCommand && a.Index == nil:
		c.emit(instr{op: opPrefix, text: name, b: plus})
	case a.Index != nil:
		c.emit(instr{op: opSet, text: name, a: 1, b: plus})
	default:
		c.emit(instr{op: opSet, text: name, b: plus})
	}
}

// value compiles the word of an assignment to a value.
func (c *compiler) value(w *syntax.Word) {
	if w == nil {
		c.emit(instr{op: opPush})
		return
	}
	c.word(w, true)
	c.emit(instr{op: opString})
}

func (c *compiler) array(name string, x *syntax.ArrayExpr, plus int) {
	if c.dialect != bash {
		c.foreign("an array in this shell")
		return
	}
	pairs := 0
	for _, e := range x.Elems {
		if e.Index != nil {
			pairs++
		}
	}
	if pairs == 0 {
		c.emit(instr{op: opCmd})
		for _, e := range x.Elems {
			c.words([]*syntax.Word{e.Value})
		}
		c.emit(instr{op: opSetArray, text: name, a: -1, b: plus})
		return
	}
	if pairs != len(x.Elems) {
		c.foreign("an array with and without indices")
		return
	}
	for _, e := range x.Elems {
		c.arithText(e.Index)
		c.emit(instr{op: opString})
		c.value(e.Value)
	}
	c.emit(instr{op: opSetArray, text: name, a: pairs, b: plus})
}

// declare compiles export, local, declare and the like.
func (c *compiler) declare(x *syntax.DeclClause) {
	if x.Variant.Value == "nameref" {
		c.foreign("nameref")
		return
	}
	var arrays []*syntax.Assign
	c.emit(instr{op: opCmd})
	c.emit(instr{op: opWord})
	c.emit(instr{op: opLit, text: x.Variant.Value})
	c.emit(instr{op: opField})
	for _, a := range x.Args {
		switch {
		case a.Naked && a.Name == nil:
			c.words([]*syntax.Word{a.Value})
		case a.Naked || a.Array != nil:
			c.emit(instr{op: opWord})
			c.emit(instr{op: opLit, text: a.Name.Value})
			c.emit(instr{op: opField})
			if a.Array != nil {
				arrays = append(arrays, a)
			}
		case a.Index != nil:
			c.foreign("a declaration of an element")
			return
		default:
			sign := "="
			if a.Append {
				sign = "+="
			}
			c.emit(instr{op: opWord})
			c.emit(instr{op: opLit, text: a.Name.Value + sign, a: 1})
			if a.Value != nil {
				c.parts(a.Value.Parts, wordContext{assign: true})
			}
			c.emit(instr{op: opField, a: 1})
		}
	}
	c.emit(instr{op: opDeclare})
	for _, a := range arrays {
		c.assign(a, false)
	}
}

// redirs compiles redirections, in order.
func (c *compiler) redirs(list []*syntax.Redirect) {
	for _, r := range list {
		rd := &redir{op: r.Op, fd: -1}
		if r.N != nil {
			n, err := strconv.Atoi(r.N.Value)
			if err != nil {
				c.foreign("a redirection to " + r.N.Value)
				return
			}
			rd.fd = n
		}
		sub := procSub(r)
		switch {
		case sub != nil:
			rd.proc = true
			at := c.emit(instr{op: opProcSub})
			c.tails(sub.Stmts)
			c.emit(instr{op: opLeave})
			c.here(at)
		case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
			c.hereDoc(r)
		default:
			c.word(r.Word, false)
			c.emit(instr{op: opString})
		}
		c.emit(instr{op: opRedir, redir: rd})
	}
}

// procSub returns the process whose output a redirection reads, as in "< <(command)"; nil for any
// other redirection.
func procSub(r *syntax.Redirect) *syntax.ProcSubst {
	if r.Op != syntax.RdrIn || r.Word == nil || len(r.Word.Parts) != 1 {
		return nil
	}
	sub, _ := r.Word.Parts[0].(*syntax.ProcSubst)
	if sub == nil || sub.Op != syntax.CmdIn {
		return nil
	}
	return sub
}

// test compiles an expression of [[ ]].
func (c *compiler) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.ParenTest:
		c.test(x.X)
	case *syntax.Word:
		c.word(x, false)
		c.emit(instr{op: opString})
		c.emit(instr{op: opCond, unary: syntax.TsNempStr})
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			c.test(x.X)
			c.emit(instr{op: opNot})
			return
		}
		w, ok := x.X.(*syntax.Word)
		if !ok {
			c.foreign("this test")
			return
		}
		c.word(w, false)
		c.emit(instr{op: opString})
		c.emit(instr{op: opCond, unary: x.Op})
	case *syntax.BinaryTest:
		c.binaryTest(x)
	}
}

func (c *compiler) binaryTest(x *syntax.BinaryTest) {
	if x.Op == syntax.AndTest || x.Op == syntax.OrTest {
		c.test(x.X)
		want := 0
		if x.Op == syntax.OrTest {
			want = 1
		}
		at := c.emit(instr{op: opJumpIf, b: want})
		c.test(x.Y)
		c.here(at)
		return
	}
	left, ok1 := x.X.(*syntax.Word)
	right, ok2 := x.Y.(*syntax.Word)
	if !ok1 || !ok2 {
		c.foreign("this test")
		return
	}
	c.word(left, false)
	c.emit(instr{op: opString})
	c.word(right, false)
	how := asText
	switch x.Op {
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
		how = asPattern
	case syntax.TsReMatch:
		how = asRegexp
	}
	c.emit(instr{op: opString, a: how})
	c.emit(instr{op: opCond, binary: x.Op})
}
