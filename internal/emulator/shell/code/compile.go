package code

import "mvdan.cc/sh/v3/syntax"

func (c *compiler) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

// tails compiles statements; the last one is the last action of its process.
func (c *compiler) tails(list []*syntax.Stmt) {
	for i, s := range list {
		if i == len(list)-1 {
			c.tail(s)
		} else {
			c.stmt(s)
		}
	}
}

// tail compiles a statement that is the last action of its process: a program replaces the process.
func (c *compiler) tail(s *syntax.Stmt) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Background || s.Negated || s.Coprocess || len(call.Args) == 0 {
		c.stmt(s)
		return
	}
	c.line = int(s.Pos().Line())
	c.emit(Instr{Op: OpStmt})
	c.call(call, s.Redirs, true)
	c.emit(Instr{Op: OpErr})
}

func (c *compiler) stmt(s *syntax.Stmt) {
	c.line = int(s.Pos().Line())
	c.emit(Instr{Op: OpStmt})
	if s.Coprocess || s.Disown {
		c.foreign("a coprocess")
		return
	}
	if s.Background {
		at := c.emit(Instr{Op: OpAsync})
		fg := *s
		fg.Background = false
		c.tail(&fg)
		c.emit(Instr{Op: OpLeave})
		c.here(at)
		return
	}
	if s.Negated {
		c.emit(Instr{Op: OpCare, A: 1})
		c.command(s)
		c.emit(Instr{Op: OpCare, A: -1})
		c.emit(Instr{Op: OpNot})
		return
	}
	c.command(s)
}

// command compiles a statement's command with its redirections.
func (c *compiler) command(s *syntax.Stmt) {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		c.call(call, s.Redirs, false)
		c.emit(Instr{Op: OpErr})
		return
	}
	if s.Cmd == nil { // only redirections
		c.call(&syntax.CallExpr{}, s.Redirs, false)
		c.emit(Instr{Op: OpErr})
		return
	}
	begin := -1
	if len(s.Redirs) > 0 {
		begin = c.emit(Instr{Op: OpRedirs})
		c.redirs(s.Redirs)
	}
	c.compound(s.Cmd)
	if begin >= 0 {
		c.emit(Instr{Op: OpUnredir})
		c.here(begin)
		c.emit(Instr{Op: OpErr})
	}
}

func (c *compiler) compound(cmd syntax.Command) {
	switch x := cmd.(type) {
	case *syntax.Block:
		c.stmts(x.Stmts)
	case *syntax.Subshell:
		at := c.emit(Instr{Op: OpSubshell})
		c.tails(x.Stmts)
		c.emit(Instr{Op: OpLeave})
		c.here(at)
		c.emit(Instr{Op: OpErr})
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
		if c.dialect == Ash {
			c.foreign("(( )) in this shell")
			return
		}
		c.arithText(x.X)
		c.emit(Instr{Op: OpString})
		c.emit(Instr{Op: OpLet})
		c.emit(Instr{Op: OpErr})
	case *syntax.LetClause:
		for _, e := range x.Exprs {
			c.arithText(e)
			c.emit(Instr{Op: OpString})
			c.emit(Instr{Op: OpLet})
		}
		c.emit(Instr{Op: OpErr})
	case *syntax.TestClause:
		c.test(x.X)
		c.emit(Instr{Op: OpErr})
	case *syntax.DeclClause:
		c.declare(x)
		c.emit(Instr{Op: OpErr})
	case *syntax.TimeClause:
		c.emit(Instr{Op: OpTime})
		if x.Stmt != nil {
			c.stmt(x.Stmt)
		}
		c.emit(Instr{Op: OpTime, A: 1})
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
	c.emit(Instr{Op: OpCare, A: 1})
	c.stmt(x.X)
	c.emit(Instr{Op: OpCare, A: -1})
	want := 0
	if x.Op == syntax.OrStmt {
		want = 1
	}
	at := c.emit(Instr{Op: OpJumpIf, B: want})
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
	at := c.emit(Instr{Op: OpPipe})
	stages := make([]Stage, len(parts))
	for i := range parts {
		n := len(parts) - 1 - i
		stages[i].PC = len(c.ins)
		if n > 0 {
			stages[i].Stderr = stderr[n-1]
		}
		c.tail(parts[n])
		c.emit(Instr{Op: OpLeave})
	}
	c.ins[at].Stages = stages
	c.here(at)
	c.emit(Instr{Op: OpErr})
}
