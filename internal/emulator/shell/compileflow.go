package shell

import "mvdan.cc/sh/v3/syntax"

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
	through := -1 // a jump from the end of the previous item, for ;&
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
