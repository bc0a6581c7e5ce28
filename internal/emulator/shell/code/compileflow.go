package code

import "mvdan.cc/sh/v3/syntax"

func (c *compiler) condition(list []*syntax.Stmt) {
	c.emit(Instr{Op: OpCare, A: 1})
	c.stmts(list)
	c.emit(Instr{Op: OpCare, A: -1})
}

func (c *compiler) ifClause(x *syntax.IfClause) {
	var ends []int
	for ; x != nil; x = x.Else {
		if len(x.Cond) == 0 { // else
			c.stmts(x.Then)
			break
		}
		c.condition(x.Cond)
		next := c.emit(Instr{Op: OpJumpIf, B: 0})
		c.stmts(x.Then)
		ends = append(ends, c.emit(Instr{Op: OpJump}))
		c.here(next)
		if x.Else == nil {
			c.emit(Instr{Op: OpStatus})
		}
	}
	for _, at := range ends {
		c.here(at)
	}
}

func (c *compiler) while(x *syntax.WhileClause) {
	loop := c.emit(Instr{Op: OpLoop})
	c.ins[loop].B = len(c.ins)
	c.condition(x.Cond)
	leave := c.emit(Instr{Op: OpJumpIf})
	if x.Until {
		c.ins[leave].B = 1
	}
	c.stmts(x.Do)
	c.emit(Instr{Op: OpJump, A: c.ins[loop].B, B: 1})
	c.here(leave)
	c.emit(Instr{Op: OpUnloop, A: 1})
	c.here(loop)
}

func (c *compiler) forClause(x *syntax.ForClause) {
	switch l := x.Loop.(type) {
	case *syntax.WordIter:
		c.emit(Instr{Op: OpCmd})
		if l.InPos.IsValid() {
			c.words(l.Items)
		} else {
			c.emit(Instr{Op: OpArgs})
		}
		loop := c.emit(Instr{Op: OpLoop})
		c.emit(Instr{Op: OpFor})
		c.ins[loop].B = len(c.ins)
		next := OpForNext
		if x.Select {
			next = OpSelect
		}
		leave := c.emit(Instr{Op: next, Text: l.Name.Value})
		c.stmts(x.Do)
		c.emit(Instr{Op: OpJump, A: leave})
		c.here(leave)
		c.emit(Instr{Op: OpUnloop})
		c.here(loop)
	case *syntax.CStyleLoop:
		if c.dialect == Ash {
			c.foreign("for (( )) in this shell")
			return
		}
		eval := func(e syntax.ArithmExpr) {
			if e != nil {
				c.arithText(e)
				c.emit(Instr{Op: OpString})
				c.emit(Instr{Op: OpLet})
			}
		}
		eval(l.Init)
		loop := c.emit(Instr{Op: OpLoop})
		first := c.emit(Instr{Op: OpJump})
		c.ins[loop].B = len(c.ins)
		eval(l.Post)
		c.here(first)
		c.emit(Instr{Op: OpStatus})
		eval(l.Cond)
		leave := c.emit(Instr{Op: OpJumpIf, B: 0})
		c.stmts(x.Do)
		c.emit(Instr{Op: OpJump, A: c.ins[loop].B, B: 1})
		c.here(leave)
		c.emit(Instr{Op: OpUnloop, A: 1})
		c.here(loop)
	}
}

func (c *compiler) caseClause(x *syntax.CaseClause) {
	c.word(x.Word, false)
	c.emit(Instr{Op: OpString})
	var ends []int
	through := -1 // a jump from the end of the previous item, for ;&
	for _, item := range x.Items {
		var bodies []int
		for _, pattern := range item.Patterns {
			c.word(pattern, false)
			c.emit(Instr{Op: OpString, A: AsPattern})
			next := c.emit(Instr{Op: OpMatch})
			bodies = append(bodies, c.emit(Instr{Op: OpJump}))
			c.here(next)
		}
		skip := c.emit(Instr{Op: OpJump})
		for _, at := range bodies {
			c.here(at)
		}
		if len(item.Stmts) == 0 {
			c.emit(Instr{Op: OpStatus})
		}
		if through >= 0 {
			c.here(through)
			through = -1
		}
		c.stmts(item.Stmts)
		switch item.Op {
		case syntax.Fallthrough:
			through = c.emit(Instr{Op: OpJump})
		case syntax.Resume, syntax.ResumeKorn:
		default:
			ends = append(ends, c.emit(Instr{Op: OpJump}))
		}
		c.here(skip)
	}
	c.emit(Instr{Op: OpStatus})
	if through >= 0 {
		c.here(through)
	}
	for _, at := range ends {
		c.here(at)
	}
	c.emit(Instr{Op: OpDrop})
}

func (c *compiler) function(x *syntax.FuncDecl) {
	if x.Name == nil {
		c.foreign("a function without a name")
		return
	}
	at := c.emit(Instr{Op: OpFunc, Text: x.Name.Value})
	c.stmt(x.Body)
	c.emit(Instr{Op: OpReturn})
	c.here(at)
}
