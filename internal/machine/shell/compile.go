package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// compiler turns a parsed source into instructions.
type compiler struct {
	dialect dialect
	source  string
	ins     []instr
	line    int
}

func (c *compiler) emit(in instr) int {
	in.line = c.line
	c.ins = append(c.ins, in)
	return len(c.ins) - 1
}

// here makes a jump at an instruction lead to the next one.
func (c *compiler) here(at int) { c.ins[at].a = len(c.ins) }

func (c *compiler) foreign(what string) {
	c.emit(instr{op: opForeign, text: what + " is not emulated"})
}

func (c *compiler) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

// tails compiles statements of which the last is the last thing that its process does.
func (c *compiler) tails(list []*syntax.Stmt) {
	for i, s := range list {
		if i == len(list)-1 {
			c.tail(s)
		} else {
			c.stmt(s)
		}
	}
}

// tail compiles a statement that is the last thing that its process does: a program takes the process's place.
func (c *compiler) tail(s *syntax.Stmt) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Background || s.Negated || s.Coprocess || len(call.Args) == 0 {
		c.stmt(s)
		return
	}
	c.line = int(s.Pos().Line())
	c.emit(instr{op: opStmt})
	c.call(call, s.Redirs, true)
	c.emit(instr{op: opErr})
}

func (c *compiler) stmt(s *syntax.Stmt) {
	c.line = int(s.Pos().Line())
	c.emit(instr{op: opStmt})
	if s.Coprocess || s.Disown {
		c.foreign("a coprocess")
		return
	}
	if s.Background {
		at := c.emit(instr{op: opAsync})
		fg := *s
		fg.Background = false
		c.tail(&fg)
		c.emit(instr{op: opLeave})
		c.here(at)
		return
	}
	if s.Negated {
		c.emit(instr{op: opCare, a: 1})
		c.command(s)
		c.emit(instr{op: opCare, a: -1})
		c.emit(instr{op: opNot})
		return
	}
	c.command(s)
}

// command compiles a statement's command with its redirections.
func (c *compiler) command(s *syntax.Stmt) {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		c.call(call, s.Redirs, false)
		c.emit(instr{op: opErr})
		return
	}
	if s.Cmd == nil { // only redirections
		c.call(&syntax.CallExpr{}, s.Redirs, false)
		c.emit(instr{op: opErr})
		return
	}
	begin := -1
	if len(s.Redirs) > 0 {
		begin = c.emit(instr{op: opRedirs})
		c.redirs(s.Redirs)
	}
	c.compound(s.Cmd)
	if begin >= 0 {
		c.emit(instr{op: opUnredir})
		c.here(begin)
		c.emit(instr{op: opErr})
	}
}

func (c *compiler) compound(cmd syntax.Command) {
	switch x := cmd.(type) {
	case *syntax.Block:
		c.stmts(x.Stmts)
	case *syntax.Subshell:
		at := c.emit(instr{op: opSubshell})
		c.tails(x.Stmts)
		c.emit(instr{op: opLeave})
		c.here(at)
		c.emit(instr{op: opErr})
	case *syntax.BinaryCmd:
		c.binary(x)
	case *syntax.IfClause:
		c.ifClause(x)
	case *syntax.WhileClause:
		c.while(x)
	case *syntax.ForClause:
		c.forClause(x)
	case *syntax.CaseClause:
		c.caseClause(x)
	case *syntax.FuncDecl:
		c.function(x)
	case *syntax.ArithmCmd:
		if c.dialect == ash {
			c.foreign("(( )) in this shell")
			return
		}
		c.arithText(x.X)
		c.emit(instr{op: opString})
		c.emit(instr{op: opLet})
		c.emit(instr{op: opErr})
	case *syntax.LetClause:
		for _, e := range x.Exprs {
			c.arithText(e)
			c.emit(instr{op: opString})
			c.emit(instr{op: opLet})
		}
		c.emit(instr{op: opErr})
	case *syntax.TestClause:
		c.test(x.X)
		c.emit(instr{op: opErr})
	case *syntax.DeclClause:
		c.declare(x)
		c.emit(instr{op: opErr})
	case *syntax.TimeClause:
		c.emit(instr{op: opTime})
		if x.Stmt != nil {
			c.stmt(x.Stmt)
		}
		c.emit(instr{op: opTime, a: 1})
	case *syntax.CoprocClause:
		c.foreign("coproc")
	default:
		c.foreign("this command")
	}
}

func (c *compiler) binary(x *syntax.BinaryCmd) {
	if x.Op == syntax.Pipe || x.Op == syntax.PipeAll {
		c.pipeline(x)
		return
	}
	c.emit(instr{op: opCare, a: 1})
	c.stmt(x.X)
	c.emit(instr{op: opCare, a: -1})
	want := 0
	if x.Op == syntax.OrStmt {
		want = 1
	}
	at := c.emit(instr{op: opJumpIf, b: want})
	c.stmt(x.Y)
	c.here(at)
}

