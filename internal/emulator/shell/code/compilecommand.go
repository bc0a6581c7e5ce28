package code

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call compiles a simple command.
func (c *compiler) call(x *syntax.CallExpr, redirs []*syntax.Redirect, tail bool) {
	if len(x.Args) > 0 && c.dialect == Dash {
		switch x.Args[0].Lit() {
		case "export", "readonly", "local":
			c.plainDeclare(x, redirs)
			return
		}
	}
	c.emit(Instr{Op: OpCmd})
	c.words(x.Args)
	begin := -1
	if len(redirs) > 0 {
		begin = c.emit(Instr{Op: OpRedirs})
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
		c.emit(Instr{Op: OpRun, A: t})
	} else {
		c.emit(Instr{Op: OpAssigned})
	}
	if begin >= 0 {
		c.emit(Instr{Op: OpUnredir})
		c.here(begin)
	}
}

// plainDeclare compiles export, readonly and local where they are ordinary commands, except for
// their assignments.
func (c *compiler) plainDeclare(x *syntax.CallExpr, redirs []*syntax.Redirect) {
	c.emit(Instr{Op: OpCmd})
	c.words(x.Args[:1])
	for _, w := range x.Args[1:] {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok {
			if name, _, is := strings.Cut(lit.Value, "="); is && syntax.ValidName(name) {
				c.word(w, true)
				c.emit(Instr{Op: OpField, A: 1})
				continue
			}
		}
		c.words([]*syntax.Word{w})
	}
	begin := -1
	if len(redirs) > 0 {
		begin = c.emit(Instr{Op: OpRedirs})
		c.redirs(redirs)
	}
	c.emit(Instr{Op: OpDeclare})
	if begin >= 0 {
		c.emit(Instr{Op: OpUnredir})
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
		c.emit(Instr{Op: OpString})
	}
	c.value(a.Value)
	switch {
	case forCommand && a.Index == nil:
		c.emit(Instr{Op: OpPrefix, Text: name, B: plus})
	case a.Index != nil:
		c.emit(Instr{Op: OpSet, Text: name, A: 1, B: plus})
	default:
		c.emit(Instr{Op: OpSet, Text: name, B: plus})
	}
}

// value compiles the word of an assignment to a value.
func (c *compiler) value(w *syntax.Word) {
	if w == nil {
		c.emit(Instr{Op: OpPush})
		return
	}
	c.word(w, true)
	c.emit(Instr{Op: OpString})
}

func (c *compiler) array(name string, x *syntax.ArrayExpr, plus int) {
	if c.dialect != Bash {
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
		c.emit(Instr{Op: OpCmd})
		for _, e := range x.Elems {
			c.words([]*syntax.Word{e.Value})
		}
		c.emit(Instr{Op: OpSetArray, Text: name, A: -1, B: plus})
		return
	}
	if pairs != len(x.Elems) {
		c.foreign("an array with and without indices")
		return
	}
	for _, e := range x.Elems {
		c.arithText(e.Index)
		c.emit(Instr{Op: OpString})
		c.value(e.Value)
	}
	c.emit(Instr{Op: OpSetArray, Text: name, A: pairs, B: plus})
}

// declare compiles export, local, declare and the like.
func (c *compiler) declare(x *syntax.DeclClause) {
	if x.Variant.Value == "nameref" {
		c.foreign("nameref")
		return
	}
	var arrays []*syntax.Assign
	c.emit(Instr{Op: OpCmd})
	c.emit(Instr{Op: OpWord})
	c.emit(Instr{Op: OpLit, Text: x.Variant.Value})
	c.emit(Instr{Op: OpField})
	for _, a := range x.Args {
		switch {
		case a.Naked && a.Name == nil:
			c.words([]*syntax.Word{a.Value})
		case a.Naked || a.Array != nil:
			c.emit(Instr{Op: OpWord})
			c.emit(Instr{Op: OpLit, Text: a.Name.Value})
			c.emit(Instr{Op: OpField})
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
			c.emit(Instr{Op: OpWord})
			c.emit(Instr{Op: OpLit, Text: a.Name.Value + sign, A: 1})
			if a.Value != nil {
				c.parts(a.Value.Parts, wordContext{assign: true})
			}
			c.emit(Instr{Op: OpField, A: 1})
		}
	}
	c.emit(Instr{Op: OpDeclare})
	for _, a := range arrays {
		c.assign(a, false)
	}
}

// redirs compiles redirections, in order.
func (c *compiler) redirs(list []*syntax.Redirect) {
	for _, r := range list {
		rd := &Redir{Op: r.Op, FD: -1}
		if r.N != nil {
			n, err := strconv.Atoi(r.N.Value)
			if err != nil {
				c.foreign("a redirection to " + r.N.Value)
				return
			}
			rd.FD = n
		}
		sub := procSub(r)
		switch {
		case sub != nil:
			rd.Proc = true
			at := c.emit(Instr{Op: OpProcSub})
			c.tails(sub.Stmts)
			c.emit(Instr{Op: OpLeave})
			c.here(at)
		case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
			c.hereDoc(r)
		default:
			c.word(r.Word, false)
			c.emit(Instr{Op: OpString})
		}
		c.emit(Instr{Op: OpRedir, Redir: rd})
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
		c.emit(Instr{Op: OpString})
		c.emit(Instr{Op: OpCond, Unary: syntax.TsNempStr})
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			c.test(x.X)
			c.emit(Instr{Op: OpNot})
			return
		}
		w, ok := x.X.(*syntax.Word)
		if !ok {
			c.foreign("this test")
			return
		}
		c.word(w, false)
		c.emit(Instr{Op: OpString})
		c.emit(Instr{Op: OpCond, Unary: x.Op})
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
		at := c.emit(Instr{Op: OpJumpIf, B: want})
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
	c.emit(Instr{Op: OpString})
	c.word(right, false)
	how := AsText
	switch x.Op {
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
		how = AsPattern
	case syntax.TsReMatch:
		how = AsRegexp
	}
	c.emit(Instr{Op: OpString, A: how})
	c.emit(Instr{Op: OpCond, Binary: x.Op})
}