func (c *compiler) pipeline(x *syntax.BinaryCmd) {
	var parts []*syntax.Stmt
	var stderr []bool
	for {
		parts = append(parts, x.Y)
		stderr = append(stderr, x.Op == syntax.PipeAll)
		left, ok := x.X.Cmd.(*syntax.BinaryCmd)
		if !ok || left.Op != syntax.Pipe && left.Op != syntax.PipeAll || len(x.X.Redirs) > 0 || x.X.Negated || x.X.Background {
			parts = append(parts, x.X)
			break
		}
		x = left
	}
	at := c.emit(instr{op: opPipe})
	stages := make([]stage, len(parts))
	for i := range parts {
		n := len(parts) - 1 - i
		stages[i].pc = len(c.ins)
		if n > 0 {
			stages[i].stderr = stderr[n-1]
		}
		c.tail(parts[n])
		c.emit(instr{op: opLeave})
	}
	c.ins[at].stages = stages
	c.here(at)
	c.emit(instr{op: opErr})
}

func (c *compiler) condition(list []*syntax.Stmt) {
	c.emit(instr{op: opCare, a: 1})
	c.stmts(list)
	c.emit(instr{op: opCare, a: -1})
}

func (c *compiler) ifClause(x *syntax.IfClause) {
	var ends []int
	for ; x != nil; x = x.Else {
		if len(x.Cond) == 0 { // else
			c.stmts(x.Then)
			break
		}
		c.condition(x.Cond)
		next := c.emit(instr{op: opJumpIf, b: 0})
		c.stmts(x.Then)
		ends = append(ends, c.emit(instr{op: opJump}))
		c.here(next)
		if x.Else == nil {
			c.emit(instr{op: opStatus})
		}
	}
	for _, at := range ends {
		c.here(at)
	}
}

func (c *compiler) while(x *syntax.WhileClause) {
	loop := c.emit(instr{op: opLoop})
	c.ins[loop].b = len(c.ins)
	c.condition(x.Cond)
	leave := c.emit(instr{op: opJumpIf})
	if x.Until {
		c.ins[leave].b = 1
	}
	c.stmts(x.Do)
	c.emit(instr{op: opJump, a: c.ins[loop].b, b: 1})
	c.here(leave)
	c.emit(instr{op: opUnloop, a: 1})
	c.here(loop)
}

func (c *compiler) forClause(x *syntax.ForClause) {
	switch l := x.Loop.(type) {
	case *syntax.WordIter:
		c.emit(instr{op: opCmd})
		if l.InPos.IsValid() {
			c.words(l.Items)
		} else {
			c.emit(instr{op: opArgs})
		}
		loop := c.emit(instr{op: opLoop})
		c.emit(instr{op: opFor})
		c.ins[loop].b = len(c.ins)
		next := opForNext
		if x.Select {
			next = opSelect
		}
		leave := c.emit(instr{op: next, text: l.Name.Value})
		c.stmts(x.Do)
		c.emit(instr{op: opJump, a: leave})
		c.here(leave)
		c.emit(instr{op: opUnloop})
		c.here(loop)
	case *syntax.CStyleLoop:
		if c.dialect == ash {
			c.foreign("for (( )) in this shell")
			return
		}
		eval := func(e syntax.ArithmExpr) {
			if e != nil {
				c.arithText(e)
				c.emit(instr{op: opString})
				c.emit(instr{op: opLet})
			}
		}
		eval(l.Init)
		loop := c.emit(instr{op: opLoop})
		first := c.emit(instr{op: opJump})
		c.ins[loop].b = len(c.ins)
		eval(l.Post)
		c.here(first)
		c.emit(instr{op: opStatus})
		eval(l.Cond)
		leave := c.emit(instr{op: opJumpIf, b: 0})
		c.stmts(x.Do)
		c.emit(instr{op: opJump, a: c.ins[loop].b, b: 1})
		c.here(leave)
		c.emit(instr{op: opUnloop, a: 1})
		c.here(loop)
	}
}

func (c *compiler) caseClause(x *syntax.CaseClause) {
	c.word(x.Word, false)
	c.emit(instr{op: opString})
	var ends []int
	through := -1 // a jump from the end of the item before, for ;&
	for _, item := range x.Items {
		var bodies []int
		for _, pattern := range item.Patterns {
			c.word(pattern, false)
			c.emit(instr{op: opString, a: asPattern})
			next := c.emit(instr{op: opMatch})
			bodies = append(bodies, c.emit(instr{op: opJump}))
			c.here(next)
		}
		skip := c.emit(instr{op: opJump})
		for _, at := range bodies {
			c.here(at)
		}
		if len(item.Stmts) == 0 {
			c.emit(instr{op: opStatus})
		}
		if through >= 0 {
			c.here(through)
			through = -1
		}
		c.stmts(item.Stmts)
		switch item.Op {
		case syntax.Fallthrough:
			through = c.emit(instr{op: opJump})
		case syntax.Resume, syntax.ResumeKorn:
		default:
			ends = append(ends, c.emit(instr{op: opJump}))
		}
		c.here(skip)
	}
	c.emit(instr{op: opStatus})
	if through >= 0 {
		c.here(through)
	}
	for _, at := range ends {
		c.here(at)
	}
	c.emit(instr{op: opDrop})
}

func (c *compiler) function(x *syntax.FuncDecl) {
	if x.Name == nil {
		c.foreign("a function without a name")
		return
	}
	at := c.emit(instr{op: opFunc, text: x.Name.Value})
	c.stmt(x.Body)
	c.emit(instr{op: opReturn})
	c.here(at)
}

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

// plainDeclare compiles export, readonly and local where they are commands like others, but for their assignments.
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

// assign compiles an assignment: for a command, or to stay.
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

// declare compiles export, local, declare and their like.
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

// procSub is the process whose output a redirection reads, as in "< <(command)"; nil if it is of another kind.
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
